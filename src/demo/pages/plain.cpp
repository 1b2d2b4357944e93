#include <fmt/format.h>

#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

// Page i links to pages 8i+1 to 8i+8, and to the one before it. All links are plain, so even a very
// simple parser finds all pages.
namespace weft::demo {

namespace {

constexpr unsigned kBranchCount = 8;

std::string plain_path(unsigned index) {
    return index == 0 ? "/" : fmt::format("/page/{}.html", index);
}

}  // namespace

std::optional<Document> plain_pages(const DemoPlace& place) {
    if (!place.query.empty()) return std::nullopt;
    std::optional<unsigned> index = number_between(place.path, "/page/", ".html");
    if (place.path == "/") index = 0;
    if (!index || *index >= place.options->page_count) return std::nullopt;
    if (place.path != plain_path(*index)) return std::nullopt;

    PageWriter page(place, fmt::format("Page {}", *index));
    page.prose(3);
    if (*index > 0) page.link(plain_path(*index - 1), "The page before");
    for (std::uint64_t child = std::uint64_t{*index} * kBranchCount + 1;
         child <= std::uint64_t{*index + 1} * kBranchCount && child < place.options->page_count;
         ++child) {
        page.link(plain_path(static_cast<unsigned>(child)), fmt::format("Page {}", child));
    }
    return page.finish();
}

}  // namespace weft::demo
