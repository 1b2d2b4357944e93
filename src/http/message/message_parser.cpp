#include "http/message/message_parser.h"

#include <utility>

#include <fmt/format.h>

#include "base/limits.h"

namespace weft::http {

MessageParser::MessageParser(Rules rules)
    : rules_(rules),
      head_({.line_bytes_max = limits::kHeaderLineBytesMax,
             .block_bytes_max = limits::kHeaderBlockBytesMax,
             .line_error = ParseError::line_too_long,
             .block_error = ParseError::header_block_too_large}) {}

void MessageParser::reset() {
    state_ = State::first_line;
    saw_end_of_stream_ = false;
    error_.reset();
    minor_version_ = 0;
    interim_count_ = 0;
    interim_field_count_ = 0;
    head_.reset();
    headers_.clear();
    body_.reset();
    oddities_ = {};
}

std::expected<MessageParser::Step, ParseError> MessageParser::next(std::string_view input) {
    if (error_) return std::unexpected(*error_);
    auto step = advance(input);
    if (!step) error_ = step.error();
    return step;
}

std::expected<MessageParser::Step, ParseError> MessageParser::advance(std::string_view input) {
    switch (state_) {
        case State::interim:
            // The interim head stayed readable until this call.
            head_.forget();
            headers_.clear();
            state_ = State::first_line;
            return read_head(input);
        case State::first_line:
        case State::fields: return read_head(input);
        case State::body: return read_body(input);
        case State::done: break;
    }
    return Step{.event = Event::end};
}

std::expected<MessageParser::Step, ParseError> MessageParser::read_head(std::string_view input) {
    std::string_view rest = input;
    while (true) {
        if (state_ == State::first_line) {
            // Checked before a line is complete: something that is not HTTP may never send a line
            // end.
            const auto checked = check_start(head_.unfinished(), rest);
            if (!checked) return std::unexpected(checked.error());
        }
        const auto line = head_.take_line(rest);
        if (!line) return std::unexpected(line.error());
        if (!line->is_whole) return Step{.event = Event::need_more, .consumed = input.size()};
        const auto ends = read_head_line(*line);
        if (!ends) return std::unexpected(ends.error());
        if (!*ends) continue;
        const auto event = take_head();
        if (!event) return std::unexpected(event.error());
        return Step{.event = *event, .consumed = input.size() - rest.size()};
    }
}

// Returns true for the empty line that ends the head.
std::expected<bool, ParseError> MessageParser::read_head_line(const HeadBuffer::Line& line) {
    if (!line.has_cr) {
        if (rules_ == Rules::strict) return std::unexpected(ParseError::bare_lf);
        oddities_.add(Oddity::bare_lf);
    }
    const bool had_cr = std::exchange(line_had_cr_, line.has_cr);
    if (state_ == State::first_line) {
        if (line.text.empty()) {  // It ended with CRLF: check_start() refuses a bare LF.
            oddities_.add(Oddity::leading_empty_line);
            head_.forget();
            return false;
        }
        const auto read = read_first_line(line.text);
        if (!read) return std::unexpected(read.error());
        state_ = State::fields;
        return false;
    }
    if (line.text.empty()) {
        // See ResponseParser: a single added byte must not move the end of the head (H26).
        if (line.has_cr != had_cr) return std::unexpected(ParseError::mixed_line_ends);
        return true;
    }
    const auto read = read_field(line.text, rules_, headers_, oddities_);
    if (!read) return std::unexpected(read.error());
    if (interim_field_count_ + headers_.size() > limits::kHeaderCountMax) {
        return std::unexpected(ParseError::too_many_fields);
    }
    return false;
}

std::expected<MessageParser::Event, ParseError> MessageParser::take_head() {
    // start_body(), if end_head() calls it, changes the state again.
    state_ = State::done;
    const auto event = end_head();
    if (!event || *event != Event::interim) return event;
    if (++interim_count_ > limits::kInterimResponseCountMax) {
        return std::unexpected(ParseError::too_many_interim_responses);
    }
    interim_field_count_ += headers_.size();
    state_ = State::interim;
    return event;
}

void MessageParser::start_body(BodyFraming framing) {
    body_.start(std::move(framing),
                limits::kHeaderCountMax - interim_field_count_ - headers_.size());
    state_ = body_.is_done() ? State::done : State::body;
}

std::expected<MessageParser::Step, ParseError> MessageParser::read_body(std::string_view input) {
    const auto step = body_.next(input);
    if (!step) return std::unexpected(step.error());
    // The last piece and the end are two events: `done` is set now, Event::end comes with the next
    // call.
    if (body_.is_done()) state_ = State::done;
    Event event = step->done ? Event::end : Event::need_more;
    if (!step->data.empty()) event = Event::body;
    return Step{.event = event, .consumed = step->consumed, .body = step->data};
}

std::expected<void, ParseError> MessageParser::finish(StreamEnd how) {
    saw_end_of_stream_ = true;
    if (error_) return std::unexpected(*error_);
    // The one kind of body that is complete only now is one that runs to the close.
    if (state_ == State::body && body_.finish(how)) state_ = State::done;
    auto ended = check_end();
    if (!ended) error_ = ended.error();
    return ended;
}

std::expected<void, ParseError> MessageParser::check_end() {
    switch (state_) {
        case State::done: return {};
        case State::body: return std::unexpected(ParseError::truncated_body);
        case State::interim:
        case State::fields: break;
        case State::first_line:
            // A client may send an empty line after its last request: that is a normal end. From a
            // server it is a response that broke off.
            const bool has_begun = interim_count_ > 0 || !head_.unfinished().empty() ||
                                   (rules_ == Rules::tolerant && oddities_.any());
            if (!has_begun) return std::unexpected(ParseError::closed_before_message);
            break;
    }
    return std::unexpected(ParseError::truncated_head);
}

std::optional<std::uint64_t> MessageParser::content_length() const {
    if (framing() != Framing::length) return std::nullopt;
    return body_.framing().length;
}

Oddities MessageParser::oddities() const {
    Oddities all = oddities_;
    all.add(body_.oddities());
    return all;
}

std::string MessageParser::progress() const {
    if (state_ == State::body || state_ == State::done) return body_.progress();
    return fmt::format("{} bytes of a head", head_.text().size());
}

}  // namespace weft::http
