#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "aio/endpoint.h"
#include "base/clock.h"
#include "http/headers.h"
#include "web/url.h"

namespace weft::http {

struct Request {
    web::Url url;
    std::string method = "GET";

    // Besides Host, User-Agent, Accept and Accept-Encoding, which the client adds where missing.
    Headers headers = {};

    std::string body = {};
};

// When each phase of a fetch was over, counted from its start. Zero: the phase was not needed (a
// reused connection has no dns, connect or tls).
struct Timings {
    Duration dns{};
    Duration connect{};
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

// An answer, without its body (see BodySink).
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
    std::string tls_protocol;  // "TLSv1.3"; empty without TLS.
    std::string tls_cipher;
    bool reused_connection = false;
    Timings timings;

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
