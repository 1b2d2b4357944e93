#include "archive/page_reader.h"

#include "archive/line_reader.h"

namespace weft::archive {

void read_page_lines(aio::File& file,
                     const std::function<void(const PageEntry&, std::string_view line)>& take) {
    LineReader lines(file);
    while (const auto line = lines.next()) {
        if (const auto entry = parse_page_line(*line)) take(*entry, *line);
    }
}

void read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take) {
    read_page_lines(file, [&](const PageEntry& entry, std::string_view) { take(entry); });
}

}  // namespace weft::archive
