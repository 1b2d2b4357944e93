#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "http/message/body_reader.h"
#include "http/message/field_line.h"
#include "http/message/framing.h"
#include "http/message/head_buffer.h"
#include "http/message/headers.h"
#include "http/message/oddity.h"
#include "http/message/parse_error.h"

namespace weft::http {

// What requests and responses have in common: a first line, fields, a body, and an error that
// stays. ResponseParser and RequestParser say what a first line is and how a body is framed.
//
// No I/O: bytes in, events out, and any cut of the bytes gives the same events (but for the pieces
// the body comes in) and the same error. The bounds of base/limits.h count over the whole message,
// interim heads and trailers included (H25). Nothing is ever allocated from a claimed length (H40).
// Memory is kept from message to message.
class MessageParser {
public:
    enum class Event {
        // All of the input is consumed; give more, or call finish().
        need_more,
        // The head of a 1xx response; the accessors speak of it until the next call.
        interim,
        // The head of the message.
        head,
        // A piece of the body, transfer coding `chunked` taken off.
        body,
        // The message is complete. What is left of the input is not part of it.
        end,
    };

    struct Step {
        Event event = Event::need_more;

        // How many bytes at the front of the input are done with.
        std::size_t consumed = 0;

        // For Event::body: a view into the input, never empty.
        std::string_view body = {};
    };

    // The next event. After Event::end it is Event::end again; after an error, that error.
    std::expected<Step, ParseError> next(std::string_view input);

    // The stream ended and everything received was given to next(). Either the message is now
    // complete (an answer that runs to the close) or this is the error: closed_before_message,
    // truncated_head or truncated_body.
    std::expected<void, ParseError> finish(StreamEnd how = StreamEnd::clean);

    // The head; valid from Event::head (or interim) on, until start().
    int minor_version() const { return minor_version_; }
    const Headers& headers() const { return headers_; }

    // The bytes of the head as received, from the first line to the empty line.
    std::string_view raw_head() const { return head_.text(); }

    Framing framing() const { return body_.framing().kind; }

    // The length the message claims, where that is what ends it.
    std::optional<std::uint64_t> content_length() const;

    // The trailers of a chunked body; complete at Event::end.
    const Headers& trailers() const { return body_.trailers(); }

    std::uint64_t body_bytes() const { return body_.bytes(); }
    bool is_complete() const { return state_ == State::done; }
    Oddities oddities() const;

    // What finish() found missing, for people: "512 of 2048 bytes".
    std::string progress() const;

protected:
    explicit MessageParser(Rules rules);
    ~MessageParser() = default;

    // The next message.
    void reset();

    // Whether this can become a first line. It may be cut anywhere: `seen` came before `input`.
    virtual std::expected<void, ParseError> check_start(std::string_view seen,
                                                        std::string_view input) const = 0;
    virtual std::expected<void, ParseError> read_first_line(std::string_view line) = 0;

    // The head is complete; Event::interim if another follows. Else the message is complete too
    // unless start_body() is called.
    virtual std::expected<Event, ParseError> end_head() = 0;

    void start_body(BodyFraming framing);
    const BodyFraming& body_framing() const { return body_.framing(); }
    void add(Oddities oddities) { oddities_.add(oddities); }
    void set_minor_version(int version) { minor_version_ = version; }

    // Complete, without an error, and before the end of the stream.
    bool ended_by_itself() const { return is_complete() && !error_ && !saw_end_of_stream_; }

private:
    enum class State { first_line, fields, interim, body, done };

    std::expected<Step, ParseError> advance(std::string_view input);
    std::expected<Step, ParseError> read_head(std::string_view input);
    std::expected<Step, ParseError> read_body(std::string_view input);
    std::expected<bool, ParseError> read_head_line(const HeadBuffer::Line& line);
    std::expected<Event, ParseError> take_head();
    std::expected<void, ParseError> check_end();

    Rules rules_;
    State state_ = State::first_line;
    bool saw_end_of_stream_ = false;
    bool line_had_cr_ = false;
    std::optional<ParseError> error_;
    int minor_version_ = 0;
    std::size_t interim_count_ = 0;
    std::size_t interim_field_count_ = 0;
    HeadBuffer head_;
    Headers headers_;
    BodyReader body_;
    Oddities oddities_;
};

}  // namespace weft::http
