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

// The common part of RequestParser and ResponseParser: a first line, fields, a body, and an error
// that is final. The derived class reads the first line and decides how the body is framed.
//
// No I/O: the caller passes in bytes and gets events. However the bytes are cut, the events (except
// for how the body is split) and the error are the same. The bounds of base/limits.h apply to the
// whole message, interim heads and trailers included (H25). A claimed length never causes an
// allocation (H40). Memory is kept from message to message.
class MessageParser {
public:
    enum class Event {
        // All of the input is consumed; pass in more, or call finish().
        need_more,
        // The head of a 1xx response. Until the next call the accessors describe it.
        interim,
        // The head of the message.
        head,
        // A piece of the body, transfer coding `chunked` removed.
        body,
        // The message is complete. The rest of the input is not part of it.
        end,
    };

    struct Step {
        Event event = Event::need_more;

        // How many bytes at the front of the input are processed.
        std::size_t consumed = 0;

        // For Event::body: a view into the input, never empty.
        std::string_view body = {};
    };

    // The next event. After Event::end it is Event::end again; after an error, that error.
    std::expected<Step, ParseError> next(std::string_view input);

    // Call when the stream has ended and next() has seen everything received. Either the message is
    // now complete (a response that runs to the close), or the error is closed_before_message,
    // truncated_head or truncated_body.
    std::expected<void, ParseError> finish(StreamEnd how = StreamEnd::clean);

    // The head; valid from Event::head (or interim) on, until start().
    int minor_version() const { return minor_version_; }
    const Headers& headers() const { return headers_; }

    // The bytes of the head as received, from the first line to the empty line.
    std::string_view raw_head() const { return head_.text(); }

    Framing framing() const { return body_.framing().kind; }

    // The length of the body, if Content-Length frames it.
    std::optional<std::uint64_t> content_length() const;

    // The trailers of a chunked body; complete at Event::end.
    const Headers& trailers() const { return body_.trailers(); }

    std::uint64_t body_bytes() const { return body_.bytes(); }
    bool is_complete() const { return state_ == State::done; }
    Oddities oddities() const;

    // How far the message got, for error messages: "512 of 2048 bytes".
    std::string progress() const;

protected:
    explicit MessageParser(Rules rules);
    ~MessageParser() = default;

    // Gets ready for the next message.
    void reset();

    // An error if `seen` followed by `input` cannot be the beginning of a first line.
    virtual std::expected<void, ParseError> check_start(std::string_view seen,
                                                        std::string_view input) const = 0;
    virtual std::expected<void, ParseError> read_first_line(std::string_view line) = 0;

    // Called when a head is complete. Returns Event::interim if another head follows. Otherwise it
    // calls start_body(), or the message ends here.
    virtual std::expected<Event, ParseError> end_head() = 0;

    void start_body(BodyFraming framing);
    const BodyFraming& body_framing() const { return body_.framing(); }
    void add(Oddities oddities) { oddities_.add(oddities); }
    void set_minor_version(int version) { minor_version_ = version; }

    // Whether the message is complete without an error, and not because the stream ended.
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
    bool line_had_cr_ = false;         // The last line of the head ended with CRLF.
    std::optional<ParseError> error_;  // Once set, every call returns it.
    int minor_version_ = 0;
    std::size_t interim_count_ = 0;
    std::size_t interim_field_count_ = 0;
    HeadBuffer head_;
    Headers headers_;
    BodyReader body_;
    Oddities oddities_;
};

}  // namespace weft::http
