#include <fmt/format.h>

#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

Document room_list(const DemoPlace& place) {
    PageWriter page(place, "Rooms");
    page.text("One room for each thing that a crawl can get wrong.");
    page.link("/rooms/spellings.html", "One page, many spellings");
    page.link("/rooms/base/", "Links counted from elsewhere");
    page.link("/rooms/not-links.html", "What looks like a link");
    page.link("/rooms/media.html", "Pictures, frames and styles");
    page.link("/rooms/redirects.html", "Redirects");
    page.link("/rooms/broken.html", "Broken links");
    page.link("/rooms/downloads.html", "Documents that are no pages");
    page.link("/rooms/copies.html", "Copies");
    page.link("/rooms/manners.html", "What robots are asked to leave alone");
    page.link("/rooms/slow.html", "Late answers");
    return page.finish();
}

Document about_page(const DemoPlace& place) {
    PageWriter page(place, "About");
    page.text("The neighbours, each on an address of its own:");
    for (unsigned number = 1; const SiteHost& host : hosts()) {
        const std::string home = origin_of(*place.options, number++) + "/";
        if (&host != place.host) page.link(home, host.title);
    }
    page.link(fmt::format("http://127.0.0.9:{}/", place.options->port), "A house nobody lives in");
    page.markup(
        "<p><a href=\"mailto:nobody@example.com\">Write to nobody</a>, "
        "<a href=\"tel:+0000000\">call</a> or "
        "<a href=\"javascript:void(0)\">wave</a>.</p>\n");
    page.link("/private/", "The owner's desk");
    page.link("/calendar/2026-01.html", "The calendar");
    return page.finish();
}

}  // namespace

std::optional<Document> about(const DemoPlace& place) {
    if (place.path == "/rooms/") return room_list(place);
    if (place.path == "/about.html") return about_page(place);
    return std::nullopt;
}

}  // namespace weft::demo
