#include "archive/index/line_reader.h"

#include <algorithm>

namespace weft::archive {

namespace {
constexpr std::size_t kPieceBytes = 256_KiB;
}

LineReader::LineReader(aio::File& file, std::uint64_t offset)
    : file_(file), read_offset_(offset), offset_(offset) {}

std::optional<std::string_view> LineReader::next() {
    std::size_t searched = 0;
    for (;;) {
        const std::string_view rest = std::string_view(buffer_).substr(start_);
        const std::size_t end = rest.find('\n', searched);
        if (end != std::string_view::npos) {
            line_offset_ = offset_;
            const std::uint64_t dropped = std::exchange(dropped_, 0);
            offset_ += dropped + end + 1;
            start_ += end + 1;
            searched = 0;
            if (dropped == 0) return rest.substr(0, end + 1);
            continue;
        }
        // What was searched is not searched again, so that a long line costs linear time.
        searched = rest.size();
        if (rest.size() > kLineBytesMax) {
            // Drops what has been read of the line, so that memory stays bounded; its end is
            // skipped above.
            dropped_ += rest.size();
            start_ = buffer_.size();
            searched = 0;
        }
        if (!read_more()) return std::nullopt;
    }
}

bool LineReader::read_more() {
    buffer_.erase(0, start_);
    start_ = 0;
    const std::size_t size = buffer_.size();
    buffer_.resize(size + kPieceBytes);
    const std::size_t count = file_.read_at(read_offset_, std::span(buffer_).subspan(size));
    buffer_.resize(size + count);
    read_offset_ += count;
    return count > 0;
}

}  // namespace weft::archive
