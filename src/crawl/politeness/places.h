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
    good,   // Its last response came soon.
    fresh,  // Nothing is known yet.
    slow,   // Its last fetch failed or took long.
};

// The places of fetches under way. They bound the concurrency of a crawler so that hosts which are
// slow, silent or dead never hold up hosts that answer.
//
// There are `count` fast places and `count` slow places. Hosts of good and fresh standing use the
// fast ones, hosts of slow standing the slow ones. A quarter of the fast places is reserved for
// good hosts. When both good and fresh hosts wait, they are served in turn.
//
// While a fetch waits for a fast place, another fetch that has held one for a second moves to a
// slow place. If the slow places are full, that fetch must give up (the `on_crowded` of
// Place::watch()), but only after a longer time and only if no content comes in. Its host then
// waits for a slow place. While no fetch waits, nothing moves.
//
// Invariant: used_count(good) + used_count(fresh) <= count, and used_count(slow) <= count. Owned by
// the Crawler, used on its loop; outlives its places.
class Places {
public:
    class Place;

    explicit Places(std::size_t count);

    // Set whenever is_crowded() becomes false, and on close(). Others may set it too.
    aio::Event& changed() { return changed_; }

    // So many fetches to fresh and slow hosts wait that no more URLs should be leased.
    bool is_crowded() const;

    // From now on no fetch gets a place. Waiting fetches are woken without one.
    void close();
    bool is_closed() const { return is_closed_; }

    std::size_t waiting_count(Standing standing) const { return lane(standing).waiting_count; }
    std::size_t used_count(Standing standing) const { return lane(standing).used_count; }

private:
    // The waiting fetches and the places in use of one standing.
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
    std::size_t fresh_max_;  // The most fast places that fresh hosts may use.
    aio::Event changed_;
    std::array<Lane, 3> lanes_;  // By standing.
    Standing last_served_ = Standing::fresh;
    bool is_closed_ = false;
};

// The place of one fetch. It is held from enter() to leave() or to the destructor. Owned by the
// fetch's task.
class Places::Place final : private aio::Timer {
public:
    explicit Place(Places& places) : places_(places) {}
    ~Place() { leave(); }

    // Waits for a place for a host of this standing. The fetch that leaves a place wakes the first
    // waiter and hands the place over. False: the places are closed, and none is held. If it is
    // cancelled, none is held.
    aio::Co<bool> enter(Standing standing);

    // The same without waiting. False also if another fetch of this standing waits already.
    bool try_enter(Standing standing) noexcept;
    void leave() noexcept;
    bool is_held() const { return is_held_; }

    // From now on the fetch may be moved to a slow place or told to give up. `has_progress` returns
    // whether enough content came in since its last call. `on_crowded` is called from a timer, so
    // it may only schedule something. What they refer to must live until unwatch() or leave().
    void watch(std::function<bool()> has_progress, std::function<void()> on_crowded);
    void unwatch() noexcept;

private:
    void fire() noexcept override;
    void look_again() noexcept;

    Places& places_;
    Standing standing_ = Standing::fresh;
    bool is_held_ = false;
    TimePoint since_{};  // When watch() was called.
    std::function<bool()> has_progress_;
    std::function<void()> on_crowded_;
};

}  // namespace weft::crawl
