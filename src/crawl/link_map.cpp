#include "crawl/link_map.h"

#include "base/hash.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kEntryBytes = 64;  // A node of a hash table and its share of the buckets.

}  // namespace

void LinkMap::add(std::string_view target, std::string_view page) {
    if (bytes_ >= bytes_max_) {
        is_cut_ = true;
        return;
    }
    const auto [place, is_new] = referrers_.try_emplace(hash64(target));
    if (is_new) bytes_ += kEntryBytes;
    std::vector<std::uint32_t>& pages = place->second;
    if (pages.size() >= kReferrersMax) return;
    pages.push_back(page_number(page));
    bytes_ += sizeof(std::uint32_t);
}

std::uint32_t LinkMap::page_number(std::string_view page) {
    const auto [place, is_new] =
        page_numbers_.try_emplace(hash64(page), static_cast<std::uint32_t>(pages_.size()));
    if (is_new) {
        pages_.emplace_back(page);
        bytes_ += kEntryBytes + page.size();
    }
    return place->second;
}

std::vector<std::string> LinkMap::referrers(std::string_view target) const {
    std::vector<std::string> found;
    const auto place = referrers_.find(hash64(target));
    if (place == referrers_.end()) return found;
    for (const std::uint32_t number : place->second) found.push_back(pages_[number]);
    return found;
}

}  // namespace weft::crawl
