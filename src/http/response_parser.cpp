#include "http/response_parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "http/field_line.h"

namespace weft::http {

namespace {

constexpr std::string_view kProtocol = "HTTP/";
constexpr std::size_t kStatusOffset = std::string_view("HTTP/1.1 ").size();
constexpr std::size_t kReasonOffset = kStatusOffset + std::string_view("200 ").size();

// The first bytes tell whether this is HTTP at all, so that a server of something else is found
// out before it fills the line. The line may be cut anywhere: `seen` came before `input`.
std::expected<void, ParseError> check_protocol(std::string_view seen, std::string_view input) {
    const auto byte = [&](std::size_t i) {
        return i < seen.size() ? seen[i] : input[i - seen.size()];
    };
    const std::size_t available = std::min(seen.size() + input.size(), kProtocol.size());
    if (available > 0 && byte(0) == '\r') {
        if (available == 1 || byte(1) == '\n') return {};
        return std::unexpected(ParseError::not_http);
    }
    // Content types of TLS: alert, handshake.
    if (available > 0 && (byte(0) == 0x15 || byte(0) == 0x16)) {
        return std::unexpected(ParseError::tls_record);
    }
    for (std::size_t i = 0; i < available; ++i) {
        if (to_lower(byte(i)) != to_lower(kProtocol[i])) {
            return std::unexpected(ParseError::not_http);
        }
    }
    return {};
}

}  // namespace

ResponseParser::ResponseParser()
    : head_({.line_bytes_max = limits::kHeaderLineBytesMax,
             .block_bytes_max = limits::kHeaderBlockBytesMax,
             .line_error = ParseError::line_too_long,
             .block_error = ParseError::header_block_too_large}) {}

void ResponseParser::start(std::string_view request_method) {
    state_ = State::status_line;
    is_head_request_ = request_method == "HEAD";
    is_connect_request_ = request_method == "CONNECT";
    saw_end_of_stream_ = false;
    error_.reset();
    status_ = 0;
    minor_version_ = 0;
    reason_bytes_ = 0;
    interim_count_ = 0;
    interim_field_count_ = 0;
    head_.reset();
    headers_.clear();
    body_.start({}, 0);
    oddities_ = {};
}

std::expected<ResponseParser::Step, ParseError> ResponseParser::next(std::string_view input) {
    if (error_) return std::unexpected(*error_);
    auto step = advance(input);
    if (!step) error_ = step.error();
    return step;
}

std::expected<ResponseParser::Step, ParseError> ResponseParser::advance(std::string_view input) {
    switch (state_) {
        case State::interim:
            head_.forget();
            headers_.clear();
            state_ = State::status_line;
            return read_head(input);
        case State::status_line:
        case State::fields: return read_head(input);
        case State::body: return read_body(input);
        case State::done: break;
    }
    return Step{.event = Event::end};
}

std::expected<ResponseParser::Step, ParseError> ResponseParser::read_head(std::string_view input) {
    std::string_view rest = input;
    while (true) {
        if (state_ == State::status_line) {
            const auto checked = check_protocol(head_.unfinished(), rest);
            if (!checked) return std::unexpected(checked.error());
        }
        const auto line = head_.take_line(rest);
        if (!line) return std::unexpected(line.error());
        if (line->empty()) return Step{.event = Event::need_more, .consumed = input.size()};
        const auto ends = read_head_line(*line);
        if (!ends) return std::unexpected(ends.error());
        if (!*ends) continue;
        const auto event = end_head();
        if (!event) return std::unexpected(event.error());
        return Step{.event = *event, .consumed = input.size() - rest.size()};
    }
}

// True when the line was the empty one that ends the head.
std::expected<bool, ParseError> ResponseParser::read_head_line(std::string_view line) {
    if (state_ == State::status_line && line == "\r\n") {
        oddities_.add(Oddity::leading_empty_line);
        head_.forget();
        return false;
    }
    const auto stripped = strip_line_end(line, Rules::tolerant, oddities_);
    if (!stripped) return std::unexpected(stripped.error());
    if (state_ == State::status_line) {
        const auto read = read_status_line(*stripped);
        if (!read) return std::unexpected(read.error());
        state_ = State::fields;
        return false;
    }
    if (stripped->empty()) return true;
    const auto read = read_field(*stripped, Rules::tolerant, headers_, oddities_);
    if (!read) return std::unexpected(read.error());
    if (interim_field_count_ + headers_.size() > limits::kHeaderCountMax) {
        return std::unexpected(ParseError::too_many_fields);
    }
    return false;
}

std::expected<void, ParseError> ResponseParser::read_status_line(std::string_view line) {
    const bool is_valid = line.starts_with("HTTP/1.") && line.size() >= kReasonOffset - 1 &&
                          is_digit(line[7]) && line[8] == ' ' && line[9] >= '1' && line[9] <= '9' &&
                          is_digit(line[10]) && is_digit(line[11]) &&
                          (line.size() < kReasonOffset || line[kReasonOffset - 1] == ' ');
    if (!is_valid) return std::unexpected(ParseError::bad_status);
    minor_version_ = line[7] == '0' ? 0 : 1;
    status_ = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    reason_bytes_ = line.size() - std::min(line.size(), kReasonOffset);
    return {};
}

std::expected<ResponseParser::Event, ParseError> ResponseParser::end_head() {
    if (status_ == 101) return std::unexpected(ParseError::unasked_upgrade);
    if (status_ < 200) {
        if (++interim_count_ > limits::kInterimResponseCountMax) {
            return std::unexpected(ParseError::too_many_interim_responses);
        }
        interim_field_count_ += headers_.size();
        state_ = State::interim;
        return Event::interim;
    }
    auto framing = response_framing(headers_, minor_version_);
    if (has_no_body()) {
        if (framing) oddities_.add(framing->oddities);
        const bool claims_body =
            framing && (framing->kind == Framing::chunked || framing->length > 0);
        if (!framing || (status_ == 204 && claims_body)) oddities_.add(Oddity::unexpected_body);
        state_ = State::done;
        return Event::head;
    }
    if (!framing) return std::unexpected(framing.error());
    body_.start(*std::move(framing),
                limits::kHeaderCountMax - interim_field_count_ - headers_.size());
    state_ = body_.is_done() ? State::done : State::body;
    return Event::head;
}

bool ResponseParser::has_no_body() const {
    return is_head_request_ || status_ == 204 || status_ == 304 ||
           (is_connect_request_ && status_ < 300);
}

std::expected<ResponseParser::Step, ParseError> ResponseParser::read_body(std::string_view input) {
    const auto step = body_.next(input);
    if (!step) return std::unexpected(step.error());
    if (body_.is_done()) state_ = State::done;
    Event event = step->done ? Event::end : Event::need_more;
    if (!step->data.empty()) event = Event::body;
    return Step{.event = event, .consumed = step->consumed, .body = step->data};
}

std::expected<void, ParseError> ResponseParser::finish(StreamEnd how) {
    saw_end_of_stream_ = true;
    if (error_) return std::unexpected(*error_);
    switch (state_) {
        case State::done: return {};
        case State::status_line:
            if (interim_count_ == 0 && head_.unfinished().empty() && !oddities_.any()) {
                error_ = ParseError::closed_before_message;
                break;
            }
            [[fallthrough]];
        case State::interim:
        case State::fields: error_ = ParseError::truncated_head; break;
        case State::body: {
            const auto finished = body_.finish(how);
            if (finished) {
                state_ = State::done;
                return {};
            }
            error_ = finished.error();
            break;
        }
    }
    return std::unexpected(*error_);
}

std::string_view ResponseParser::reason() const {
    if (reason_bytes_ == 0) return {};
    return head_.text().substr(kReasonOffset, reason_bytes_);
}

std::optional<std::uint64_t> ResponseParser::content_length() const {
    if (framing() != Framing::length) return std::nullopt;
    return body_.framing().length;
}

Oddities ResponseParser::oddities() const {
    Oddities all = oddities_;
    all.add(body_.oddities());
    return all;
}

bool ResponseParser::keep_alive() const {
    return is_complete() && !error_ && !saw_end_of_stream_ && framing() != Framing::until_close &&
           !oddities().any() && wants_keep_alive(headers_, minor_version_);
}

std::string ResponseParser::progress() const {
    if (state_ == State::body || state_ == State::done) return body_.progress();
    return fmt::format("{} bytes of a head", head_.text().size());
}

}  // namespace weft::http
