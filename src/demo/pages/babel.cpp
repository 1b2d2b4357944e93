#include <array>

#include <fmt/format.h>

#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

// A page with hand-written bytes, to test character sets and markup. `link` is the target of its
// one link.
struct Tongue {
    std::string_view path;
    std::string_view type;
    std::string_view body;
    std::string_view link = {};
};

using namespace std::string_view_literals;

constexpr auto kTongues = std::to_array<Tongue>({
    {"/latin1.html", "text/html; charset=iso-8859-1",
     "<!DOCTYPE html><title>Caf\xE9</title><p><a href=\"/found/caf\xE9.html\">Caf\xE9</a></p>\n"sv,
     "/found/caf%C3%A9.html"},
    {"/latin1-query.html", "text/html; charset=iso-8859-1",
     "<!DOCTYPE html><title>Query</title><p><a href=\"/found/?q=caf\xE9\">Query</a></p>\n"sv,
     "/found/?q=caf%E9"},
    {"/meta-charset.html", "text/html",
     "<!DOCTYPE html><meta charset=windows-1252><title>\x93Quoted\x94</title>"
     "<p><a href=\"/found/\x80.html\">Euro</a></p>\n"sv,
     "/found/%E2%82%AC.html"},
    {"/bom.html", "text/html",
     "\xEF\xBB\xBF<!DOCTYPE html><title>Mark</title><a href=\"/found/bom.html\">Marked</a>\n"sv,
     "/found/bom.html"},
    {"/shift_jis.html", "text/html; charset=Shift_JIS",
     "<!DOCTYPE html><title>\x83\x65\x83\x58\x83\x67</title>"
     "<p>\x83\x5C</p><a href=\"/found/\x83\x65.html\">\x83\x65</a>\n"sv,
     "/found/%E3%83%86.html"},
    {"/utf16.html", "text/html; charset=utf-16le",
     "<\0a\0 \0h\0r\0e\0f\0=\0\"\0/\0f\0o\0u\0n\0d\0/\0w\0i\0d\0e\0.\0h\0t\0m\0l\0\"\0>\0w\0i\0d\0"
     "e\0<\0/\0a\0>\0"sv,
     "/found/wide.html"},
    {"/shouting.html", "TEXT/HTML;CHARSET=\"UTF-8\"",
     "<!DOCTYPE HTML><TITLE>LOUD</TITLE><A HREF=\"/found/loud.html\">LOUD</A>\n"sv,
     "/found/loud.html"},
    {"/strict.xhtml", "application/xhtml+xml",
     "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
     "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>Strict</title></head>\n"
     "<body><p><a href=\"/found/strict.html\">Strict</a></p></body></html>\n"sv,
     "/found/strict.html"},
    {"/old.html", "text/html",
     "<html><head><title>Old<body><p>Nothing is closed<p><a href=/never/in-title"
     "</title><a href=/found/old.html>old"sv,
     "/found/old.html"},
});

// An ordinary page that is sent in a special way.
struct Parcel {
    std::string_view path;
    Behaviour behaviour = Behaviour::whole;
    bool gzip = false;
};

constexpr auto kParcels = std::to_array<Parcel>({
    {"/parcels/chunked.html", Behaviour::chunked},
    {"/parcels/gzip.html", Behaviour::whole, true},
    {"/parcels/gzip-chunked.html", Behaviour::chunked, true},
    {"/parcels/until-close.html", Behaviour::until_close},
});

Document babel_home(const DemoPlace& place) {
    PageWriter page(place, "Tongues");
    for (const Tongue& tongue : kTongues) page.link(tongue.path, tongue.type);
    page.heading("Parcels");
    for (const Parcel& parcel : kParcels) page.link(parcel.path, parcel.path);
    return page.finish();
}

}  // namespace

std::optional<Document> babel(const DemoPlace& place) {
    if (place.path == "/") return babel_home(place);
    for (const Tongue& tongue : kTongues) {
        if (place.path == tongue.path) {
            Document document = file(tongue.type, std::string(tongue.body));
            document.edges.push_back({std::string(tongue.link), Reach::link});
            return document;
        }
    }
    for (const Parcel& parcel : kParcels) {
        if (place.path == parcel.path) {
            PageWriter page(place, parcel.path);
            page.prose(6);
            page.link(fmt::format("/found{}", parcel.path), "Found on the way");
            Document document = page.finish();
            document.behaviour = parcel.behaviour;
            document.gzip = parcel.gzip;
            return document;
        }
    }
    for (const Tongue& tongue : kTongues) {
        if (place.target() == tongue.link) return PageWriter(place, "Found").prose(1).finish();
    }
    for (const Parcel& parcel : kParcels) {
        if (place.path == fmt::format("/found{}", parcel.path)) {
            return PageWriter(place, "Found").prose(1).finish();
        }
    }
    return std::nullopt;
}

}  // namespace weft::demo
