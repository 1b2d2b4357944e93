#pragma once

#include <cstddef>

#include "aio/sync/waiter_list.h"
#include "aio/task/errors.h"

namespace weft::aio {

// A meeting point for a fixed number of tasks: the last one to arrive lets all of them continue, in
// the order in which they arrived. Then the barrier is closed again for the next round.
//
// The loop resumes the waiters in its next round. A cancelled wait gives its place up and breaks
// nothing. abort() and reset() end the waits with BrokenBarrierError. The barrier outlives its
// waiters; all on one loop's thread.
class Barrier {
public:
    // REQUIRES: parties > 0; otherwise throws InvalidStateError.
    explicit Barrier(std::size_t parties) : parties_(parties) {
        if (parties == 0) throw InvalidStateError("a barrier needs at least one party");
    }
    Barrier(const Barrier&) = delete;
    Barrier& operator=(const Barrier&) = delete;

    class Awaiter;
    struct [[nodiscard("a barrier is waited at only with co_await")]] Wait {
        Barrier& barrier;
        Awaiter operator co_await() const noexcept;
    };

    // Awaiting it gives this task's place in its round: 0 for the first that arrived, parties() - 1
    // for the last. Throws BrokenBarrierError.
    Wait wait() noexcept { return {*this}; }

    // Tasks that wait get BrokenBarrierError; the barrier can be used again.
    void reset() noexcept {
        broken_ = false;
        turn_away();
    }

    // Like reset(), and tasks that come later get BrokenBarrierError too, until reset().
    void abort() noexcept {
        broken_ = true;
        turn_away();
    }

    std::size_t parties() const { return parties_; }
    std::size_t n_waiting() const { return waiting_; }
    bool broken() const { return broken_; }

private:
    std::size_t let_go() noexcept;
    void turn_away() noexcept;

    WaiterList waiters_;
    std::size_t parties_;
    std::size_t waiting_ = 0;
    bool broken_ = false;
};

class Barrier::Awaiter final : public LinedWaiter {
public:
    explicit Awaiter(Barrier& barrier) noexcept : barrier_(barrier) {}

    bool await_ready() noexcept {
        if (barrier_.broken_) {
            turned_away_ = true;
            return true;
        }
        if (barrier_.waiting_ + 1 < barrier_.parties_) return false;
        place_ = barrier_.let_go();
        return true;
    }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        barrier_.waiters_.push(*this);
        ++barrier_.waiting_;
        WEFT_ASSERT(barrier_.waiting_ < barrier_.parties_);
        suspend(caller);
    }
    std::size_t await_resume() {
        check();
        if (turned_away_) throw BrokenBarrierError();
        return place_;
    }

    void let_go(std::size_t place) noexcept {
        place_ = place;
        wake();
    }
    void turn_away() noexcept {
        turned_away_ = true;
        wake();
    }
    bool cancel() noexcept override {
        barrier_.waiters_.remove(*this);
        --barrier_.waiting_;
        mark_cancelled();
        wake();
        return true;
    }

private:
    Barrier& barrier_;
    std::size_t place_ = 0;
    bool turned_away_ = false;
};

inline Barrier::Awaiter Barrier::Wait::operator co_await() const noexcept {
    return Awaiter(barrier);
}

// Wakes all waiters. Returns the place of the last task, which did not have to wait.
inline std::size_t Barrier::let_go() noexcept {
    waiting_ = 0;
    std::size_t place = 0;
    while (auto* awaiter = static_cast<Awaiter*>(waiters_.pop())) awaiter->let_go(place++);
    return place;
}

inline void Barrier::turn_away() noexcept {
    waiting_ = 0;
    while (auto* awaiter = static_cast<Awaiter*>(waiters_.pop())) awaiter->turn_away();
}

}  // namespace weft::aio
