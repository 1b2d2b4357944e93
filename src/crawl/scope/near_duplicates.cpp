#include "crawl/scope/near_duplicates.h"

#include <algorithm>

#include "web/html/fingerprint.h"

namespace weft::crawl {

std::string_view NearDuplicates::find_or_add(std::uint64_t fingerprint, std::string_view url) {
    // A quarter that very many pages share (all zero, say) must not make the search slow.
    constexpr std::size_t kLooksMax = 1'000;
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        auto [first, last] = by_quarter_.equal_range(quarter_key(fingerprint, quarter));
        for (std::size_t look = 0; first != last && look < kLooksMax; ++first, ++look) {
            const Page& page = pages_[first->second - oldest_number_];
            if (web::fingerprint_distance(page.fingerprint, fingerprint) <= kDistanceMax) {
                return page.url;
            }
        }
    }
    while (!pages_.empty() &&
           (pages_.size() >= count_max_ || url_bytes_ + url.size() > kUrlBytesMax)) {
        forget_oldest();
    }
    const std::uint64_t number = oldest_number_ + pages_.size();
    pages_.emplace_back(fingerprint, std::string(url));
    url_bytes_ += url.size();
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        by_quarter_.emplace(quarter_key(fingerprint, quarter), number);
    }
    return {};
}

std::uint32_t NearDuplicates::quarter_key(std::uint64_t fingerprint, std::size_t quarter) {
    const auto bits = static_cast<std::uint32_t>(fingerprint >> (16 * quarter) & 0xFFFF);
    return static_cast<std::uint32_t>(quarter) << 16 | bits;
}

// Numbers stay valid when pages are forgotten: only oldest_number_ moves.
void NearDuplicates::forget_oldest() {
    const Page& page = pages_.front();
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        const auto [first, last] = by_quarter_.equal_range(quarter_key(page.fingerprint, quarter));
        by_quarter_.erase(std::find_if(
            first, last, [&](const auto& row) { return row.second == oldest_number_; }));
    }
    url_bytes_ -= page.url.size();
    pages_.pop_front();
    ++oldest_number_;
}

}  // namespace weft::crawl
