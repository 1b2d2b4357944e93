#include "archive/page_reader.h"

#include <string>

#include "base/units.h"

namespace weft::archive {

namespace {
constexpr std::size_t kPieceBytes = 256_KiB;
constexpr std::size_t kLineBytesMax = 64_MiB;  // A page with its text and links is far smaller.
}  // namespace

void read_page_lines(aio::File& file,
                     const std::function<void(const PageEntry&, std::string_view line)>& take) {
    std::string piece(kPieceBytes, '\0');
    std::string rest;
    for (std::uint64_t offset = 0;;) {
        const std::size_t count = file.read_at(offset, piece);
        if (count == 0) return;
        offset += count;
        std::string_view text(piece.data(), count);
        for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
            rest += text.substr(0, end + 1);
            text.remove_prefix(end + 1);
            const std::string_view line = std::string_view(rest).substr(0, rest.size() - 1);
            if (const auto entry = parse_page_line(line)) take(*entry, rest);
            rest.clear();
        }
        rest += text;
        if (rest.size() > kLineBytesMax) rest.clear();
    }
}

void read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take) {
    read_page_lines(file, [&](const PageEntry& entry, std::string_view) { take(entry); });
}

}  // namespace weft::archive
