#include "http/server/folder_page.h"

#include <iterator>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/units.h"
#include "http/server/asset.h"
#include "web/url/percent.h"

namespace weft::http {

// Defined by a source that weft_embed() generates.
std::span<const Asset> folder_assets();

namespace {

using Entry = aio::Folder::Entry;

bool is_folder(const Entry& entry) {
    return entry.kind == aio::Folder::Kind::folder;
}

// "2026-03-01 12:00"
std::string when(const Entry& entry) {
    std::string text = to_iso8601(entry.modified).substr(0, 16);
    text[10] = ' ';
    return text;
}

void append_row(std::string& out, const Entry& entry) {
    // Without the dot the browser would read "a:" of a name such as "a:b" as a scheme.
    std::string href = "./";
    web::append_percent_encoded(href, entry.name, web::PercentSet::component);
    const char* slash = is_folder(entry) ? "/" : "";
    fmt::format_to(std::back_inserter(out),
                   "<tr><td><a href=\"{}{}\">{}{}</a></td><td>{}</td><td>{}</td></tr>\n",
                   escape_for_html(href), slash, escape_for_html(entry.name), slash,
                   is_folder(entry) ? "" : human_bytes(entry.size_bytes), when(entry));
}

}  // namespace

std::string folder_page(std::string_view path, std::span<const Entry> entries, bool is_complete) {
    const std::string title = escape_for_html(path);
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
        "<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<table>\n",
        title, find_asset(folder_assets(), "assets/folder.css")->bytes);
    if (path != "/") out += "<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n";
    for (const bool folders : {true, false}) {
        for (const Entry& entry : entries) {
            if (is_folder(entry) == folders) append_row(out, entry);
        }
    }
    out += "</table>\n";
    if (!is_complete) out += "<p>There are more; this page shows no more of them.</p>\n";
    out += "</body>\n</html>\n";
    return out;
}

}  // namespace weft::http
