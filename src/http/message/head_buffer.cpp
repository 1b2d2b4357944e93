#include "http/message/head_buffer.h"

#include <algorithm>
#include <utility>

#include "base/scan.h"
#include "base/units.h"

namespace weft::http {

namespace {

// One hostile head must not hold more memory than this for as long as its connection lives.
constexpr std::size_t kHeadKeptBytes = 16_KiB;

}  // namespace

std::expected<HeadBuffer::Line, ParseError> HeadBuffer::take_line(std::string_view& input) {
    const std::size_t line_bytes = text_.size() - line_start_;
    const std::size_t line_room = bounds_.line_bytes_max - line_bytes;
    const std::size_t block_room = bounds_.block_bytes_max - block_bytes_;
    // Only as much as both bounds allow is looked at, so the error comes at the same byte however
    // the input is cut.
    const std::string_view window = input.substr(0, std::min(line_room, block_room));
    const char* const begin = window.data();
    const char* const end = begin + window.size();

    // If the last input ended with a CR, its LF must come first now.
    const bool waits_for_lf = line_bytes > 0 && text_.back() == '\r';
    const char* hit = waits_for_lf ? begin : find_any<'\n', '\r', '\0'>(begin, end);
    bool has_cr = waits_for_lf;
    if (hit != end && *hit == '\r' && !waits_for_lf) {
        has_cr = true;
        ++hit;
    }
    if (hit != end && *hit != '\n') {
        return std::unexpected(has_cr ? ParseError::bare_cr : ParseError::nul_byte);
    }
    const bool is_whole = hit != end;
    const auto taken = static_cast<std::size_t>(hit - begin) + (is_whole ? 1 : 0);
    text_.append(begin, taken);
    block_bytes_ += taken;
    input.remove_prefix(taken);
    if (is_whole) {
        const std::size_t start = std::exchange(line_start_, text_.size());
        const std::size_t bytes = text_.size() - start - (has_cr ? 2 : 1);
        return Line{.is_whole = true, .has_cr = has_cr, .text = {text_.data() + start, bytes}};
    }
    // The window ended before the input did: a bound is reached.
    if (input.empty()) return Line{};
    return std::unexpected(line_room <= block_room ? bounds_.line_error : bounds_.block_error);
}

void HeadBuffer::forget() {
    text_.clear();
    line_start_ = 0;
    if (text_.capacity() > kHeadKeptBytes) text_.shrink_to_fit();
}

// A connection may live for a long time, so it does not keep the memory of its largest head.
void HeadBuffer::reset() {
    if (text_.capacity() > kHeadKeptBytes) text_ = {};
    forget();
    block_bytes_ = 0;
}

}  // namespace weft::http
