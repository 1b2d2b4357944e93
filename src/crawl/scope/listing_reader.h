#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "web/coding/decoder.h"
#include "web/robots/sitemap.h"

namespace weft::crawl {

// The URLs of a sitemap, a sitemap index or a feed.
struct Listing {
    std::vector<std::string> locations;  // As written. Those of an index are sitemaps.
    bool is_index = false;
};

// Reads a sitemap, a sitemap index or a feed while it streams in. Whether it is gzip is decided by
// its first two bytes, whatever the header says. The decoded bytes and the entries are bounded
// (H83). Content that is not a listing gives no locations. Owned by one PageSink. It must not be
// moved, because the parser's callback refers to it.
class ListingReader {
public:
    // Called before the reader holds `bytes` in all. False: the listing is cut here.
    using Lend = std::function<bool(std::size_t bytes)>;

    // `url`: where it was fetched from. With an empty `lend`, only the number of entries is
    // bounded.
    explicit ListingReader(std::string_view url, Lend lend = {});

    void feed(std::string_view piece);

    // Call it once, after the last piece.
    Listing finish();

    // Whether entries were left out, and whether that was for lack of memory.
    bool is_cut() const { return is_cut_; }
    bool lacks_memory() const { return lacks_memory_; }
    std::size_t memory_bytes() const { return lent_bytes_; }

private:
    void take(std::string_view text);
    void keep(std::string location);

    Listing listing_;
    web::SitemapParser parser_;
    Lend lend_;
    std::size_t held_bytes_ = 0;
    std::size_t lent_bytes_ = 0;
    std::unique_ptr<web::Decoder> unpacker_;
    std::string start_;        // The bytes received before there were two.
    bool is_decided_ = false;  // It is known whether this is gzip.
    bool is_broken_ = false;   // The gzip data is invalid: the rest is ignored.
    bool is_cut_ = false;
    bool lacks_memory_ = false;
};

}  // namespace weft::crawl
