#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "http/body_reader.h"
#include "http/head_buffer.h"
#include "http/headers.h"
#include "http/parse_error.h"

namespace weft::http {

// Reads the HTTP/1 requests of one connection: the server's side of ResponseParser, used in the
// same way, with the same bounds.
//
// Strict throughout, since whoever is answered can be made to speak properly: lines end in CRLF,
// no folded fields, no space before a colon, names are tokens, the target is visible ASCII, one
// Host in HTTP/1.1, and a length beyond doubt (request_framing()). The one kindness is the
// standard's own: an empty line before the request line is read over. A body is never read to the
// close. After an error the connection is answered 400 (or 505 for bad_version) and closed.
class RequestParser {
public:
    enum class Event { need_more, head, body, end };

    struct Step {
        Event event = Event::need_more;
        std::size_t consumed = 0;

        // For Event::body: a view into the input, never empty.
        std::string_view body = {};
    };

    RequestParser();

    // Gets ready for the next request. Memory is kept from request to request.
    void start();

    // The next event. After Event::end it is Event::end again; after an error, that error.
    std::expected<Step, ParseError> next(std::string_view input);

    // The stream ended. closed_before_message when it did so between requests, as it should.
    std::expected<void, ParseError> finish();

    // The head; valid from Event::head on, until start().
    std::string_view method() const { return head_.text().substr(0, method_bytes_); }
    std::string_view target() const;
    int minor_version() const { return minor_version_; }
    const Headers& headers() const { return headers_; }
    std::string_view raw_head() const { return head_.text(); }

    Framing framing() const { return body_.framing().kind; }
    std::optional<std::uint64_t> content_length() const;
    const Headers& trailers() const { return body_.trailers(); }
    std::uint64_t body_bytes() const { return body_.bytes(); }
    bool is_complete() const { return state_ == State::done; }

    // Whether the client means to send another request on this connection.
    bool keep_alive() const;

private:
    enum class State { request_line, fields, body, done };

    std::expected<Step, ParseError> advance(std::string_view input);
    std::expected<Step, ParseError> read_head(std::string_view input);
    std::expected<bool, ParseError> read_head_line(std::string_view line);
    std::expected<void, ParseError> read_request_line(std::string_view line);
    std::expected<void, ParseError> end_head();

    State state_ = State::request_line;
    std::optional<ParseError> error_;
    int minor_version_ = 0;
    std::size_t method_bytes_ = 0;
    std::size_t target_bytes_ = 0;

    HeadBuffer head_;
    Headers headers_;
    BodyReader body_;
};

}  // namespace weft::http
