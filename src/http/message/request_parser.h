#pragma once

#include <cstddef>
#include <expected>
#include <string_view>

#include "http/message/message_parser.h"

namespace weft::http {

// Reads the HTTP/1 requests of one connection: the server's side of ResponseParser, used in the
// same way, with the same bounds.
//
// Strict throughout, because a client that gets an error can be corrected: lines end in CRLF, no
// folded fields, no space before a colon, names are tokens, the target is visible ASCII, one Host
// in HTTP/1.1, and an unambiguous length (request_framing()). The one exception is the standard's
// own (RFC 9112, 2.2): an empty line before the request line is ignored. A body never runs to the
// close. After an error the server answers 400 (or 505 for bad_version) and closes the connection.
// finish() returns closed_before_message when the stream ended between two requests: that is the
// normal end of a connection.
class RequestParser final : public MessageParser {
public:
    RequestParser() : MessageParser(Rules::strict) {}

    // Gets ready for the next request.
    void start();

    // Views into raw_head(): valid from Event::head until start().
    std::string_view method() const { return raw_head().substr(0, method_bytes_); }
    std::string_view target() const;

    // Whether the client wants to send another request on this connection.
    bool keep_alive() const;

private:
    std::expected<void, ParseError> check_start(std::string_view seen,
                                                std::string_view input) const override;
    std::expected<void, ParseError> read_first_line(std::string_view line) override;
    std::expected<Event, ParseError> end_head() override;

    std::size_t method_bytes_ = 0;
    std::size_t target_bytes_ = 0;
};

}  // namespace weft::http
