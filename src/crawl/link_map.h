#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::crawl {

// Which pages link to a URL: what a report of broken links needs. Keeps at most kReferrersMax pages
// a target, the first that were found.
class LinkMap {
public:
    static constexpr std::size_t kReferrersMax = 100;

    void add(const std::string& target, const std::string& page);

    // In the order found; empty for a seed.
    const std::vector<std::string>& referrers(const std::string& target) const;

private:
    std::unordered_map<std::string, std::vector<std::string>> referrers_;
};

}  // namespace weft::crawl
