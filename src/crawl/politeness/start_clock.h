#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/clock.h"

namespace weft::crawl {

// The start times of fetches at one level of politeness: the addresses, or the registrable domains.
//
// Each key has `places_max` places and a clock. A grant holds a place until give_back(). After each
// response the next start of the key waits for the host's pause divided by the number of places.
// So many hosts behind one address load it hardly more than one host would (H17).
//
// It never waits and knows no tasks: the caller keeps the waiting line. Used by one thread at a
// time.
//
// Invariant: a key holds at most `places_max` places.
class StartClock {
public:
    explicit StartClock(std::size_t places_max) : places_max_(places_max) {}

    // Takes up to `count` places and appends their start times to `times`, in order and not before
    // `now`. Returns how many; fewer than `count` if the places run out.
    std::size_t grant(std::uint64_t key, std::size_t count, TimePoint now,
                      std::vector<TimePoint>& times);

    // Frees a place after a response whose host wants `pause`. REQUIRES: a place of `key` is held.
    void give_back(std::uint64_t key, TimePoint now, Duration pause);

    // When the next fetch could start if a place were free.
    TimePoint next_start(std::uint64_t key, TimePoint now) const;

    std::size_t key_count() const { return entries_.size(); }

private:
    struct KeyClock {
        std::size_t held_count = 0;
        Duration spacing{};  // Between two starts, by the last response.
        TimePoint next_start = TimePoint::min();
    };

    void sweep(TimePoint now);

    std::size_t places_max_;
    std::size_t sweep_at_ = 1'024;
    std::unordered_map<std::uint64_t, KeyClock>
        entries_;  // Keys with a place held or a next_start in the future; others may linger.
};

}  // namespace weft::crawl
