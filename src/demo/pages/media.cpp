#include <fmt/format.h>

#include "base/hash.h"
#include "demo/server/image.h"
#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

constexpr std::string_view kStyle = R"(@import "/print.css" print;
body {
    max-width: 44em;
    margin: 2em auto;
    padding: 0 1em;
    font: 1.05em/1.6 Georgia, serif;
    color: #2b2b2b;
    background: linear-gradient(#fbf8f1f2, #fbf8f1f2), url("/images/paper.png");
}
nav { border-bottom: 1px solid #d8cfbc; padding-bottom: .5em }
nav a { margin-right: 1em; color: #27496d }
h1, h2 { font-weight: normal; color: #b5532a }
figure { float: right; margin: 0 0 1em 1em; background: url('images/frame.png') }
p.link { margin: .2em 0 }
footer { margin-top: 3em; font-size: .85em; color: #777 }
/* nothing here: url(/never/in-css-comment.png) */
)";

constexpr std::string_view kScript = R"(// Nothing to follow: a crawler does not run this.
const target = "/never/in-script-file.html";
document.documentElement.dataset.ready = "yes";
)";

Document media_page(const DemoPlace& place) {
    PageWriter page(place, "Pictures, frames and styles");
    page.head(
        "<link rel=\"icon\" href=\"/images/logo.svg\">\n<script src=\"/script.js\"></script>\n");
    page.edge("/images/logo.svg", Reach::asset).edge("/script.js", Reach::asset);
    page.markup(
        "<img src=\"/images/only-here.png\" alt=\"\"\n"
        "  srcset=\"/images/small.png 480w, /images/large.png 1080w\">\n"
        "<picture><source srcset=\"/images/wide.png 2x\"><img src=/images/narrow.png></picture>\n"
        "<video poster=\"/images/poster.png\"></video>\n"
        "<iframe src=\"framed.html\"></iframe>\n");
    for (const std::string_view name :
         {"only-here", "small", "large", "wide", "narrow", "poster"}) {
        page.edge(fmt::format("/images/{}.png", name), Reach::asset);
    }
    return page.edge("/rooms/framed.html", Reach::asset).finish();
}

Document style_sheet() {
    Document document = file("text/css; charset=utf-8", std::string(kStyle));
    for (const std::string_view target : {"/print.css", "/images/paper.png", "/images/frame.png"}) {
        document.edges.push_back({std::string(target), Reach::style});
    }
    return document;
}

}  // namespace

std::optional<Document> media(const DemoPlace& place) {
    if (place.path == "/rooms/media.html") return media_page(place);
    if (place.path == "/rooms/framed.html") {
        return PageWriter(place, "Framed")
            .link("/rooms/in-frame.html", "From inside a frame")
            .finish();
    }
    if (place.path == "/rooms/in-frame.html") return PageWriter(place, "Out").prose(1).finish();
    if (place.path == "/style.css") return style_sheet();
    if (place.path == "/print.css") return file("text/css", "nav, footer { display: none }\n");
    if (place.path == "/script.js") return file("text/javascript", std::string(kScript));
    if (place.path == "/images/logo.svg") return file("image/svg+xml", logo_svg());
    // A broken image, for broken.cpp. All other images exist.
    if (place.path == "/images/missing.png") return std::nullopt;
    if (place.path.starts_with("/images/") && place.path.ends_with(".png")) {
        return file("image/png", weave_png(hash64(place.path, place.options->seed)));
    }
    return std::nullopt;
}

}  // namespace weft::demo
