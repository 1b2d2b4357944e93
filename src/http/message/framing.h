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
    // The message has no body.
    none,
    // After Content-Length bytes.
    length,
    // After the last chunk and the trailers.
    chunked,
    // At the end of the stream (responses only).
    until_close,
};

// How one message frames its body, and what was odd about the fields that say so.
struct BodyFraming {
    Framing kind = Framing::none;

    // For Framing::length.
    std::uint64_t length = 0;

    // Transfer codings besides `chunked` that the caller has to undo, in the order in which they
    // were applied: "gzip". web::parse_codings() reads this list. We never ask for a transfer
    // coding, so a server that sends one does it by mistake.
    std::string transfer_codings;

    Oddities oddities;
};

// How the fields of a response frame its body (RFC 9112, 6.3). Responses that never have a body
// (204, 304, answers to HEAD) are the caller's concern. Decisions:
// - Content-Length is decimal digits up to 2^63-1. The same digits again, in one field or in
//   several, are one length (noted); anything else is an error (H20). A single empty value counts
//   as absent.
// - Transfer-Encoding wins over Content-Length (noted, H21). `chunked` must be the last coding, and
//   may be repeated; `identity` is ignored; gzip and deflate before it are left to the caller.
// - If the last coding is not `chunked`, the body runs to the close and is returned as it came. It
//   is an error if there is a Content-Length too, or an unknown coding together with `chunked`.
std::expected<BodyFraming, ParseError> response_framing(const Headers& headers, int minor_version);

// The same for a request, whose length must be beyond doubt: one plain Content-Length, or a
// Transfer-Encoding of exactly `chunked` in HTTP/1.1, never both. Without either there is no body.
std::expected<BodyFraming, ParseError> request_framing(const Headers& headers, int minor_version);

// Whether the sender wants to keep the connection open (RFC 9112, 9.3): never with `Connection:
// close`; otherwise always in HTTP/1.1, and in HTTP/1.0 only with `Connection: keep-alive`.
bool wants_keep_alive(const Headers& headers, int minor_version);

}  // namespace weft::http
