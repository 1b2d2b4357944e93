#pragma once

#include <deque>
#include <vector>

#include "frontier/delivery.h"
#include "frontier/ledger.h"

namespace weft::frontier {

// Decides which URLs go from the ledger to the workbench.
//
// Of each lane of a host on the bench at most `window` are handed out and not done, so the best is
// always among them. The bench has room for so many hosts; others wait in line, or, when they have
// left memory, on disk, where a walk around the runs finds them.
class Dispatcher {
public:
    Dispatcher(Ledger& ledger, std::size_t window, std::size_t bench_count_max)
        : ledger_(ledger), window_(window), bench_count_max_(bench_count_max) {}

    // The host has changed: looked at by the next dispatch().
    void touch(Host& host);

    // What is to go to the workbench now. When anything waits, something is there.
    void dispatch(std::vector<Delivery>& deliveries);

    // After open(): everything in memory is to be looked at.
    void touch_all();

    // After a checkpoint hosts may have left memory.
    void forget_line();

private:
    void deliver(Host& host, std::vector<Delivery>& deliveries);
    void fill_from_line(std::vector<Delivery>& deliveries);
    void fill_from_disk(std::vector<Delivery>& deliveries);
    bool has_room() const { return bench_count_ < bench_count_max_; }

    Ledger& ledger_;
    std::size_t window_;
    std::size_t bench_count_max_;
    std::size_t bench_count_ = 0;
    std::vector<Host*> touched_;
    std::deque<std::uint64_t> line_;  // Ids of hosts in memory.
    std::uint64_t next_cold_id_ = 0;
};

}  // namespace weft::frontier
