#include <array>

#include <fmt/format.h>

#include "base/escape.h"
#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

// A redirect. In its texts {0} is the host's own origin, {1} that of the plain site. `target` is
// the URL that `location` means; empty: the same text.
struct Turn {
    std::string_view path;
    int status;
    std::string_view location;
    std::string_view target = {};
    bool is_linked = true;  // It is in the list of redirects; others are only targets of redirects.
};

constexpr auto kTurns = std::to_array<Turn>({
    {"/go/301", 301, "/landed/301.html"},
    {"/go/302", 302, "/landed/302.html"},
    {"/go/303", 303, "/landed/303.html"},
    {"/go/307", 307, "/landed/307.html"},
    {"/go/308", 308, "/landed/308.html"},
    {"/go/relative", 302, "../landed/relative.html", "/landed/relative.html"},
    {"/go/absolute", 302, "{0}/landed/absolute.html", "/landed/absolute.html"},
    {"/go/fragment/1", 302, "/landed/leaf.html#f1", "/landed/leaf.html"},
    {"/go/fragment/2", 302, "/landed/leaf.html#f2", "/landed/leaf.html"},
    {"/go/meet/a", 301, "/landed/meeting.html"},
    {"/go/meet/b", 302, "/landed/meeting.html"},
    {"/go/chain/1", 301, "/go/chain/2"},
    {"/go/chain/2", 302, "3", "/go/chain/3", false},
    {"/go/chain/3", 307, "/go/chain/4", {}, false},
    {"/go/chain/4", 308, "/landed/chain.html", {}, false},
    {"/go/loop/a", 302, "/go/loop/b"},
    {"/go/loop/b", 302, "/go/loop/a", {}, false},
    {"/go/self", 302, "/go/self"},
    {"/go/nowhere", 301, "/lost/behind-a-redirect.html"},
    {"/go/away", 302, "{1}/", "{1}/"},
});

constexpr unsigned kLongCount = 12;  // More than some clients allow, fewer than browsers do.

Document turn(const DemoPlace& place, const Turn& turn) {
    const std::string origin = place.origin();
    const std::string plain = origin_of(*place.options, 2);
    const std::string location = fmt::format(fmt::runtime(turn.location), origin, plain);
    const std::string_view target = turn.target.empty() ? turn.location : turn.target;
    return redirect(turn.status, location, fmt::format(fmt::runtime(target), origin, plain));
}

bool is_crossroads(const DemoPlace& place) {
    return place.host->name == "127.0.0.5";
}

Document turn_list(const DemoPlace& place) {
    PageWriter page(place, "Redirects");
    for (const Turn& turn : kTurns) {
        if (turn.is_linked) page.link(turn.path, turn.path);
    }
    if (is_crossroads(place)) {
        page.link("/go/long/1", "A long way");
        page.link("/go/refresh.html", "A page that moves on by itself");
    }
    return page.finish();
}

std::optional<Document> long_way(const DemoPlace& place) {
    if (place.path == "/go/refresh.html") {
        PageWriter page(place, "Moving on");
        page.head("<meta http-equiv=\"refresh\" content=\"2; url=../landed/refresh.html\">\n");
        return page.edge("/landed/refresh.html").finish();
    }
    const auto step = number_between(place.path, "/go/long/", "");
    if (!step || *step < 1 || *step > kLongCount) return std::nullopt;
    const std::string next =
        *step < kLongCount ? fmt::format("/go/long/{}", *step + 1) : "/landed/long.html";
    return redirect(302, next, next);
}

}  // namespace

std::optional<Document> crossroads(const DemoPlace& place) {
    if (!place.query.empty()) return std::nullopt;
    if (place.path == (is_crossroads(place) ? "/" : "/rooms/redirects.html")) {
        return turn_list(place);
    }
    for (const Turn& candidate : kTurns) {
        if (place.path == candidate.path) return turn(place, candidate);
    }
    if (is_crossroads(place)) {
        if (std::optional<Document> document = long_way(place)) return document;
    }
    if (place.path.starts_with("/landed/") && place.path.ends_with(".html")) {
        return PageWriter(place, "Landed").prose(1).finish();
    }
    return std::nullopt;
}

}  // namespace weft::demo
