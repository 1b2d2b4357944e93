#include "archive/page_reader.h"

#include "base/units.h"

namespace weft::archive {

namespace {
constexpr std::size_t kPieceBytes = 256_KiB;
constexpr std::size_t kLineBytesMax = 64_MiB;  // A page with its text and links is far smaller.
}  // namespace

void read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take) {
    std::string piece(kPieceBytes, '\0');
    std::string rest;
    for (std::uint64_t offset = 0;;) {
        const std::size_t count = file.read_at(offset, piece);
        if (count == 0) return;
        offset += count;
        std::string_view text(piece.data(), count);
        for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
            rest += text.substr(0, end);
            text.remove_prefix(end + 1);
            if (const auto entry = parse_page_line(rest)) take(*entry);
            rest.clear();
        }
        rest += text;
        if (rest.size() > kLineBytesMax) rest.clear();
    }
}

}  // namespace weft::archive
