#include "crawl/link_map.h"

namespace weft::crawl {

void LinkMap::add(const std::string& target, const std::string& page) {
    std::vector<std::string>& pages = referrers_[target];
    if (pages.size() < kReferrersMax) pages.push_back(page);
}

const std::vector<std::string>& LinkMap::referrers(const std::string& target) const {
    static const std::vector<std::string> kNone;
    const auto found = referrers_.find(target);
    return found == referrers_.end() ? kNone : found->second;
}

}  // namespace weft::crawl
