#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/fields/date.h"

// Sitemaps in all their forms: XML, index, plain text, RSS and Atom.
namespace weft::web {

enum class [[nodiscard]] SitemapError {
    not_a_sitemap,      // Neither one of the XML roots we know nor a list of URLs.
    wrong_namespace,    // With strict_namespace.
    broken_xml,         // Without allow_partial.
    has_dtd,            // Without allow_dtd.
    too_large,          // Without allow_partial: more than kSitemapBytesMax,
    too_many_locations  // or kSitemapLocationCountMax.
};
std::string_view describe(SitemapError error);

enum class SitemapKind { urlset, index, text, rss, atom };

enum class ChangeFrequency { always, hourly, daily, weekly, monthly, yearly, never };

// The same page in another language.
struct SitemapAlternate {
    std::string language;
    std::string url;
};

struct SitemapVideo {
    std::string content;  // The file; it and the player may be missing.
    std::string player;
    std::string thumbnail;
    std::string title;
};

struct SitemapNews {
    std::string title;
    std::optional<DateMilliseconds> published;
};

// A page that a sitemap lists, or in an index: a sitemap. Texts are as written but for white space
// around them; URLs are to be resolved and judged like any link (H84).
struct SitemapEntry {
    std::string location;
    std::optional<DateMilliseconds> modified;
    std::optional<ChangeFrequency> change_frequency;
    std::optional<double> priority;  // Between 0 and 1; a missing one means 0.5.

    // At most kSitemapExtraCountMax each.
    std::vector<SitemapAlternate> alternates;
    std::vector<std::string> images;
    std::vector<SitemapVideo> videos;
    std::optional<SitemapNews> news;

    // The location lies in the sitemap's own directory, as the protocol demands.
    bool is_below_sitemap = false;
};

struct SitemapOptions {
    // The URL the sitemap was fetched from.
    std::string url = {};

    // Leave out locations outside of the sitemap's directory. A crawler has a scope of its own.
    bool strict = false;

    // Read on after faults: broken XML, a text cut in the middle, limits.
    bool allow_partial = true;

    // Take elements of the sitemap protocol's own namespace only.
    bool strict_namespace = false;

    // Pass over a DTD instead of refusing it. Its entities are never resolved either way (H82).
    bool allow_dtd = true;
};

struct SitemapSummary {
    SitemapKind kind = SitemapKind::urlset;
    std::size_t entry_count = 0;

    // What was passed over with allow_partial.
    std::optional<SitemapError> fault;
};

// Reads a sitemap in pieces of any size; the memory it needs does not grow with the sitemap.
//
// The bytes are UTF-8 and decompressed: gzip and other charsets are the caller's work. Entries come
// as they are read, so with allow_partial off they count only once finish() says so.
class SitemapParser {
public:
    using OnEntry = std::function<void(SitemapEntry)>;

    SitemapParser(SitemapOptions options, OnEntry on_entry);
    ~SitemapParser();

    // What comes after kSitemapBytesMax bytes is not looked at.
    void feed(std::string_view bytes);

    // REQUIRES: called once, last.
    std::expected<SitemapSummary, SitemapError> finish();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// A whole sitemap at once.
struct Sitemap {
    SitemapSummary summary;
    std::vector<SitemapEntry> entries;
};
std::expected<Sitemap, SitemapError> parse_sitemap(std::string_view bytes, SitemapOptions options);

}  // namespace weft::web
