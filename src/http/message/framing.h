#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "http/message/headers.h"
#include "http/message/oddity.h"
#include "http/message/parse_error.h"

namespace weft::http {

// Where the body of a message ends.
enum class Framing {
    // There is none.
    none,
    // After Content-Length bytes.
    length,
    // After the last chunk and the trailers.
    chunked,
    // When the stream does (responses only).
    until_close,
};

struct BodyFraming {
    Framing kind = Framing::none;

    // For Framing::length.
    std::uint64_t length = 0;

    // Codings besides `chunked` that are still to be undone, in the order applied: "gzip". A list
    // that web::parse_codings() reads. Nobody sends one unasked but by mistake.
    std::string transfer_codings;

    Oddities oddities;
};

// What the fields of a response say of its body (RFC 9112, 6.3), leaving aside that some responses
// have none. Decisions:
// - Content-Length is decimal digits up to 2^63-1; the same digits again, in one field or more, are
//   one length (noted); anything else is an error (H20). Empty and alone it counts as absent.
// - Transfer-Encoding wins over Content-Length (noted, H21). `chunked` must be the last coding, and
//   may be repeated; `identity` is no coding; gzip and deflate before it are left to the caller.
// - Without a last `chunked` the body runs to the close, as it came. Errors are: a Content-Length
//   beside that, and an unknown coding together with `chunked`.
std::expected<BodyFraming, ParseError> response_framing(const Headers& headers, int minor_version);

// The same for a request, which must be beyond doubt: Content-Length once and plain, or
// Transfer-Encoding exactly `chunked` in HTTP/1.1, never both; else there is no body.
std::expected<BodyFraming, ParseError> request_framing(const Headers& headers, int minor_version);

// Whether the sender means to keep the connection: `Connection: close` never does, HTTP/1.1 does
// unless it says so, HTTP/1.0 only with `keep-alive`.
bool wants_keep_alive(const Headers& headers, int minor_version);

}  // namespace weft::http
