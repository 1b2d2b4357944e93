#include "crawl/politeness/host_table.h"

#include "base/hash.h"

namespace weft::crawl {

std::uint64_t HostTable::key_of(std::string_view name) const {
    return hash64(name, hash_seed_);
}

std::uint64_t HostTable::domain_key_of(std::string_view hostname) const {
    return hash64(domains_->domain_of(hostname), hash_seed_);
}

Standing HostTable::standing_of(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? Standing::fresh : found->second->standing;
}

HostState& HostTable::enter(std::string_view name, std::string_view hostname) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) {
        hosts_.splice(hosts_.begin(), hosts_, found->second);
    } else {
        make_room();
        hosts_.push_front({.name = std::string(name),
                           .key = key_of(name),
                           .domain_key = domain_key_of(hostname)});
        by_name_.emplace(hosts_.front().name, hosts_.begin());
    }
    if (hosts_.front().visit_count++ == 0) ++active_count_;
    return hosts_.front();
}

void HostTable::leave(HostState& host) {
    if (--host.visit_count == 0) --active_count_;
}

void HostTable::make_room() {
    // Hosts with a visit under way stay. The number of looks is bounded, so the table may grow
    // beyond count_max while all of its oldest hosts are in use.
    constexpr int kLooksMax = 16;
    auto place = hosts_.end();
    for (int look = 0; look < kLooksMax && hosts_.size() >= count_max_; ++look) {
        if (place == hosts_.begin()) return;
        --place;
        if (place->visit_count > 0) continue;
        by_name_.erase(place->name);
        place = hosts_.erase(place);
    }
}

}  // namespace weft::crawl
