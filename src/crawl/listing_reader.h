#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "web/decoder.h"
#include "web/sitemap.h"

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
    // `url`: where it was fetched from.
    explicit ListingReader(std::string_view url);

    void feed(std::string_view piece);
    Listing finish();

private:
    void take(std::string_view text);

    Listing listing_;
    web::SitemapParser parser_;
    std::unique_ptr<web::Decoder> unpacker_;
    std::string start_;  // The first two bytes, until both are there.
    bool is_decided_ = false;
    bool is_broken_ = false;
};

}  // namespace weft::crawl
