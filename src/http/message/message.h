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

// Produces a request body while it is sent: returns the piece that begins at byte `offset`, empty
// at the end. Called from offset 0 again when the request has to be sent again (a stale connection,
// a login, a redirect that keeps its method).
using BodySource = aio::CoFunction<aio::Co<std::string>(std::uint64_t offset)>;

// What to fetch. Credentials and cookies are not here: the client adds them for each origin.
struct Request {
    web::Url url;
    std::string method = "GET";

    // The client adds Host, User-Agent, Accept and Accept-Encoding where they are missing, and
    // replaces Content-Length and Transfer-Encoding by what fits the body.
    Headers headers = {};

    // `body` is sent with a Content-Length. If `body_source` is set, it is used instead, and its
    // pieces are sent as chunks.
    std::string body = {};
    BodySource body_source = {};

    // Asks for a part of the content. The answer is a 206 with exactly that part, which is checked,
    // or another status, because servers need not support ranges. A 206 that was not asked for is
    // an error (H31).
    std::optional<ByteRange> range = {};

    // The limit for this whole fetch, instead of the client's FetchLimits::total_timeout.
    std::optional<Duration> total_timeout = {};

    bool has_body() const { return !body.empty() || body_source; }
};

// When each phase of a fetch ended, counted from the start of the fetch. Zero: the phase was not
// needed (a reused connection has no dns, connect or tls).
struct Timings {
    Duration waited{};  // For a permit of the pool to use the host.
    Duration dns{};
    Duration connect{};
    Duration proxy{};
    Duration tls{};
    Duration sent{};
    Duration first_byte{};
    Duration total{};
};

// Why the content is shorter than what the server offered.
enum class Cut {
    none,
    length,  // It is larger than our limits.
};

// A response without its body; a ResponseSink receives the body.
struct Response {
    int status = 0;
    std::string reason;
    int minor_version = 1;
    Headers headers;

    std::uint64_t wire_bytes = 0;       // As received, heads and framing included.
    std::uint64_t wire_head_begin = 0;  // Where in those bytes the final head begins (after
    std::uint64_t wire_head_end = 0;    // interim heads) and where it ends.
    std::uint64_t content_bytes = 0;    // Decoded.
    Cut cut = Cut::none;

    // Content-Encoding named a coding, but the body was not coded.
    bool was_plain = false;

    aio::Endpoint peer;
    std::string protocol = "http/1.1";
    std::string_view tls_protocol;  // "TLSv1.3"; empty without TLS. Both views are valid forever.
    std::string_view tls_cipher;
    bool tls_resumed = false;
    bool reused_connection = false;
    bool used_proxy = false;  // `peer` is the proxy.
    Timings timings;

    // Gets ready for another response. The headers keep their memory.
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

// Receives a response while it streams in. The caller of the fetch owns it. Calls come on the
// client's thread, and none comes after the fetch has ended or thrown. Views are valid during the
// call only.
class ResponseSink {
public:
    virtual ~ResponseSink() = default;

    // A new attempt starts: discard everything received before.
    virtual void on_start() {}

    // The request head as sent.
    virtual void on_request(std::string_view) {}

    // Every byte of the response as received: heads, framing, coded content. For archives.
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
