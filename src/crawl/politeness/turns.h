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

// What a turn is for: the hash of the registrable domain and, if it is known, of the address.
struct TurnKeys {
    std::uint64_t domain = 0;
    std::optional<std::uint64_t> address;
};

// The permit for one fetch. The destructor returns it to the Turns, which outlive it, with the
// pause that was set.
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

    // How long the domain and the address should be left alone after this fetch.
    void set_pause(Duration pause) { pause_ = pause; }

private:
    friend class Turns;
    Turn(Turns* turns, TurnKeys keys) : turns_(turns), keys_(keys) {}

    Turns* turns_ = nullptr;
    TurnKeys keys_;
    Duration pause_{};
};

// Makes fetches wait for their turn beyond the host. The frontier lends a URL when its host's time
// has come. Here the fetch also waits for its registrable domain and then for its address, so the
// strictest of the three decides. At each level the first to ask is served first.
//
// While a fetch waits here, it holds no place, so that another fetch can use it. Owned by the
// Crawler, used on its loop; the addresses are shared with other loops.
class Turns {
public:
    // `addresses` outlives the turns.
    Turns(const Config& config, AddressTurns& addresses);

    // Waits for a turn. `place` is left before it waits and entered again afterwards, for a host of
    // this standing; if the places were closed meanwhile, it is not held. Empty if the fetch would
    // have to wait and `waiting_max` others wait already. The fetch that returns its turn wakes the
    // waiter. If it is cancelled, no turn is held.
    aio::Co<std::optional<Turn>> take(TurnKeys keys, Places::Place& place, Standing standing,
                                      std::size_t waiting_max);

    // Fetches that wait here now.
    std::size_t waiting_count() const { return waiting_count_; }

    // When a fetch that asks now could start if places were free.
    TimePoint earliest_start(const TurnKeys& keys, TimePoint now) const;

private:
    friend class Turn;

    // The fetches that wait for one domain, and the start times granted to the first of them.
    struct Line {
        aio::Queue<TimePoint> starts;
        std::size_t waiting_count = 0;
        std::size_t granted_count = 0;  // Start times that are granted but not taken yet.
    };

    std::optional<TimePoint> try_take(std::uint64_t domain, TimePoint now);
    aio::Co<TimePoint> line_up(std::uint64_t domain);
    void give_back(const TurnKeys& keys, Duration pause);

    StartClock domains_;
    std::unordered_map<std::uint64_t, Line> lines_;  // By domain.
    AddressTurns& addresses_;
    std::vector<TimePoint> granted_;  // Buffer for StartClock::grant().
    std::size_t waiting_count_ = 0;
};

}  // namespace weft::crawl
