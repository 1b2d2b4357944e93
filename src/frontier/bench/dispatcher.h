#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/due.h"
#include "frontier/bench/receipt.h"
#include "frontier/store/ledger.h"

namespace weft::frontier {

// Decides which URLs go from the ledger to the workbench.
//
// At most `window` URLs of each lane of a host are handed out and not done, so the best URL of the
// host is always among them. The bench holds at most `bench_count_max` hosts, and hosts whose time
// is near come first. The other hosts wait in line, in memory, or on disk. The runs on disk know
// which of their hosts is due first: a host is loaded when its time is near and there is room, and
// no other host is read.
//
// Invariant: a host with waiting URLs is on the bench, in line, or on disk with a due that was not
// taken yet. A host whose due was taken counts as changed, so the next checkpoint writes it with a
// new due.
//
// Owned by the Store, and used by one thread at a time, as the store is. The ledger outlives it.
class Dispatcher {
public:
    // A host goes onto the bench at most this long before its time.
    static constexpr Duration kNear = 10s;

    Dispatcher(Ledger& ledger, std::size_t window, std::size_t bench_count_max)
        : ledger_(ledger), window_(window), bench_count_max_(bench_count_max) {}

    // Marks the host as changed, so the next dispatch() looks at it.
    void touch(Host& host);

    // Appends the URLs that go to the workbench now.
    void dispatch(WallTime now, std::vector<Delivery>& deliveries);

    // When to call dispatch() again, even if nothing was committed until then.
    std::optional<WallTime> wake_at() const { return wake_at_; }

    // The bench is full, and hosts wait whose time is near.
    bool is_crowded() const { return is_crowded_; }

    // The workbench gave the host up. REQUIRES: it has no lent URL.
    void retire(Host& host);

    // After Store::open(): marks all hosts in memory that have waiting URLs.
    void touch_all();

    // After a checkpoint: hosts may have left memory, so they leave the line as well.
    void after_checkpoint();

private:
    void line_up(Host& host);
    void fill_bench(WallTime now, std::vector<Delivery>& deliveries);
    Host* take_first(WallTime latest, std::size_t& load_count);
    WallTime first_time();
    void deliver(Host& host, std::vector<Delivery>& deliveries);
    void leave_bench(Host& host);
    bool has_room() const { return bench_count_ < bench_count_max_; }

    Ledger& ledger_;
    std::size_t window_;
    std::size_t bench_count_max_;
    std::size_t bench_count_ = 0;
    std::vector<Host*> touched_;
    std::set<Due> line_;  // Of hosts in memory that are not on the bench.
    bool is_crowded_ = false;
    std::optional<WallTime> wake_at_;
};

}  // namespace weft::frontier
