#include "archive/page_reader.h"

#include "archive/line_reader.h"

namespace weft::archive {

void read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take) {
    LineReader lines(file);
    while (const auto line = lines.next()) {
        if (const auto entry = parse_page_line(*line)) take(*entry);
    }
}

}  // namespace weft::archive
