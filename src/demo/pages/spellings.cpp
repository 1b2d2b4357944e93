#include <array>

#include <fmt/format.h>

#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

// Spellings of /rooms/one.html on a page in /rooms/. {0} is the host and port, {1} the port alone.
// By the WHATWG URL standard, numbers and short forms of an IPv4 address are the same host.
constexpr auto kSpellings = std::to_array<std::string_view>({
    "/rooms/one.html",
    "one.html",
    "./one.html",
    "../rooms/one.html",
    "../../../rooms/one.html",
    "/rooms/./one.html",
    "/rooms/elsewhere/../one.html",
    "/rooms/%2e/one.html",
    "/rooms/elsewhere/%2E%2e/one.html",
    "/rooms/%6Fne.html",
    "/rooms/%6fne%2Ehtml",
    "//{0}/rooms/one.html",
    "http://{0}/rooms/one.html",
    "HTTP://{0}/rooms/one.html",
    "Http:/rooms/one.html",
    "http://127.1:{1}/rooms/one.html",
    "http://127.0.0.1.:{1}/rooms/one.html",
    "http://2130706433:{1}/rooms/one.html",
    "http://0x7f.0.0.1:{1}/rooms/one.html",
    "http://127.0.0.1:0{1}/rooms/one.html",
    "\\rooms\\one.html",
    "  /rooms/one.html  ",
    "/rooms/\n\tone.html",
    "/rooms/one.html#top",
    "/rooms/one.html#",
    "one.html#a?b=1",
    "&#47;rooms&#x2F;one.html",
    "&sol;rooms/one&period;html",
});

// Whole elements, to vary quotes and letter case.
constexpr auto kElements = std::to_array<std::string_view>({
    "<A HREF=one.html>unquoted</A>",
    "<a href='one.html'>single quotes</a>",
    "<a\n  class=x\n  href = \"one.html\"\n>white space</a>",
    "<a href=\"one.html\" href=\"/never/second-href.html\">the first of two</a>",
    "<a title=\"a > b\" href=\"one.html\">a bracket in a value</a>",
    "<map name=m><area shape=rect coords=0,0,9,9 href=one.html alt=one></map>",
});

Document spelling_page(const DemoPlace& place) {
    PageWriter page(place, "One page, many spellings");
    page.text("Every link in this part means the same page.");
    const std::string authority = place.origin().substr(std::string_view("http://").size());
    for (const std::string_view spelling : kSpellings) {
        page.link_as(fmt::format(fmt::runtime(spelling), authority, place.options->port),
                     "/rooms/one.html", "One");
    }
    for (const std::string_view element : kElements) {
        page.markup(fmt::format("<p>{}</p>\n", element)).edge("/rooms/one.html");
    }
    page.text("These mean another one, with a query:");
    for (const std::string_view href : {"two.html?a=1&amp;b=2", "two.html?a=1&b=2",
                                        "two.html?a=1&#38;b=2", "two.html?a=1&b=2#part"}) {
        page.link_as(href, "/rooms/two.html?a=1&b=2", "Two");
    }
    page.text("And these a third, whose name has to be written with escapes:");
    for (const std::string_view href : {"caf\xC3\xA9 noir.html", "caf%C3%A9%20noir.html",
                                        "caf%c3%a9%20noir.html", "caf&eacute; noir.html"}) {
        page.link_as(href, "/rooms/caf%C3%A9%20noir.html", "Three");
    }
    return page.finish();
}

}  // namespace

std::optional<Document> spellings(const DemoPlace& place) {
    if (place.path == "/rooms/spellings.html") return spelling_page(place);
    if (place.target() == "/rooms/one.html") return PageWriter(place, "One").prose(1).finish();
    if (place.target() == "/rooms/two.html?a=1&b=2")
        return PageWriter(place, "Two").prose(1).finish();
    if (place.path == "/rooms/is-a-link.html") return PageWriter(place, "Real").prose(1).finish();
    if (place.path == "/rooms/caf%C3%A9%20noir.html") {
        return PageWriter(place, "Caf\xC3\xA9 noir").prose(1).finish();
    }
    return std::nullopt;
}

std::optional<Document> base_href(const DemoPlace& place) {
    if (place.path == "/rooms/base/") {
        PageWriter page(place, "Links counted from elsewhere");
        // HTML uses only the first <base>. The links of the navigation begin with a slash, so it
        // does not affect them.
        page.head("<base href=\"deep/er/\">\n<base href=\"/never/\">\n");
        page.link_as("near.html", "/rooms/base/deep/er/near.html", "Near");
        page.link_as("../far.html", "/rooms/base/deep/far.html", "Far");
        return page.finish();
    }
    if (place.path == "/rooms/base/deep/er/near.html" ||
        place.path == "/rooms/base/deep/far.html") {
        return PageWriter(place, "Counted rightly").prose(1).finish();
    }
    return std::nullopt;
}

std::optional<Document> not_links(const DemoPlace& place) {
    if (place.path.starts_with(kNeverPrefix)) {
        return PageWriter(place, "Nobody should be here")
            .text("No link leads to this address; a parser made one up.")
            .finish();
    }
    if (place.path != "/rooms/not-links.html") return std::nullopt;
    PageWriter page(place, "What looks like a link");
    page.head("<style>/* <a href=\"/never/in-style.html\"> */</style>\n");
    page.markup(
        "<!-- <a href=\"/never/in-comment.html\">comment</a> -->\n"
        "<!-- > <a href='/never/in-long-comment.html'> -- > -->\n"
        "<script>document.write('<a href=\"/never/in-script.html\">script</a>');</script>\n"
        "<script>/* <!-- <script> */ var a = \"<a href='/never/in-escaped-script.html'>\";\n"
        "// </script> --></script>\n"
        "<textarea><a href=\"/never/in-textarea.html\">form text</a></textarea>\n"
        "<p title='<a href=\"/never/in-attribute.html\">'>in an attribute</p>\n"
        "<p data-href=\"/never/data-href.html\">data</p>\n"
        "<p>&lt;a href=\"/never/in-text.html\"&gt;</p>\n"
        "<p href=\"/never/on-a-paragraph.html\">no anchor</p>\n"
        "<p><a name=\"anchor\">no href</a> <a href=\"#anchor\">this page</a></p>\n"
        "<p><a href=\"mailto:nobody@example.com\">mail</a> "
        "<a href=\"javascript:location='/never/by-script.html'\">script</a> "
        "<a href=\"data:text/html,%3Ca%20href='/never/data.html'%3E\">data</a> "
        "<a href=\"ftp://127.0.0.1/never/ftp.txt\">ftp</a></p>\n"
        "<p><a href=\"http://\">no host</a> <a href=\"http://127.0.0.1:99999/\">no port</a></p>\n");
    page.edge("/rooms/not-links.html");
    page.link("/rooms/is-a-link.html", "This one is real");
    return page.finish();
}

}  // namespace weft::demo
