#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aio/sync/queue.h"
#include "aio/task/co.h"
#include "crawl/politeness/address_turns.h"
#include "crawl/politeness/places.h"
#include "crawl/politeness/start_clock.h"
#include "crawl/run/config.h"

namespace weft::crawl {

class Turns;

// What a turn is asked for: the registrable domain and, once known, the address.
struct TurnKeys {
    std::uint64_t domain = 0;
    std::optional<std::uint64_t> address;
};

// The right to one fetch. Gives itself back, with the pause that the answer asks for.
class [[nodiscard]] Turn {
public:
    Turn() = default;
    Turn(Turn&& other) noexcept
        : turns_(std::exchange(other.turns_, nullptr)), keys_(other.keys_), pause_(other.pause_) {}
    Turn& operator=(Turn&& other) noexcept {
        std::swap(turns_, other.turns_);
        std::swap(keys_, other.keys_);
        std::swap(pause_, other.pause_);
        return *this;
    }
    ~Turn();

    void set_pause(Duration pause) { pause_ = pause; }

private:
    friend class Turns;
    Turn(Turns* turns, TurnKeys keys) : turns_(turns), keys_(keys) {}

    Turns* turns_ = nullptr;
    TurnKeys keys_;
    Duration pause_{};
};

// Whose turn is it, beyond the host? The frontier lends a URL when its host's time has come; here
// the fetch waits for the registrable domain and for the address as well, in that order, so the
// strictest of the three decides. First come, first served at each.
//
// While a fetch waits here, its place among those under way goes to another. On one loop; the
// addresses are shared with other loops.
class Turns {
public:
    Turns(const Config& config, AddressTurns& addresses);

    // `place` is given up while waiting and taken again after, for a host of this standing; if the
    // places were closed meanwhile, it is not held. Nothing if the fetch would have to wait and
    // `waiting_max` others do.
    aio::Co<std::optional<Turn>> take(TurnKeys keys, Places::Place& place, Standing standing,
                                      std::size_t waiting_max);

    // Fetches that wait here now.
    std::size_t waiting_count() const { return waiting_count_; }

    // When a fetch that asks now would start, as far as is known.
    TimePoint earliest_start(const TurnKeys& keys, TimePoint now) const;

private:
    friend class Turn;

    // Who waits for a place of one domain, and the start times granted to the first of them.
    struct Line {
        aio::Queue<TimePoint> starts;
        std::size_t waiting_count = 0;
        std::size_t granted_count = 0;  // Of them: whose start time is known.
    };

    std::optional<TimePoint> try_take(std::uint64_t domain, TimePoint now);
    aio::Co<TimePoint> line_up(std::uint64_t domain);
    void give_back(const TurnKeys& keys, Duration pause);

    StartClock domains_;
    std::unordered_map<std::uint64_t, Line> lines_;  // Before the domains.
    AddressTurns& addresses_;
    std::vector<TimePoint> granted_;
    std::size_t waiting_count_ = 0;
};

}  // namespace weft::crawl
