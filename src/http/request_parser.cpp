#include "http/request_parser.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "http/field_line.h"

namespace weft::http {

namespace {

// Refuses at the first byte what cannot become a request line, such as a TLS greeting.
std::expected<void, ParseError> check_first_byte(std::string_view seen, std::string_view input) {
    if (!seen.empty() || input.empty()) return {};
    const char first = input.front();
    if (first == 0x16 || first == 0x15) return std::unexpected(ParseError::tls_record);
    if (first != '\r' && !is_token_byte(first)) {
        return std::unexpected(ParseError::bad_request_line);
    }
    return {};
}

}  // namespace

RequestParser::RequestParser()
    : head_({.line_bytes_max = limits::kHeaderLineBytesMax,
             .block_bytes_max = limits::kHeaderBlockBytesMax,
             .line_error = ParseError::line_too_long,
             .block_error = ParseError::header_block_too_large}) {}

void RequestParser::start() {
    state_ = State::request_line;
    error_.reset();
    minor_version_ = 0;
    method_bytes_ = 0;
    target_bytes_ = 0;
    head_.reset();
    headers_.clear();
    body_.start({}, 0);
}

std::expected<RequestParser::Step, ParseError> RequestParser::next(std::string_view input) {
    if (error_) return std::unexpected(*error_);
    auto step = advance(input);
    if (!step) error_ = step.error();
    return step;
}

std::expected<RequestParser::Step, ParseError> RequestParser::advance(std::string_view input) {
    if (state_ == State::done) return Step{.event = Event::end};
    if (state_ != State::body) return read_head(input);
    const auto step = body_.next(input);
    if (!step) return std::unexpected(step.error());
    if (body_.is_done()) state_ = State::done;
    Event event = step->done ? Event::end : Event::need_more;
    if (!step->data.empty()) event = Event::body;
    return Step{.event = event, .consumed = step->consumed, .body = step->data};
}

std::expected<RequestParser::Step, ParseError> RequestParser::read_head(std::string_view input) {
    std::string_view rest = input;
    while (true) {
        if (state_ == State::request_line) {
            const auto checked = check_first_byte(head_.unfinished(), rest);
            if (!checked) return std::unexpected(checked.error());
        }
        const auto line = head_.take_line(rest);
        if (!line) return std::unexpected(line.error());
        if (line->empty()) return Step{.event = Event::need_more, .consumed = input.size()};
        const auto ends = read_head_line(*line);
        if (!ends) return std::unexpected(ends.error());
        if (!*ends) continue;
        const auto ended = end_head();
        if (!ended) return std::unexpected(ended.error());
        return Step{.event = Event::head, .consumed = input.size() - rest.size()};
    }
}

// True when the line was the empty one that ends the head.
std::expected<bool, ParseError> RequestParser::read_head_line(std::string_view line) {
    Oddities none;
    const auto stripped = strip_line_end(line, Rules::strict, none);
    if (!stripped) return std::unexpected(stripped.error());
    if (state_ == State::request_line) {
        if (stripped->empty()) {
            head_.forget();
            return false;
        }
        const auto read = read_request_line(*stripped);
        if (!read) return std::unexpected(read.error());
        state_ = State::fields;
        return false;
    }
    if (stripped->empty()) return true;
    const auto read = read_field(*stripped, Rules::strict, headers_, none);
    if (!read) return std::unexpected(read.error());
    if (headers_.size() > limits::kHeaderCountMax) {
        return std::unexpected(ParseError::too_many_fields);
    }
    return false;
}

std::expected<void, ParseError> RequestParser::read_request_line(std::string_view line) {
    const auto is_visible = [](char c) { return c > 0x20 && c < 0x7F; };
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return std::unexpected(ParseError::bad_request_line);
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, second - first - 1);
    const std::string_view version = line.substr(second + 1);
    if (method.empty() || !std::ranges::all_of(method, is_token_byte) || target.empty() ||
        !std::ranges::all_of(target, is_visible) || !version.starts_with("HTTP/")) {
        return std::unexpected(ParseError::bad_request_line);
    }
    if (version.size() != 8 || !version.starts_with("HTTP/1.") || !is_digit(version[7])) {
        return std::unexpected(ParseError::bad_version);
    }
    method_bytes_ = method.size();
    target_bytes_ = target.size();
    minor_version_ = version[7] == '0' ? 0 : 1;
    return {};
}

std::expected<void, ParseError> RequestParser::end_head() {
    const auto host_count = std::ranges::distance(headers_.get_all("host"));
    if (host_count > 1 || (host_count == 0 && minor_version_ > 0)) {
        return std::unexpected(ParseError::bad_host);
    }
    auto framing = request_framing(headers_, minor_version_);
    if (!framing) return std::unexpected(framing.error());
    body_.start(*std::move(framing), limits::kHeaderCountMax - headers_.size());
    state_ = body_.is_done() ? State::done : State::body;
    return {};
}

std::expected<void, ParseError> RequestParser::finish() {
    if (error_) return std::unexpected(*error_);
    switch (state_) {
        case State::done: return {};
        case State::request_line:
            error_ = head_.unfinished().empty() ? ParseError::closed_before_message
                                                : ParseError::truncated_head;
            break;
        case State::fields: error_ = ParseError::truncated_head; break;
        case State::body: error_ = ParseError::truncated_body; break;
    }
    return std::unexpected(*error_);
}

std::string_view RequestParser::target() const {
    if (target_bytes_ == 0) return {};
    return head_.text().substr(method_bytes_ + 1, target_bytes_);
}

std::optional<std::uint64_t> RequestParser::content_length() const {
    if (framing() != Framing::length) return std::nullopt;
    return body_.framing().length;
}

bool RequestParser::keep_alive() const {
    return is_complete() && !error_ && wants_keep_alive(headers_, minor_version_);
}

}  // namespace weft::http
