#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/receipt.h"

namespace weft::frontier {

// Decides which URL is lent next. It holds the hosts of one shard that have a URL to lend, ordered
// by the time at which they may.
//
// The store delivers a few URLs of each host, and more as these are done. A host lends at most
// `max_per_host` URLs at once, and none before its time.
//
// Invariant: a host is on the bench, once, exactly if it has a URL and lends fewer than
// `max_per_host`. A host without a URL and without a loan is removed; the store knows its time.
//
// All times are those of the store's clock. Used on one loop's thread. It knows neither the store
// nor the disk.
class Workbench {
public:
    explicit Workbench(std::size_t max_per_host) : max_per_host_(max_per_host) {}

    // Adds a URL. Its `host_ready_at` is used only if its host is not here yet. URLs of dropped
    // hosts are ignored.
    void add(Delivery delivery);

    // The time at which the first host can lend a URL; nothing if no host can.
    std::optional<WallTime> next_time() const;

    // REQUIRES: next_time() <= now.
    Visit lend(WallTime now);

    // The visit's address in the store. REQUIRES: the visit is lent.
    Slot slot_of(std::uint64_t visit_id) const;

    // Ends the loan. The host lends nothing before `host_ready_at`. REQUIRES: the visit is lent.
    void give_back(std::uint64_t visit_id, WallTime host_ready_at);

    // Removes up to kRetireCount hosts that have no loan and can lend nothing before `far`. Returns
    // their ids.
    static constexpr std::size_t kRetireCount = 16;
    std::vector<std::uint64_t> retire(WallTime far);

    // Replaces the host's time, also by an earlier one. Hosts that are not here are ignored.
    void set_ready(std::uint64_t host_id, WallTime ready_at);

    // Removes the host's URLs that are not lent, and ignores all that are added later. Returns the
    // addresses of those lent.
    std::vector<Slot> drop(std::uint64_t host_id);

    // Removes the host's URLs that are not lent. More may be added later.
    void forget(std::uint64_t host_id);

    std::size_t lent_count() const { return lent_.size(); }
    bool is_dropped(std::uint64_t host_id) const { return dropped_.contains(host_id); }

private:
    struct BenchLane {
        std::uint8_t number = 0;
        std::deque<Delivery> urls;  // Ordered by sequence; in a retry lane by not_before.
    };

    struct BenchHost {
        std::uint64_t id = 0;
        std::uint64_t serial = 0;  // Of two hosts with the same time, the older comes first.
        WallTime ready_at{};
        std::optional<WallTime> bench_time;  // Its key on the bench; nothing: it is not there.
        std::size_t lent_count = 0;
        std::vector<BenchLane> lanes;  // Ordered by number; no lane is empty.
    };

    struct Loan {
        BenchHost* host;
        Slot slot;
    };

    using Bench = std::set<std::tuple<WallTime, std::uint64_t, BenchHost*>>;

    bool can_lend(const BenchHost& host) const {
        return host.lent_count < max_per_host_ && !host.lanes.empty();
    }
    static WallTime lend_time(const BenchHost& host);
    static Delivery take_next(BenchHost& host, WallTime now);
    static void insert(BenchHost& host, Delivery delivery);
    void place(BenchHost& host);

    std::size_t max_per_host_;
    std::unordered_map<std::uint64_t, BenchHost> hosts_;
    std::unordered_map<std::uint64_t, Loan> lent_;
    std::unordered_set<std::uint64_t> dropped_;
    Bench bench_;
    std::uint64_t last_serial_ = 0;
    std::uint64_t last_visit_id_ = 0;
};

}  // namespace weft::frontier
