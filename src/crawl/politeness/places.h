#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "aio/loop/loop.h"
#include "aio/sync/event.h"
#include "aio/sync/waiter_list.h"
#include "aio/task/co.h"
#include "base/clock.h"

namespace weft::crawl {

// How a host has answered so far.
enum class Standing : std::uint8_t {
    good,   // Its last answer came soon.
    fresh,  // Nothing is known.
    slow,   // Its last fetch failed, or took long.
};

// The places of fetches under way, so that hosts which are slow, silent or dead never hold up one
// that answers.
//
// There are `count` places for fetches that get on, and as many again for slow ones. Hosts of good
// and of fresh standing use the first, those of slow standing the second. A quarter of the first is
// kept for good hosts; where both wait, they take turns. While a fetch waits for a place in the
// first, another that has held one for a second moves over to the slow ones. If these are full, it
// is told to give up (Place::on_crowded), later and only if nothing comes in: its host then waits
// for a slow place. While no fetch waits, nothing moves.
//
// On one loop; outlives its places.
class Places {
public:
    class Place;

    // `changed` is set whenever is_crowded() ends.
    Places(std::size_t count, aio::Event& changed);

    // Hosts that are not of good standing are waiting in such numbers that no more should come.
    bool is_crowded() const;

    // From now on no fetch gets a place: those that wait for one are woken without.
    void close();

    std::size_t waiting_count(Standing standing) const { return lane(standing).waiting_count; }
    std::size_t used_count(Standing standing) const { return lane(standing).used_count; }

private:
    struct Lane {
        aio::WaiterList line;
        std::size_t waiting_count = 0;
        std::size_t used_count = 0;
    };
    class Awaiter;

    Lane& lane(Standing standing) { return lanes_[static_cast<std::size_t>(standing)]; }
    const Lane& lane(Standing standing) const { return lanes_[static_cast<std::size_t>(standing)]; }
    bool may_enter(Standing standing) const;
    bool is_wanted() const;
    bool serve_one(Standing standing) noexcept;
    void serve() noexcept;
    void leave(Standing standing) noexcept;

    std::size_t count_;
    std::size_t fresh_max_;
    aio::Event& changed_;
    std::array<Lane, 3> lanes_;
    Standing last_served_ = Standing::fresh;
    bool is_closed_ = false;
};

// One fetch's place: held from enter() to leave(), or to its end.
class Places::Place final : private aio::Timer {
public:
    explicit Place(Places& places) : places_(places) {}
    ~Place() { leave(); }

    // Waits for a place for a host of this standing. False: the places are closed, none is held.
    aio::Co<bool> enter(Standing standing);

    // The same without waiting: false, too, if another waits.
    bool try_enter(Standing standing) noexcept;
    void leave() noexcept;
    bool is_held() const { return is_held_; }

    // The fetch begins: from now on it may be moved or told to give up. `has_progress` says whether
    // enough has come in since it was last called; `on_crowded` only schedules something.
    void watch(std::function<bool()> has_progress, std::function<void()> on_crowded);
    void unwatch() noexcept;

private:
    void fire() noexcept override;
    void look_again() noexcept;

    Places& places_;
    Standing standing_ = Standing::fresh;
    bool is_held_ = false;
    TimePoint since_{};
    std::function<bool()> has_progress_;
    std::function<void()> on_crowded_;
};

}  // namespace weft::crawl
