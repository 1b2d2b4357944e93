#include "http/message/chunked_body.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "http/message/field_line.h"

namespace weft::http {

namespace {

// 15 digits are below 2^60, so that neither the size nor sums of it overflow.
constexpr std::size_t kSizeDigitsMax = 15;

// Tabs are allowed: RFC 9112 calls them "bad whitespace" around an extension.
bool is_control(char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
}

}  // namespace

ChunkedBody::ChunkedBody()
    : field_count_max_(limits::kHeaderCountMax),
      size_line_({.line_bytes_max = limits::kChunkSizeLineBytesMax,
                  .block_bytes_max = limits::kChunkSizeLineBytesMax,
                  .line_error = ParseError::chunk_size_line_too_long,
                  .block_error = ParseError::chunk_size_line_too_long}),
      trailer_lines_({.line_bytes_max = limits::kTrailerBytesMax,
                      .block_bytes_max = limits::kTrailerBytesMax,
                      .line_error = ParseError::trailers_too_large,
                      .block_error = ParseError::trailers_too_large}) {}

void ChunkedBody::reset() {
    state_ = State::size;
    left_ = 0;
    has_cr_ = false;
    extension_bytes_ = 0;
    field_count_max_ = limits::kHeaderCountMax;
    size_line_.reset();
    trailer_lines_.reset();
    trailers_.clear();
    oddities_ = {};
}

std::expected<ChunkedBody::Step, ParseError> ChunkedBody::next(std::string_view input) {
    std::string_view rest = input;
    while (state_ != State::done) {
        if (state_ == State::data) {
            // Return at the first data: a step has one view, and the data stay where they are.
            const std::string_view piece = rest.substr(0, left_);
            if (piece.empty()) break;
            left_ -= piece.size();
            if (left_ == 0) state_ = State::data_end;
            rest.remove_prefix(piece.size());
            return Step{.consumed = input.size() - rest.size(), .data = piece};
        }
        const auto went_on = advance(rest);
        if (!went_on) return std::unexpected(went_on.error());
        if (!*went_on) break;
    }
    return Step{.consumed = input.size() - rest.size(), .done = state_ == State::done};
}

// Reads one line, or the CRLF after a chunk. False if the input ran out first.
std::expected<bool, ParseError> ChunkedBody::advance(std::string_view& input) {
    if (state_ == State::data_end) {
        // CR and LF may come in different inputs; has_cr_ remembers the CR.
        for (; !input.empty(); input.remove_prefix(1)) {
            if (input.front() != (has_cr_ ? '\n' : '\r')) {
                return std::unexpected(ParseError::bad_chunk_end);
            }
            if (has_cr_) {
                input.remove_prefix(1);
                has_cr_ = false;
                state_ = State::size;
                return true;
            }
            has_cr_ = true;
        }
        return false;
    }
    HeadBuffer& lines = state_ == State::size ? size_line_ : trailer_lines_;
    const auto line = lines.take_line(input);
    if (!line) return std::unexpected(line.error());
    if (!line->is_whole) return false;
    // Unlike in heads, a bare LF is an error: this line decides a length (H22, H26).
    if (!line->has_cr) return std::unexpected(ParseError::bare_lf);
    const auto read =
        state_ == State::size ? read_size_line(line->text) : read_trailer_line(line->text);
    if (!read) return std::unexpected(read.error());
    return true;
}

std::expected<void, ParseError> ChunkedBody::read_size_line(std::string_view text) {
    std::size_t digits = 0;
    std::uint64_t size = 0;
    while (digits < text.size() && is_hex_digit(text[digits])) {
        if (digits == kSizeDigitsMax) return std::unexpected(ParseError::bad_chunk_size);
        size = size << 4 | static_cast<std::uint64_t>(hex_value(text[digits]));
        ++digits;
    }
    if (digits == 0) return std::unexpected(ParseError::bad_chunk_size);
    text.remove_prefix(digits);

    if (!text.empty()) {
        const std::size_t extension = text.find_first_not_of(" \t");
        if (extension == std::string_view::npos) {
            oddities_.add(Oddity::padded_chunk_size);
        } else if (text[extension] != ';' || std::ranges::any_of(text, is_control)) {
            return std::unexpected(ParseError::bad_chunk_size);
        }
        // Counted over all chunks: a body of tiny chunks with long extensions is mostly extensions.
        extension_bytes_ += text.size();
        if (extension_bytes_ > limits::kChunkExtensionBytesMax) {
            return std::unexpected(ParseError::chunk_extensions_too_large);
        }
    }
    // Each size line has a bound of its own; only extensions add up.
    size_line_.reset();
    left_ = size;
    state_ = size > 0 ? State::data : State::trailers;
    return {};
}

std::expected<void, ParseError> ChunkedBody::read_trailer_line(std::string_view line) {
    if (line.empty()) {
        state_ = State::done;
        return {};
    }
    // Trailers are read by the strict rules, also those of responses.
    if (trailers_.size() >= field_count_max_) return std::unexpected(ParseError::too_many_fields);
    return read_field(line, Rules::strict, trailers_, oddities_);
}

}  // namespace weft::http
