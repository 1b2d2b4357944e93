#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "demo/server/number.h"
#include "demo/server/packed.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

namespace weft::demo {

namespace {

constexpr std::string_view kNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
constexpr unsigned kArticlesPerSitemap = 10'000;

constexpr unsigned kLibraryCount = 40;
constexpr unsigned kLibraryLinkedCount = 8;  // The other pages are only in the sitemaps.
constexpr unsigned kLibraryPerSitemap = 20;

// Writes a sitemap, and records its links for the truth.
class SitemapWriter {
public:
    SitemapWriter(const DemoPlace& place, bool is_index) : place_(place), is_index_(is_index) {
        body_ = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{} xmlns=\"{}\">\n",
                            is_index ? "sitemapindex" : "urlset", kNamespace);
    }

    void add(std::string_view target) {
        const std::string_view element = is_index_ ? "sitemap" : "url";
        fmt::format_to(std::back_inserter(body_),
                       "<{0}><loc>{1}{2}</loc><lastmod>2026-01-01</lastmod></{0}>\n", element,
                       place_.origin(), escape_for_html(target));
        edges_.push_back({std::string(target), Reach::sitemap});
    }

    Document finish() {
        body_ += is_index_ ? "</sitemapindex>\n" : "</urlset>\n";
        Document document = file("application/xml; charset=utf-8", std::move(body_));
        document.edges = std::move(edges_);
        return document;
    }

private:
    const DemoPlace& place_;
    bool is_index_;
    std::string body_;
    std::vector<Edge> edges_;
};

// The gazette has one sitemap, or an index if there are too many articles for one.
std::optional<Document> gazette_sitemap(const DemoPlace& place) {
    const unsigned count = place.options->page_count;
    const bool is_index = count > kArticlesPerSitemap;
    const auto write_articles = [&](unsigned part) {
        SitemapWriter writer(place, false);
        writer.add("/");
        if (part == 0) writer.add("/rooms/orphan.html");
        const unsigned first = part * kArticlesPerSitemap;
        for (unsigned i = first; i < std::min(count, first + kArticlesPerSitemap); ++i) {
            writer.add(article_path(*place.options, i));
        }
        return writer.finish();
    };
    if (place.path == "/rooms/orphan.html") {
        return PageWriter(place, "An orphan").text("No page links here.").finish();
    }
    if (place.path == "/sitemap.xml") {
        if (!is_index) return write_articles(0);
        SitemapWriter writer(place, true);
        for (unsigned part = 0; part * kArticlesPerSitemap < count; ++part) {
            writer.add(fmt::format("/sitemap-{}.xml", part));
        }
        return writer.finish();
    }
    const auto part = number_between(place.path, "/sitemap-", ".xml");
    if (!part || !is_index || *part > (count - 1) / kArticlesPerSitemap) return std::nullopt;
    return write_articles(*part);
}

std::string book_path(unsigned number) {
    return fmt::format("/books/{}.html", number);
}

// The library has an index of two sitemaps; the second is compressed.
std::optional<Document> library_sitemap(const DemoPlace& place) {
    if (place.path == "/sitemap_index.xml") {
        SitemapWriter writer(place, true);
        writer.add("/sitemaps/1.xml");
        writer.add("/sitemaps/2.xml.gz");
        return writer.finish();
    }
    const bool is_packed = place.path == "/sitemaps/2.xml.gz";
    if (!is_packed && place.path != "/sitemaps/1.xml") return std::nullopt;
    SitemapWriter writer(place, false);
    const unsigned first = is_packed ? kLibraryPerSitemap : 0;
    for (unsigned i = first + 1; i <= first + kLibraryPerSitemap; ++i) writer.add(book_path(i));
    Document document = writer.finish();
    if (is_packed) {
        document.type = "application/gzip";
        document.body = gzip(document.body);
    }
    return document;
}

}  // namespace

std::optional<Document> sitemaps(const DemoPlace& place) {
    if (place.host->sitemap == "/sitemap.xml") return gazette_sitemap(place);
    return library_sitemap(place);
}

std::optional<Document> library(const DemoPlace& place) {
    if (place.path == "/") {
        PageWriter page(place, "Reading room");
        page.text("A few books lie open; the catalogue knows the others.");
        for (unsigned i = 1; i <= kLibraryLinkedCount; ++i) {
            page.link(book_path(i), fmt::format("Book {}", i));
        }
        return page.finish();
    }
    const auto number = number_between(place.path, "/books/", ".html");
    if (!number || *number < 1 || *number > kLibraryCount) return std::nullopt;
    return PageWriter(place, fmt::format("Book {}", *number)).prose(4).finish();
}

}  // namespace weft::demo
