#include <array>

#include <fmt/format.h>

#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

struct Failure {
    std::string_view path;
    int status;
    std::string_view words;
};

constexpr auto kFailures = std::to_array<Failure>({
    {"/failing/401.html", 401, "Say who you are."},
    {"/failing/403.html", 403, "Not for you."},
    {"/failing/404.html", 404, "Never was."},
    {"/failing/410.html", 410, "Was, and is gone."},
    {"/failing/500.html", 500, "Something broke."},
    {"/failing/502.html", 502, "Something behind this broke."},
});

}  // namespace

std::optional<Document> broken(const DemoPlace& place) {
    if (place.path == "/rooms/broken.html" || place.path == "/rooms/broken-too.html") {
        PageWriter page(place, "Broken links");
        for (const Failure& failure : kFailures) page.link(failure.path, failure.words);
        page.link("/rooms/broken-too.html", "Another page with the same links");
        page.edge("/images/missing.png", Reach::asset);
        page.markup("<p><img src=\"/images/missing.png\" alt=\"missing\"></p>\n");
        return page.finish();
    }
    for (const Failure& failure : kFailures) {
        if (place.path == failure.path) return error_page(place, failure.status, failure.words);
    }
    return std::nullopt;
}

}  // namespace weft::demo
