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

// Whose turn is it at an address? The one level of politeness that shards share: hosts of many
// owners, and so of many shards, may be one machine. None connects without a start time from here.
//
// First come, first served, whatever their loops. For any thread; a lock is held for as long as it
// takes to look at a clock.
class AddressTurns {
public:
    explicit AddressTurns(std::size_t places_max) : clock_(places_max) {}

    // A start time, not before `now`; nothing if there is no place, or others wait for one.
    std::optional<TimePoint> try_take(std::uint64_t key, TimePoint now);

    // Waits for one. Cancelled, nothing is held.
    aio::Co<TimePoint> line_up(std::uint64_t key);

    // A fetch that had one has ended, with an answer that asks for `pause`.
    void give_back(std::uint64_t key, TimePoint now, Duration pause);

    // When a start would be granted if a place were free.
    TimePoint next_start(std::uint64_t key, TimePoint now) const;

private:
    struct Waiter {
        std::shared_ptr<aio::LoopSignal> signal = std::make_shared<aio::LoopSignal>();
        std::optional<TimePoint> start;
    };
    class Place;

    // Under the lock.
    std::optional<TimePoint> grant(std::uint64_t key, TimePoint now);
    void serve_line(std::uint64_t key, TimePoint now);

    mutable std::mutex mutex_;
    StartClock clock_;
    std::unordered_map<std::uint64_t, std::deque<Waiter*>> lines_;  // None is empty.
    std::vector<TimePoint> granted_;
};

}  // namespace weft::crawl
