#include <fmt/format.h>

#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

Document manners_page(const DemoPlace& place) {
    PageWriter page(place, "What robots are asked to leave alone");
    page.link("/private/", "Kept out by robots.txt");
    page.link("/private/diary.html", "Kept out too");
    page.link("/private/open/letter.html", "Allowed again by a longer rule");
    page.link("/rooms/meta-nofollow.html", "A page that says nofollow");
    page.link("/rooms/noindex.html", "A page that says noindex");
    page.link("/rooms/header-noindex.html", "A page whose header says noindex");
    page.markup(
        "<p><a rel=\"external nofollow\" href=\"/rooms/unfollowed.html\">A link that "
        "says nofollow</a></p>\n");
    return page.edge("/rooms/unfollowed.html", Reach::rel_nofollow).finish();
}

std::string meta_robots(std::string_view content) {
    return fmt::format("<meta name=\"robots\" content=\"{}\">\n", content);
}

Document nofollow_page(const DemoPlace& place) {
    PageWriter page(place, "A page that says nofollow");
    page.head(meta_robots("nofollow")).link("/rooms/behind-meta.html", "Not to be followed");
    Document document = page.finish();
    // The page's nofollow applies to all its links, the navigation included.
    for (Edge& edge : document.edges) {
        if (edge.reach == Reach::link) edge.reach = Reach::nofollow;
    }
    return document;
}

}  // namespace

std::optional<Document> robots_txt(const DemoPlace& place) {
    if (place.path != "/robots.txt") return std::nullopt;
    const SiteHost& host = *place.host;
    if (host.robots_status != 200) {
        return error_page(place, host.robots_status, "No rules here.");
    }
    std::string text = "# Rules for everybody.\nUser-agent: *\n";
    for (const std::string_view path : host.disallow) text += fmt::format("Disallow: {}\n", path);
    for (const std::string_view path : host.allow) text += fmt::format("Allow: {}\n", path);
    // An empty Disallow allows everything.
    if (host.disallow.empty()) text += "Disallow:\n";
    if (host.crawl_delay_s > 0) text += fmt::format("Crawl-delay: {}\n", host.crawl_delay_s);
    Document document;
    if (!host.sitemap.empty()) {
        text += fmt::format("\nSitemap: {}{}\n", place.origin(), host.sitemap);
        document.edges.push_back({std::string(host.sitemap), Reach::sitemap});
    }
    document.type = "text/plain; charset=utf-8";
    document.body = std::move(text);
    return document;
}

std::optional<Document> manners(const DemoPlace& place) {
    const std::string& path = place.path;
    if (path == "/rooms/manners.html") return manners_page(place);
    if (path == "/rooms/meta-nofollow.html") return nofollow_page(place);
    if (path == "/rooms/noindex.html") {
        return PageWriter(place, "A page that says noindex")
            .head(meta_robots("noindex"))
            .prose(1)
            .finish();
    }
    if (path == "/rooms/header-noindex.html") {
        Document document = PageWriter(place, "Header").prose(1).finish();
        document.headers.emplace_back("X-Robots-Tag", "noindex");
        return document;
    }
    if (path == "/private/") {
        return PageWriter(place, "Private").link("/private/drawer.html", "The drawer").finish();
    }
    for (const std::string_view known :
         {"/private/diary.html", "/private/drawer.html", "/private/open/letter.html",
          "/rooms/unfollowed.html", "/rooms/behind-meta.html"}) {
        if (path == known) return PageWriter(place, "A quiet page").prose(1).finish();
    }
    return std::nullopt;
}

}  // namespace weft::demo
