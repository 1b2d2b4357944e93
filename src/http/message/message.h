#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "base/clock.h"
#include "http/message/headers.h"
#include "http/server/byte_range.h"
#include "web/url/url.h"

namespace weft::http {

// A body that is made while it is sent: the piece that begins at byte `offset`, empty at the end.
// Asked from 0 again when the request has to be sent again (a stale connection, a login, a redirect
// that keeps its method).
using BodySource = aio::CoFunction<aio::Co<std::string>(std::uint64_t offset)>;

struct Request {
    web::Url url;
    std::string method = "GET";

    // Besides Host, User-Agent, Accept and Accept-Encoding, which the client adds where missing.
    Headers headers = {};

    // Sent with its Content-Length; or, where a source is given, in chunks as they come.
    std::string body = {};
    BodySource body_source = {};

    // A part of the content. The answer is 206 with just that part, verified; or another status, as
    // servers need not know of ranges. Without it a 206 is an error (H31).
    std::optional<ByteRange> range = {};

    // For the whole of this fetch, instead of the client's FetchLimits::total_timeout.
    std::optional<Duration> total_timeout = {};

    bool has_body() const { return !body.empty() || body_source; }
};

// When each phase of a fetch was over, counted from its start. Zero: the phase was not needed (a
// reused connection has no dns, connect or tls).
struct Timings {
    Duration waited{};  // For a turn at the host.
    Duration dns{};
    Duration connect{};
    Duration proxy{};
    Duration tls{};
    Duration sent{};
    Duration first_byte{};
    Duration total{};
};

// Why there is less of a body than the server had.
enum class Cut {
    none,
    length,  // It was larger than we take.
};

// An answer, without its body (see ResponseSink).
struct Response {
    int status = 0;
    std::string reason;
    int minor_version = 1;
    Headers headers;

    std::uint64_t wire_bytes = 0;       // As received, heads and framing included.
    std::uint64_t wire_head_begin = 0;  // Where in them the final head begins (behind interim ones)
    std::uint64_t wire_head_end = 0;    // and ends.
    std::uint64_t content_bytes = 0;    // Decoded.
    Cut cut = Cut::none;

    // Content-Encoding announced a coding that the body did not have.
    bool was_plain = false;

    aio::Endpoint peer;
    std::string protocol = "http/1.1";
    std::string_view tls_protocol;  // "TLSv1.3"; empty without TLS. Both live for ever.
    std::string_view tls_cipher;
    bool tls_resumed = false;
    bool reused_connection = false;
    bool used_proxy = false;  // `peer` is the proxy.
    Timings timings;

    // Ready for another answer. The memory of the headers is kept.
    void clear() {
        Headers kept = std::move(headers);
        *this = {};
        headers = std::move(kept);
        headers.clear();
    }

    bool is_redirect() const {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }
};

// Takes an answer as it streams in. Views are valid during the call only. Nothing is called after
// the fetch has ended or thrown.
class ResponseSink {
public:
    virtual ~ResponseSink() = default;

    // A new attempt starts: what was given before is void.
    virtual void on_start() {}

    // The bytes of the request head as sent.
    virtual void on_request(std::string_view) {}

    // Every byte of the answer as received: heads, framing, coded content. For archives.
    virtual void on_wire(std::string_view) {}

    // The final head, before the first content.
    virtual void on_head(const Response&) {}

    // A piece of the content, codings undone.
    virtual void on_content(std::string_view) {}
};

// Keeps the content in memory.
class ContentBuffer final : public ResponseSink {
public:
    void on_start() override { content.clear(); }
    void on_content(std::string_view piece) override { content += piece; }

    std::string content;
};

}  // namespace weft::http
