#include "crawl/scope/listing_reader.h"

#include <array>

#include "base/limits.h"
#include "base/scratch.h"

namespace weft::crawl {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";  // RFC 1952 section 2.3.1.

constexpr std::size_t kBytesPerEntryToCome = 400;  // What an entry takes once it is a link.
constexpr std::size_t kListingStep = 16 * 1024;    // Memory is borrowed in such steps.
constexpr std::size_t kUnpackerBytes = 64 * 1024;  // What the gzip decoder takes.

}  // namespace

ListingReader::ListingReader(std::string_view url, Lend lend)
    : parser_({.url = std::string(url)},
              [this](web::SitemapEntry entry) {
                  keep(std::move(entry.location));
                  for (web::SitemapAlternate& alternate : entry.alternates) {
                      keep(std::move(alternate.url));
                  }
              }),
      lend_(std::move(lend)) {}

// Borrows before each entry is kept, not per piece fed: a few bytes of gzip can be a whole sitemap.
void ListingReader::keep(std::string location) {
    if (listing_.locations.size() >= limits::kSitemapLocationCountMax) is_cut_ = true;
    if (is_cut_) return;
    // The factors cover the copy of the list while it grows, and the link that each entry becomes
    // (see LinkList).
    held_bytes_ += 3 * sizeof(std::string) + kBytesPerEntryToCome + 3 * location.capacity();
    if (held_bytes_ > lent_bytes_) {
        if (lend_ && !lend_(held_bytes_ + kListingStep)) {
            is_cut_ = lacks_memory_ = true;
            return;
        }
        lent_bytes_ = held_bytes_ + kListingStep;
    }
    listing_.locations.push_back(std::move(location));
}

void ListingReader::feed(std::string_view piece) {
    if (is_decided_) {
        take(piece);
        return;
    }
    start_ += piece;
    if (start_.size() < kGzipMagic.size()) return;
    is_decided_ = true;
    if (start_.starts_with(kGzipMagic)) {
        held_bytes_ += kUnpackerBytes;
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
    if (is_broken_ || is_cut_) return;
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
