#include "http/head_buffer.h"

#include <algorithm>

#include "base/units.h"

namespace weft::http {

namespace {

// One hostile head must not pin more than this for the rest of its connection's life.
constexpr std::size_t kKeptBytes = 16_KiB;

}  // namespace

std::expected<std::string_view, ParseError> HeadBuffer::take_line(std::string_view& input) {
    const std::size_t line_room = bounds_.line_bytes_max - unfinished().size();
    const std::size_t block_room = bounds_.block_bytes_max - block_bytes_;
    const std::size_t room = std::min(line_room, block_room);

    const std::string_view window = input.substr(0, room);
    const std::size_t line_feed = window.find('\n');
    const bool ends = line_feed != std::string_view::npos;
    const std::size_t taken = ends ? line_feed + 1 : window.size();
    text_.append(window.substr(0, taken));
    block_bytes_ += taken;
    input.remove_prefix(taken);

    if (ends) {
        const std::string_view line = unfinished();
        line_start_ = text_.size();
        return line;
    }
    if (input.empty()) return std::string_view();
    return std::unexpected(line_room <= block_room ? bounds_.line_error : bounds_.block_error);
}

void HeadBuffer::forget() {
    text_.clear();
    line_start_ = 0;
    if (text_.capacity() > kKeptBytes) text_.shrink_to_fit();
}

void HeadBuffer::reset() {
    forget();
    block_bytes_ = 0;
}

}  // namespace weft::http
