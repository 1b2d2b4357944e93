#pragma once

#include <utility>

#include "aio/task_base.h"
#include "base/assert.h"

namespace weft::aio {

class IoSide;

// Awaited, suspends until the side is ready. Cancelled, nothing was consumed.
class IoAwaiter final : public Waiter {
public:
    explicit IoAwaiter(IoSide& side) noexcept : side_(side) {}

    bool await_ready() const noexcept;
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        link();
        suspend(caller);
    }
    void await_resume() { check(); }

    bool cancel() noexcept override;

private:
    void link() noexcept;

    IoSide& side_;
};

struct IoWait {
    IoSide* side;
    IoAwaiter operator co_await() const noexcept { return IoAwaiter(*side); }
};

// One direction of a connection: whether it is ready as far as we know, and who waits for that.
//
// `ready` is set by whoever learns of it (a selector, the simulated network) and cleared by whoever
// finds it used up (EAGAIN, a short read).
class IoSide {
public:
    bool is_ready() const { return ready_; }
    bool has_waiter() const { return waiter_ != nullptr; }
    void clear() noexcept { ready_ = false; }
    void set() noexcept {
        ready_ = true;
        if (IoAwaiter* waiter = std::exchange(waiter_, nullptr)) waiter->wake();
    }
    IoWait wait() noexcept { return {this}; }

private:
    friend class IoAwaiter;
    IoAwaiter* waiter_ = nullptr;
    bool ready_ = false;
};

inline bool IoAwaiter::await_ready() const noexcept {
    return side_.is_ready();
}

inline void IoAwaiter::link() noexcept {
    WEFT_ASSERT(!side_.waiter_);  // Two tasks reading from one connection is a bug.
    side_.waiter_ = this;
}

inline bool IoAwaiter::cancel() noexcept {
    side_.waiter_ = nullptr;
    mark_cancelled();
    wake();
    return true;
}

}  // namespace weft::aio
