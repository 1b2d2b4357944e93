#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "frontier/bench/delivery.h"
#include "frontier/bench/due.h"
#include "frontier/store/ledger.h"

namespace weft::frontier {

// Decides which URLs go from the ledger to the workbench.
//
// Of each lane of a host on the bench at most `window` are handed out and not done, so the best is
// always among them. The bench has room for so many hosts; those whose time is near come first.
// Others wait in line, or, when they have left memory, on disk, where the runs know who is due
// first: a host is fetched when its time is near and there is room, and no other is looked at.
//
// Invariant: a host that waits is on the bench, in line, or on disk with its due not yet taken. One
// whose due was taken counts as changed, so that the next checkpoint writes it with a new one.
class Dispatcher {
public:
    // A host goes on the bench no earlier than this before its time.
    static constexpr Duration kNear = 10s;

    Dispatcher(Ledger& ledger, std::size_t window, std::size_t bench_count_max)
        : ledger_(ledger), window_(window), bench_count_max_(bench_count_max) {}

    // The host has changed: looked at by the next dispatch().
    void touch(Host& host);

    // What is to go to the workbench now.
    void dispatch(WallTime now, std::vector<Delivery>& deliveries);

    // When dispatch() is to be called again, even if nothing happens.
    std::optional<WallTime> wake_at() const { return wake_at_; }

    // Hosts wait that could be on the bench if it had room.
    bool is_crowded() const { return is_crowded_; }

    // The workbench gave the host up: none of its URLs is lent.
    void retire(Host& host);

    // After open(): everything in memory is to be looked at.
    void touch_all();

    // After a checkpoint hosts may have left memory.
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
    std::set<Due> line_;  // Hosts in memory.
    bool is_crowded_ = false;
    std::optional<WallTime> wake_at_;
};

}  // namespace weft::frontier
