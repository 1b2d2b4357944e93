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

// What a sitemap or feed lists.
struct Listing {
    std::vector<std::string> locations;  // As written; of an index: sitemaps.
    bool is_index = false;
};

// Reads a sitemap, an index or a feed as it streams in, packed with gzip or not (by its first
// bytes, whatever the header says). Bounded as sitemaps are: bytes once unpacked, and entries
// (H83). What is no listing lists nothing.
class ListingReader {
public:
    // Asked before the reader holds so many bytes in all; false: the listing is cut here.
    using Lend = std::function<bool(std::size_t bytes)>;

    // `url`: where it was fetched from. Without `lend` memory has no other bound.
    explicit ListingReader(std::string_view url, Lend lend = {});

    void feed(std::string_view piece);
    Listing finish();

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
    std::string start_;  // The first two bytes, until both are there.
    bool is_decided_ = false;
    bool is_broken_ = false;
    bool is_cut_ = false;        // It lists more than is held here,
    bool lacks_memory_ = false;  // for want of memory.
};

}  // namespace weft::crawl
