#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/units.h"

namespace weft::crawl {

// Which pages link to a URL: what a report of broken links needs, kept only if asked for. Keeps at
// most kReferrersMax pages a target, the first that were found, and nothing more once it has grown
// to `bytes_max`: then is_cut().
class LinkMap {
public:
    static constexpr std::size_t kReferrersMax = 100;

    explicit LinkMap(std::size_t bytes_max = 256_MiB) : bytes_max_(bytes_max) {}

    void add(std::string_view target, std::string_view page);

    // In the order found; empty for a seed.
    std::vector<std::string> referrers(std::string_view target) const;

    bool is_cut() const { return is_cut_; }

private:
    std::uint32_t page_number(std::string_view page);

    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    bool is_cut_ = false;
    std::vector<std::string> pages_;
    std::unordered_map<std::uint64_t, std::uint32_t> page_numbers_;  // By hash of the page's URL.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> referrers_;  // Of the target's.
};

}  // namespace weft::crawl
