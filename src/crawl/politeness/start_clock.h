#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/clock.h"

namespace weft::crawl {

// When fetches may start at one level of politeness, the addresses or the registrable domains.
//
// A key has a number of places, held from a grant until it is given back, and a clock: after each
// answer a part of the host's pause, divided by the places, passes before the next start. So many
// hosts behind one address cost it hardly more than one host would (H17).
//
// Does not wait and knows no task: whoever owns a key grants start times, for itself or, in
// batches, for others that ask by mail; none starts without a grant. On one thread.
class StartClock {
public:
    explicit StartClock(std::size_t places_max) : places_max_(places_max) {}

    // Appends up to `count` start times, in order, none before `now`; fewer when the places run
    // out. Returns how many.
    std::size_t grant(std::uint64_t key, std::size_t count, TimePoint now,
                      std::vector<TimePoint>& times);

    // A place is free again, after an answer that asks for `pause`.
    void give_back(std::uint64_t key, TimePoint now, Duration pause);

    // When a start would be granted if a place were free.
    TimePoint next_start(std::uint64_t key, TimePoint now) const;

    std::size_t key_count() const { return entries_.size(); }

private:
    struct Entry {
        std::size_t held_count = 0;
        Duration spacing{};
        TimePoint next_start = TimePoint::min();
    };

    void sweep(TimePoint now);

    std::size_t places_max_;
    std::size_t sweep_at_ = 1'024;
    std::unordered_map<std::uint64_t, Entry>
        entries_;  // Those with a place held or a clock to run.
};

using AddressClock = StartClock;

}  // namespace weft::crawl
