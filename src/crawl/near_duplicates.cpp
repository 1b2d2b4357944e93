#include "crawl/near_duplicates.h"

#include <algorithm>

#include "web/fingerprint.h"

namespace weft::crawl {

std::string_view NearDuplicates::find_or_add(std::uint64_t fingerprint, std::string_view url) {
    // A quarter that half the web has (all zero) must not make this slow.
    constexpr std::size_t kLooksMax = 1'000;
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        auto [first, last] = by_quarter_.equal_range(quarter_key(fingerprint, quarter));
        for (std::size_t look = 0; first != last && look < kLooksMax; ++first, ++look) {
            const Page& page = pages_[first->second];
            if (web::fingerprint_distance(page.fingerprint, fingerprint) <= kDistanceMax) {
                return page.url;
            }
        }
    }
    const std::size_t index = pages_.size() < count_max_ ? pages_.size() : next_++ % count_max_;
    if (index == pages_.size()) {
        pages_.emplace_back();
    } else {
        forget(index);
    }
    pages_[index] = {fingerprint, std::string(url)};
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        by_quarter_.emplace(quarter_key(fingerprint, quarter), index);
    }
    return {};
}

std::uint32_t NearDuplicates::quarter_key(std::uint64_t fingerprint, std::size_t quarter) {
    const auto bits = static_cast<std::uint32_t>(fingerprint >> (16 * quarter) & 0xFFFF);
    return static_cast<std::uint32_t>(quarter) << 16 | bits;
}

void NearDuplicates::forget(std::size_t index) {
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
        const auto [first, last] =
            by_quarter_.equal_range(quarter_key(pages_[index].fingerprint, quarter));
        by_quarter_.erase(
            std::find_if(first, last, [&](const auto& row) { return row.second == index; }));
    }
}

}  // namespace weft::crawl
