#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "demo/server/packed.h"
#include "demo/server/page.h"
#include "demo/server/prose.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

struct Download {
    std::string_view path;
    std::string_view type;
    std::string (*make)(const DemoPlace& place);
};

std::string text_file(const DemoPlace& place) {
    Prose prose(hash64(place.path, place.options->seed));
    std::string text = "Not a link: http://127.0.0.1/never/in-text-file.html\n\n";
    for (int i = 0; i < 12; ++i) text += prose.sentence() + '\n';
    return text;
}

std::string table_file(const DemoPlace& place) {
    Prose prose(hash64(place.path, place.options->seed));
    std::string text = "number,title\r\n";
    for (int i = 1; i <= 40; ++i) text += fmt::format("{},\"{}\"\r\n", i, prose.title());
    return text;
}

std::string json_file(const DemoPlace&) {
    return "{\"see\": \"/never/in-json.html\", \"threads\": 2400}\n";
}

std::string feed_file(const DemoPlace& place) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel>\n"
        "<title>Gazette</title><link>{0}/</link><description>News</description>\n"
        "<item><title>First</title><link>{0}{1}</link></item>\n</channel></rss>\n",
        place.origin(), article_path(*place.options, 0));
}

// The smallest PDF that readers open without an error: one empty page.
std::string pdf_file(const DemoPlace&) {
    constexpr auto objects = std::to_array<std::string_view>({
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>",
    });
    std::string out = "%PDF-1.4\n";
    std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        // Each entry of the cross-reference table is exactly 20 bytes, with the offset of its
        // object.
        table += fmt::format("{:010} 00000 n \n", out.size());
        out += fmt::format("{} 0 obj{}endobj\n", i + 1, objects[i]);
    }
    const std::size_t start = out.size();
    return out + table +
           fmt::format("trailer<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n", objects.size() + 1,
                       start);
}

std::string packed_file(const DemoPlace& place) {
    return gzip(text_file(place));
}

constexpr auto kDownloads = std::to_array<Download>({
    {"/downloads/notes.txt", "text/plain; charset=utf-8", text_file},
    {"/downloads/titles.csv", "text/csv", table_file},
    {"/downloads/counts.json", "application/json", json_file},
    {"/downloads/feed.xml", "application/rss+xml", feed_file},
    {"/downloads/empty-page.pdf", "application/pdf", pdf_file},
    {"/downloads/notes.txt.gz", "application/gzip", packed_file},
    {"/downloads/unknown", "application/octet-stream", text_file},
});

}  // namespace

std::optional<Document> downloads(const DemoPlace& place) {
    if (place.path == "/rooms/downloads.html") {
        PageWriter page(place, "Documents that are no pages");
        for (const Download& download : kDownloads) page.link(download.path, download.path);
        page.link("/downloads/nothing.html", "An empty page");
        return page.finish();
    }
    if (place.path == "/downloads/nothing.html") return file("text/html; charset=utf-8", "");
    for (const Download& download : kDownloads) {
        if (place.path == download.path) return file(download.type, download.make(place));
    }
    return std::nullopt;
}

std::optional<Document> copies(const DemoPlace& place) {
    if (place.path == "/rooms/copies.html") {
        return PageWriter(place, "Copies")
            .text("Three addresses, one content; each names the first as the canonical one.")
            .link("/copies/original.html", "The original")
            .link("/copies/mirror.html", "The copy")
            .link("/copies/original.html?print=1", "The copy with a query")
            .finish();
    }
    if (place.path != "/copies/original.html" && place.path != "/copies/mirror.html") {
        return std::nullopt;
    }
    DemoPlace original = place;
    original.path = "/copies/original.html";
    original.query.clear();
    return PageWriter(original, "Three times the same")
        .head("<link rel=\"canonical\" href=\"/copies/original.html\">\n")
        .edge("/copies/original.html")
        .prose(3)
        .finish();
}

}  // namespace weft::demo
