#include "crawl/politeness/host_table.h"

#include <algorithm>
#include <ranges>

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
                           .turn = {.domain = domain_key_of(hostname), .address = {}}});
        by_name_.emplace(hosts_.front().name, hosts_.begin());
    }
    if (hosts_.front().visit_count++ == 0) ++active_count_;
    return hosts_.front();
}

void HostTable::leave(HostState& host) {
    if (--host.visit_count == 0) --active_count_;
}

// The table lists the most recently used hosts first, so a bounded look finds those that matter.
std::vector<HostStatus> HostTable::busy_hosts(TimePoint now) const {
    constexpr std::size_t kLooksMax = 1'000;
    std::vector<HostStatus> busy;
    for (const HostState& host : hosts_ | std::views::take(kLooksMax)) {
        if (host.visit_count == 0 && host.ready_at <= now) continue;
        busy.push_back({.name = host.name,
                        .under_way_count = host.visit_count,
                        .answer_time = host.answer_time,
                        .wait = host.wait,
                        .wait_left = std::max(host.ready_at - now, Duration::zero()),
                        .robots_status = host.robots_status});
    }
    return busy;
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
