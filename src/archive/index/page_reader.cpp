#include "archive/index/page_reader.h"

#include "archive/index/line_reader.h"

namespace weft::archive {

DamagedLines read_page_lines(
    aio::File& file, const std::function<void(const Outcome&, std::string_view line)>& take) {
    DamagedLines damaged;
    std::uint64_t number = 0;
    LineReader lines(file);
    while (const auto line = lines.next()) {
        ++number;
        const auto entry = parse_page_line(*line);
        if (entry && is_sound(*entry)) {
            take(*entry, *line);
        } else if (number > 1 && damaged.count++ == 0) {
            // The first line is not counted: it names the format.
            damaged.first = number;
        }
    }
    return damaged;
}

DamagedLines read_pages(aio::File& file, const std::function<void(const Outcome&)>& take) {
    return read_page_lines(file, [&](const Outcome& entry, std::string_view) { take(entry); });
}

}  // namespace weft::archive
