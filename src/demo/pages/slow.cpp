#include <fmt/format.h>

#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

constexpr unsigned kSlowCount = 9;
constexpr unsigned kSlowCountOfAGuest = 3;  // On hosts other than the slow site.

}  // namespace

std::optional<Document> slow_pages(const DemoPlace& place) {
    const bool is_home = place.host->crawl_delay_s > 0;
    const unsigned count = is_home ? kSlowCount : kSlowCountOfAGuest;
    if (place.path == (is_home ? "/" : "/rooms/slow.html")) {
        PageWriter page(place, "Late answers");
        for (unsigned i = 1; i <= count; ++i) {
            page.link(fmt::format("/slow/{}.html", i), fmt::format("Slow page {}", i));
        }
        return page.finish();
    }
    const auto index = number_between(place.path, "/slow/", ".html");
    if (!index || *index < 1 || *index > count) return std::nullopt;
    Document document = PageWriter(place, fmt::format("Slow page {}", *index)).prose(2).finish();
    // Once, twice or three times the delay.
    document.delay = place.options->slow_delay * (1 + *index % 3);
    return document;
}

}  // namespace weft::demo
