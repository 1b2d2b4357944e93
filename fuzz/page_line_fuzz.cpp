// A line of a page log, which may come from somebody else's folder: read or passed over, and what
// was read is written and read again as the same, once bytes that are no UTF-8 are replaced.
#include "archive/index/outcome.h"
#include "fuzz/cuts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const fuzz::Piece line({reinterpret_cast<const char*>(data), size});
    const auto entry = archive::parse_page_line(line.view());
    if (!entry) return 0;
    const std::string written = archive::to_json_line(*entry);
    fuzz::require(written.ends_with('\n') && written.find('\n') == written.size() - 1);
    const auto again = archive::parse_page_line(written);
    fuzz::require(again.has_value());
    const std::string settled = archive::to_json_line(*again);
    fuzz::require(archive::to_json_line(archive::parse_page_line(settled).value()) == settled);
    return 0;
}
