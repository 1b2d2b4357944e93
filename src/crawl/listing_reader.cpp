#include "crawl/listing_reader.h"

#include <array>

#include "base/limits.h"
#include "base/scratch.h"

namespace weft::crawl {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

void keep(std::vector<std::string>& locations, std::string location) {
    if (locations.size() < limits::kSitemapLocationCountMax) {
        locations.push_back(std::move(location));
    }
}

}  // namespace

ListingReader::ListingReader(std::string_view url)
    : parser_({.url = std::string(url)}, [this](web::SitemapEntry entry) {
          keep(listing_.locations, std::move(entry.location));
          for (web::SitemapAlternate& alternate : entry.alternates) {
              keep(listing_.locations, std::move(alternate.url));
          }
      }) {}

void ListingReader::feed(std::string_view piece) {
    if (is_decided_) {
        take(piece);
        return;
    }
    start_ += piece;
    if (start_.size() < kGzipMagic.size()) return;
    is_decided_ = true;
    if (start_.starts_with(kGzipMagic)) {
        unpacker_ = std::make_unique<web::Decoder>(
            web::Codings{.list = {web::Coding::gzip}, .count = 1},
            web::DecoderOptions{.decoded_bytes_max = limits::kSitemapBytesMax});
    }
    take(start_);
    start_.clear();
}

void ListingReader::take(std::string_view text) {
    if (!unpacker_) {
        parser_.feed(text);
        return;
    }
    if (is_broken_) return;
    const Scratch<std::array<char, limits::kDecodeStepBytes>, struct ListingRoom> room;
    const auto fed =
        unpacker_->feed(text, *room, [this](std::string_view plain) { parser_.feed(plain); });
    is_broken_ = !fed;
}

Listing ListingReader::finish() {
    if (!is_decided_) parser_.feed(start_);
    const auto summary = parser_.finish();
    if (!summary) return {};
    listing_.is_index = summary->kind == web::SitemapKind::index;
    return std::move(listing_);
}

}  // namespace weft::crawl
