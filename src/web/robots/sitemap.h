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
    not_a_sitemap,      // Neither a known XML root element nor a list of URLs.
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
    std::string content;  // The video file. It and the player may be missing.
    std::string player;
    std::string thumbnail;
    std::string title;
};

struct SitemapNews {
    std::string title;
    std::optional<DateMilliseconds> published;
};

// A page that a sitemap lists, or a sitemap that an index lists. Texts are as written, without the
// white space around them. The caller resolves and checks URLs like any other link (H84).
struct SitemapEntry {
    std::string location;
    std::optional<DateMilliseconds> modified;
    std::optional<ChangeFrequency> change_frequency;
    std::optional<double> priority;  // Between 0 and 1. The protocol's default is 0.5.

    // At most kSitemapExtraCountMax each.
    std::vector<SitemapAlternate> alternates;
    std::vector<std::string> images;
    std::vector<SitemapVideo> videos;
    std::optional<SitemapNews> news;

    // Whether the location is in the sitemap's own directory, as the protocol demands.
    bool is_below_sitemap = false;
};

struct SitemapOptions {
    // The URL of the sitemap.
    std::string url = {};

    // Leave out locations outside of the sitemap's directory. Off, because a crawl has its own
    // scope.
    bool strict = false;

    // Go on after faults: broken XML, a text that is cut in the middle, limits.
    bool allow_partial = true;

    // Accept only elements of the sitemap protocol's own namespace.
    bool strict_namespace = false;

    // Skip a DTD instead of refusing the sitemap. Its entities are never resolved (H82).
    bool allow_dtd = true;
};

struct SitemapSummary {
    SitemapKind kind = SitemapKind::urlset;
    std::size_t entry_count = 0;

    // The fault that was ignored because of allow_partial.
    std::optional<SitemapError> fault;
};

// Reads a sitemap in pieces of any size. Its memory does not grow with the sitemap.
//
// REQUIRES: the bytes are decompressed and UTF-8. Entries are delivered while the sitemap is read.
// So without allow_partial they are valid only after finish() has returned no error. Used by one
// thread; on_entry is called inside feed() and finish().
class SitemapParser {
public:
    using OnEntry = std::function<void(SitemapEntry)>;

    SitemapParser(SitemapOptions options, OnEntry on_entry);
    ~SitemapParser();

    // Bytes after the first kSitemapBytesMax are ignored.
    void feed(std::string_view bytes);

    // REQUIRES: called once, last.
    std::expected<SitemapSummary, SitemapError> finish();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// A whole sitemap, for one that is in memory.
struct Sitemap {
    SitemapSummary summary;
    std::vector<SitemapEntry> entries;
};
std::expected<Sitemap, SitemapError> parse_sitemap(std::string_view bytes, SitemapOptions options);

}  // namespace weft::web
