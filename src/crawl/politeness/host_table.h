#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "crawl/politeness/breaker.h"
#include "crawl/politeness/hold.h"
#include "crawl/politeness/host_status.h"
#include "crawl/politeness/places.h"
#include "crawl/politeness/turns.h"
#include "crawl/scope/domains.h"

namespace weft::crawl {

// What a crawler knows about a host while it crawls it.
struct HostState {
    std::string name;       // As the frontier knows it: with its port.
    std::uint64_t key = 0;  // Hash of the name.
    TurnKeys turn;          // Hashes of its registrable domain and, if it is known, its address.
    TimePoint address_until = TimePoint::min();  // Until then DNS is not asked again.

    Standing standing = Standing::fresh;
    TimePoint next_start{};  // With a Crawl-delay: the earliest start of the next fetch.
    Breaker breaker;
    std::string last_failure;      // The failure after which the breaker gave the host up.
    unsigned overload_streak = 0;  // Responses of 429 and 503 in a row.
    unsigned visit_count = 0;      // Visits under way.

    // A closed host: its robots.txt failed as often as a page may be tried, or its Retry-After is
    // longer than the crawl waits. Until then its URLs end with this failure and nothing is
    // requested. After that one try decides again.
    TimePoint closed_until{};
    std::string closed_failure;
    std::string closed_reason;

    Hold hold;  // Waits by Retry-After; see Config::retry_after_max.

    // For displays: why and until when it is left alone, and how long its responses take.
    HostWait wait = HostWait::none;
    TimePoint ready_at{};
    int robots_status = 0;
    Duration answer_time{};
};

// The hosts that were used last, at most about `count_max`. Beyond that the least recently used
// ones without a visit under way are forgotten; a forgotten host loses its breaker and its pauses
// here, while the frontier still knows when its next fetch may start.
//
// Owned by the Admission, used on its loop.
class HostTable {
public:
    HostTable(std::shared_ptr<const Domains> domains, std::uint64_t hash_seed,
              std::size_t count_max = 50'000)
        : domains_(std::move(domains)), hash_seed_(hash_seed), count_max_(count_max) {}

    // Call enter() when a visit to the host begins and leave() when it ends; the reference is valid
    // in between. `hostname` is the name without its port.
    HostState& enter(std::string_view name, std::string_view hostname);
    void leave(HostState& host);

    // The standing of a host; Standing::fresh if it is not in the table.
    Standing standing_of(std::string_view name) const;

    // The keys of any host, in the table or not.
    std::uint64_t key_of(std::string_view name) const;
    std::uint64_t domain_key_of(std::string_view hostname) const;

    std::size_t size() const { return hosts_.size(); }

    // Hosts with a visit under way.
    std::size_t active_count() const { return active_count_; }

    // The hosts with a visit under way or a wait, without the number of their waiting URLs, which
    // only the frontier knows. Those beyond the most recently used ones are left out.
    std::vector<HostStatus> busy_hosts(TimePoint now) const;

private:
    using Place = std::list<HostState>::iterator;

    void make_room();

    std::shared_ptr<const Domains> domains_;
    std::uint64_t hash_seed_;  // Random, because outsiders choose the names (H74).
    std::size_t count_max_;
    std::size_t active_count_ = 0;
    std::list<HostState> hosts_;                           // The most recently used first.
    std::unordered_map<std::string_view, Place> by_name_;  // Views of the names in `hosts_`.
};

}  // namespace weft::crawl
