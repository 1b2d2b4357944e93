#pragma once

#include <cstddef>
#include <expected>
#include <string_view>

#include "http/message/message_parser.h"

namespace weft::http {

// Reads the HTTP/1 responses of one connection.
//
//     parser.start("GET");
//     while (true) {
//         const auto step = parser.next(input);     // What was received and not yet consumed.
//         if (!step) return fail(step.error());
//         input.remove_prefix(step->consumed);
//         if (step->event == Event::head) look_at(parser.status(), parser.headers());
//         if (step->event == Event::body) keep(step->body);
//         if (step->event == Event::end) break;
//         if (step->event == Event::need_more) input = receive();  // At the end: parser.finish().
//     }
//     const bool reuse = parser.keep_alive() && input.empty();
//
// Strict about everything that decides a length, and elsewhere as tolerant as real servers require.
// What the standard forbids and the parser accepts is an Oddity; after one the connection is not
// used again. Further decisions:
// - The status line is `HTTP/1.` digit space three digits, 100 to 999, then nothing or a space and
//   any reason (H18). HTTP/1.2 and up are read as 1.1. No response of HTTP/0.9 (H19).
// - An empty line before the status line is ignored if it is CRLF; nothing else may be there.
// - Bare CR and NUL in a head, a line without colon, space before the colon, a folded first line:
//   errors (H26, H27). Other control bytes and bytes above 0x7F stay in the value as they are.
// - A bare LF ends a line, but the empty line that ends the head must have the same line end as the
//   line before it. Otherwise an added LF, or an added CR before one, could move the end of the
//   head (H26).
// - Answers to HEAD, 1xx, 204, 304, and 2xx to CONNECT have no body, whatever the fields say (H29);
//   a bad Content-Length there is only noted.
// - Interim responses are events of their own, at most 8; 101 is an error (H28).
class ResponseParser final : public MessageParser {
public:
    ResponseParser() : MessageParser(Rules::tolerant) {}

    // Gets ready for the response to a request with this method.
    void start(std::string_view request_method);

    int status() const { return status_; }

    // May be empty. A view into raw_head(): valid until the next head or start().
    std::string_view reason() const;

    // Transfer codings to undo on the body (see BodyFraming); almost always empty.
    std::string_view transfer_codings() const { return body_framing().transfer_codings; }

    // Whether the connection may carry another request: the response is complete and did not end
    // with the stream, the server wants to keep the connection, and nothing was odd. The caller
    // must also check that no bytes are left in its buffer, and that none arrive while the
    // connection is idle (H10).
    bool keep_alive() const;

private:
    std::expected<void, ParseError> check_start(std::string_view seen,
                                                std::string_view input) const override;
    std::expected<void, ParseError> read_first_line(std::string_view line) override;
    std::expected<Event, ParseError> end_head() override;
    bool has_no_body() const;

    bool is_head_request_ = false;
    bool is_connect_request_ = false;
    int status_ = 0;
    std::size_t reason_bytes_ = 0;  // In the status line, after kReasonOffset.
};

}  // namespace weft::http
