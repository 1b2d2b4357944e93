#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "aio/sync/mailbox.h"
#include "aio/task/co.h"
#include "crawl/politeness/start_clock.h"

namespace weft::crawl {

// Grants the turns at IP addresses: when, and how many at once, fetches may connect to one machine.
// This is the one level of politeness that shards share, because hosts of many domains, and so of
// many shards, may be one machine. No fetch connects without a start time from here.
//
// Waiters of one address are served in the order in which they came, on whatever loop they run. May
// be used from any thread; the lock is held only for a look at a clock. Owned by SharedState.
//
// Invariant: each start time that was taken is given back exactly once.
class AddressTurns {
public:
    // `places_max`: fetches of one address under way at once.
    explicit AddressTurns(std::size_t places_max) : clock_(places_max) {}

    // Takes a start time, not before `now`. Empty if no place is free, or if others wait for one.
    std::optional<TimePoint> try_take(std::uint64_t key, TimePoint now);

    // Waits for a start time. The give_back() that frees a place wakes the waiter, through the
    // waiter's own loop. If it is cancelled, nothing is held: a place already granted goes to the
    // next waiter.
    aio::Co<TimePoint> line_up(std::uint64_t key);

    // Call it when a fetch that took a start time has ended. `pause` is how long its response asks
    // to leave the machine alone.
    void give_back(std::uint64_t key, TimePoint now, Duration pause);

    // When the next fetch could start if a place were free.
    TimePoint next_start(std::uint64_t key, TimePoint now) const;

private:
    struct Waiter {
        std::shared_ptr<aio::LoopSignal> signal = std::make_shared<aio::LoopSignal>();
        std::optional<TimePoint> start;
    };
    class AddressPlace;

    // REQUIRES: mutex_ is held.
    std::optional<TimePoint> grant(std::uint64_t key, TimePoint now);
    void serve_line(std::uint64_t key, TimePoint now);

    mutable std::mutex mutex_;
    StartClock clock_;
    std::unordered_map<std::uint64_t, std::deque<Waiter*>> lines_;  // By key; no line is empty.
    std::vector<TimePoint> granted_;                                // Buffer of grant().
};

}  // namespace weft::crawl
