#include <array>

#include <fmt/format.h>

#include "demo/server/packed.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

// Responses that have stopped or fooled crawlers. Each page of this part except the first is a
// named case. A crawler that survives also finds /hostile/after-*.html.
namespace weft::demo {

namespace {

using namespace std::string_literals;

Document plain(const DemoPlace& place) {
    return PageWriter(place, place.path).prose(2).finish();
}

Document no_location(const DemoPlace&) {
    Document document = file("text/plain", "Somewhere else.\n");
    document.status = 302;
    return document;
}

Document empty_location(const DemoPlace& place) {
    return redirect(302, "", place.path);  // An empty reference means the page itself.
}

Document bad_location(const DemoPlace&) {
    return redirect(302, "http://[::1/x", "");
}

Document cut_short(const DemoPlace& place) {
    Document document = plain(place);
    document.behaviour = Behaviour::cut_short;
    return document;
}

Document cut_chunks(const DemoPlace& place) {
    Document document = plain(place);
    document.behaviour = Behaviour::cut_chunks;
    return document;
}

Document bad_charset(const DemoPlace& place) {
    PageWriter page(place, "Not UTF-8");
    // A truncated sequence, bytes that UTF-8 never has, a surrogate, and a five-byte form.
    page.markup("<p>\xC3( \xFF\xFE \xED\xA0\x80 \xF8\x88\x80</p>\n");
    return page.link("/hostile/after-charset.html", "After it").finish();
}

Document unknown_charset(const DemoPlace& place) {
    Document document = PageWriter(place, "No such charset")
                            .link("/hostile/after-unknown-charset.html", "After it")
                            .finish();
    document.type = "text/html; charset=x-loom-8";
    return document;
}

Document bad_links(const DemoPlace& place) {
    PageWriter page(place, "Links that are no URLs");
    page.markup(
        "<p><a href=\"http://[::1/x\">bracket</a> <a href=\"http://a:b:c/\">port</a>\n"
        "<a href=\"//\">nothing</a> <a href=\"http://%00/\">nul</a>\n"
        "<a href=\"http://127.0.0.1.example..com:x/\">dots</a></p>\n");
    page.markup(fmt::format("<p><a href=\"/{}\">long</a></p>\n", std::string(100'000, 'a')));
    return page.link("/hostile/after-links.html", "After them").finish();
}

Document bad_gzip(const DemoPlace& place) {
    Document document = plain(place);
    document.body = gzip(document.body);
    // The first half can be decoded.
    document.body.replace(document.body.size() / 2, 8, "not gzip");
    document.headers.emplace_back("Content-Encoding", "gzip");
    return document;
}

Document false_gzip(const DemoPlace& place) {
    Document document = plain(place);
    document.headers.emplace_back("Content-Encoding", "gzip");
    return document;
}

Document silent(const DemoPlace& place) {
    Document document = plain(place);
    document.behaviour = Behaviour::silent;
    return document;
}

Document hang_up(const DemoPlace& place) {
    Document document = plain(place);
    document.behaviour = Behaviour::hang_up;
    return document;
}

Document drip(const DemoPlace& place) {
    Document document = plain(place);
    document.behaviour = Behaviour::drip;
    return document;
}

Document redirect_away(const DemoPlace& place) {
    const std::string away = origin_of(*place.options, 2) + "/page/1.html";
    return redirect(302, away, away);
}

Document busy(const DemoPlace& place) {
    Document document = error_page(place, 503, "Come back later.");
    document.headers.emplace_back("Retry-After", "1");
    return document;
}

Document endless(const DemoPlace&) {
    Document document = file("application/octet-stream", std::string(64 << 10, '\0'));
    document.behaviour = Behaviour::endless;
    return document;
}

Document endless_page(const DemoPlace&) {
    Document document = file("text/html", "<p>and again: <b>more</b>\n");
    document.behaviour = Behaviour::endless;
    return document;
}

Document deep(const DemoPlace& place) {
    PageWriter page(place, "Deep");
    std::string divs;
    // Deep enough to overflow the stack of a recursive parser.
    for (int i = 0; i < 50'000; ++i) divs += "<div>";
    return page.markup(divs).link("/hostile/after-depth.html", "At the bottom").finish();
}

Document terminal(const DemoPlace& place) {
    // Sets the window title, clears the screen, turns the writing direction, and forges a line.
    return PageWriter(place, "\x1B]0;taken over\x07\x1B[2J\xE2\x80\xAE\r\nforged")
        .prose(1)
        .finish();
}

struct Case {
    std::string_view path;
    Document (*make)(const DemoPlace& place);
};

constexpr auto kCases = std::to_array<Case>({
    {"/hostile/no-location", no_location},               // W1
    {"/hostile/empty-location", empty_location},         //
    {"/hostile/bad-location", bad_location},             //
    {"/hostile/cut-short.html", cut_short},              // W2
    {"/hostile/cut-chunks.html", cut_chunks},            // W2
    {"/hostile/bad-charset.html", bad_charset},          // W3
    {"/hostile/unknown-charset.html", unknown_charset},  //
    {"/hostile/bad-links.html", bad_links},              // W4
    {"/hostile/bad-gzip.html", bad_gzip},                // W5
    {"/hostile/false-gzip.html", false_gzip},            // W5
    {"/hostile/silent.html", silent},                    // W6
    {"/hostile/hang-up.html", hang_up},                  //
    {"/hostile/drip.html", drip},                        // W7
    {"/hostile/redirect-away", redirect_away},           // W8
    {"/hostile/busy.html", busy},                        // W11
    {"/hostile/endless.bin", endless},                   // W18
    {"/hostile/endless.html", endless_page},             // W18
    {"/hostile/deep.html", deep},                        //
    {"/hostile/terminal.html", terminal},                // H102
});

Document case_list(const DemoPlace& place) {
    PageWriter page(place, "The rough house");
    for (const Case& known : kCases) page.link(known.path, known.path);
    page.link("/hostile/after-all.html", "After all of them");
    return page.finish();
}

}  // namespace

std::optional<Document> hostile(const DemoPlace& place) {
    if (place.path == "/hostile/") return case_list(place);
    for (const Case& known : kCases) {
        if (place.path == known.path) return known.make(place);
    }
    if (place.path.starts_with("/hostile/after-")) return plain(place);
    if (place.path == "/" && place.host->name == "127.0.0.8") {
        PageWriter page(place, "The door");
        page.text("The rough house opens when the site is started with its hostile pages.");
        if (place.options->hostile) page.link("/hostile/", "Go in");
        return page.finish();
    }
    return std::nullopt;
}

}  // namespace weft::demo
