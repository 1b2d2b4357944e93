#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "aio/net/endpoint.h"
#include "base/clock.h"
#include "crawl/politeness/breaker.h"
#include "crawl/politeness/hold.h"
#include "crawl/politeness/host_status.h"
#include "crawl/politeness/places.h"
#include "crawl/scope/domains.h"

namespace weft::crawl {

// What is known of a host while it is being crawled.
struct Host {
    std::string name;  // As the frontier knows it: with its port.
    std::uint64_t key = 0;
    std::uint64_t domain_key = 0;

    // Where it was last found, and for how long that holds.
    std::optional<std::uint64_t> address_key;
    TimePoint address_until = TimePoint::min();

    Standing standing = Standing::fresh;
    TimePoint next_start{};  // With a Crawl-delay: of its fetches, however many there may be.
    Breaker breaker;
    std::string last_failure;      // The reason of the failure by which the breaker gave it up.
    unsigned overload_streak = 0;  // Answers of 429 and 503, one after the other.
    unsigned visit_count = 0;      // Under way.

    // Its robots.txt was asked for in vain as often as a page would be, or it asks to be left alone
    // for longer than the crawl waits: nothing of the host is asked for until then, and then once.
    TimePoint closed_until{};
    std::string_view closed_failure;
    std::string closed_reason;

    Hold hold;  // By Retry-After; see Config::retry_after_max.

    // For displays: why and until when it is left alone, and how long its answers take.
    HostWait wait = HostWait::none;
    TimePoint ready_at{};
    int robots_status = 0;
    Duration answer_time{};
};

// The hosts in use, the least recently used forgotten beyond `count_max`: what is lost with one is
// but its breaker. On one loop.
class HostTable {
public:
    HostTable(std::shared_ptr<const Domains> domains, std::uint64_t hash_seed,
              std::size_t count_max = 50'000)
        : domains_(std::move(domains)), hash_seed_(hash_seed), count_max_(count_max) {}

    // A visit of the host begins; the reference holds until leave(). `hostname` is the name
    // without its port.
    Host& enter(std::string_view name, std::string_view hostname);
    void leave(Host& host);

    // Fresh if it is not in the table.
    Standing standing_of(std::string_view name) const;

    // The keys of a host that need not be in the table.
    std::uint64_t key_of(std::string_view name) const;
    std::uint64_t domain_key_of(std::string_view hostname) const;

    std::size_t size() const { return hosts_.size(); }

    // Hosts with a visit under way.
    std::size_t active_count() const { return active_count_; }

    // The most recently used first.
    const std::list<Host>& hosts() const { return hosts_; }

private:
    using Place = std::list<Host>::iterator;

    void make_room();

    std::shared_ptr<const Domains> domains_;
    std::uint64_t hash_seed_;  // Outsiders choose names (H74).
    std::size_t count_max_;
    std::size_t active_count_ = 0;
    std::list<Host> hosts_;                                // The most recently used first.
    std::unordered_map<std::string_view, Place> by_name_;  // Views of the names in `hosts_`.
};

}  // namespace weft::crawl
