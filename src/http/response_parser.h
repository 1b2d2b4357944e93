#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "http/body_reader.h"
#include "http/framing.h"
#include "http/head_buffer.h"
#include "http/headers.h"
#include "http/oddity.h"
#include "http/parse_error.h"

namespace weft::http {

// Reads the HTTP/1 responses of one connection. It does no I/O: bytes in, events out, and any cut
// of the bytes gives the same events (but for the pieces the body comes in) and the same error.
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
// Strict where a length is at stake, and elsewhere as forgiving as real servers make one. What the
// standard forbids and is read all the same is an Oddity, listed there, and bars the connection
// from further use. Further decisions:
// - The status line is `HTTP/1.` digit space three digits, 100 to 999, then nothing or a space and
//   any reason (H18). HTTP/1.2 and up are read as 1.1. No response of HTTP/0.9 (H19).
// - An empty line before the status line is read over when it is CRLF; nothing else may be there.
// - Bare CR and NUL in a head, a line without colon, space before the colon, a folded first line:
//   errors (H26, H27). Other control bytes and bytes above 0x7F stay in the value as they are.
// - No body on answers to HEAD, on 1xx, 204, 304, and on 2xx to CONNECT, whatever the fields say
//   (H29); a bad Content-Length there is only noted.
// - Interim responses are events of their own, at most 8; 101 is an error (H28).
// - The bounds of base/limits.h count over the whole message, interim heads and trailers included
//   (H25). Nothing is ever allocated from a claimed length (H40).
class ResponseParser {
public:
    enum class Event {
        // All of the input is consumed; give more, or call finish().
        need_more,
        // The head of a 1xx response; the accessors speak of it until the next call.
        interim,
        // The head of the response.
        head,
        // A piece of the body, transfer coding `chunked` taken off.
        body,
        // The response is complete. What is left of the input is not part of it.
        end,
    };

    struct Step {
        Event event = Event::need_more;

        // How many bytes at the front of the input are done with.
        std::size_t consumed = 0;

        // For Event::body: a view into the input, never empty.
        std::string_view body = {};
    };

    ResponseParser();

    // Gets ready for the answer to a request of this method. Memory is kept from response to
    // response.
    void start(std::string_view request_method);

    // The next event. After Event::end it is Event::end again; after an error, that error.
    std::expected<Step, ParseError> next(std::string_view input);

    // The stream ended and everything received was given to next(). Either the response is now
    // complete (an answer that runs to the close) or this is the error: closed_before_message,
    // truncated_head or truncated_body.
    std::expected<void, ParseError> finish(StreamEnd how = StreamEnd::clean);

    // The head; valid from Event::head (or interim) on, until start().
    int status() const { return status_; }
    int minor_version() const { return minor_version_; }
    std::string_view reason() const;
    const Headers& headers() const { return headers_; }

    // The bytes of the head as received, from the status line to the empty line.
    std::string_view raw_head() const { return head_.text(); }

    Framing framing() const { return body_.framing().kind; }

    // The length the response claims, where that is what ends it.
    std::optional<std::uint64_t> content_length() const;

    // Transfer codings to undo on the body (see BodyFraming); almost always empty.
    std::string_view transfer_codings() const { return body_.framing().transfer_codings; }

    // The trailers of a chunked body; complete at Event::end.
    const Headers& trailers() const { return body_.trailers(); }

    std::uint64_t body_bytes() const { return body_.bytes(); }
    bool is_complete() const { return state_ == State::done; }
    Oddities oddities() const;

    // Whether the connection may carry another request: the response is complete and ended by
    // itself, both sides want to, and nothing about it was odd. The caller adds: no bytes are left
    // in its buffer, and none arrive while the connection is idle (H10).
    bool keep_alive() const;

    // What finish() found missing, for people: "512 of 2048 bytes".
    std::string progress() const;

private:
    enum class State { status_line, fields, interim, body, done };

    std::expected<Step, ParseError> advance(std::string_view input);
    std::expected<Step, ParseError> read_head(std::string_view input);
    std::expected<Step, ParseError> read_body(std::string_view input);
    std::expected<bool, ParseError> read_head_line(std::string_view line);
    std::expected<void, ParseError> read_status_line(std::string_view line);
    std::expected<Event, ParseError> end_head();
    bool has_no_body() const;

    State state_ = State::status_line;
    bool is_head_request_ = false;
    bool is_connect_request_ = false;
    bool saw_end_of_stream_ = false;
    std::optional<ParseError> error_;

    int status_ = 0;
    int minor_version_ = 0;
    std::size_t reason_bytes_ = 0;
    std::size_t interim_count_ = 0;
    std::size_t interim_field_count_ = 0;

    HeadBuffer head_;
    Headers headers_;
    BodyReader body_;
    Oddities oddities_;
};

}  // namespace weft::http
