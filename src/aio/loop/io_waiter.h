#pragma once

#include <utility>

#include "aio/task/task_base.h"
#include "base/assert.h"

namespace weft::aio {

class IoSide;

// Suspends until the side is ready. Whoever calls IoSide::set() wakes the task, which resumes in
// the loop's next round. A cancelled wait has consumed nothing. If the connection is closed during
// the wait, the await throws IoError (operation_canceled). A second waiter on the same side gets
// InvalidStateError.
class IoAwaiter final : public Waiter {
public:
    explicit IoAwaiter(IoSide& side) noexcept : side_(&side) {}

    bool await_ready() const noexcept;
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        link();
        suspend(caller);
    }
    void await_resume() {
        check();
        if (!side_) throw_closed();
    }

    bool cancel() noexcept override;

    // The side is being destroyed or closed: the await ends with IoError.
    void abandon() noexcept {
        side_ = nullptr;
        wake();
    }

private:
    void link();
    [[noreturn]] static void throw_closed();

    IoSide* side_;
};

// What until_readable() and until_writable() return: awaiting it waits for the side.
struct [[nodiscard("a connection is waited for only with co_await")]] IoWait {
    IoSide* side;
    IoAwaiter operator co_await() const noexcept { return IoAwaiter(*side); }
};

// One direction of a connection: whether it is ready as far as we know, and the task that waits for
// it, if any.
//
// The selector or the simulated network sets `ready` when it learns of it; the transport clears it
// when a call finds nothing left (EAGAIN, a short read). It lives in the transport. It dies before
// its waiter only if the transport is closed during the wait.
class IoSide {
public:
    IoSide() = default;
    IoSide(const IoSide&) = delete;
    IoSide& operator=(const IoSide&) = delete;
    ~IoSide() { close(); }

    bool is_ready() const { return ready_; }
    void clear() noexcept { ready_ = false; }
    void set() noexcept {
        ready_ = true;
        if (IoAwaiter* waiter = std::exchange(waiter_, nullptr)) waiter->wake();
    }
    IoWait wait() noexcept { return {this}; }

    // The connection was closed: ends the wait of the waiter, if any.
    void close() noexcept {
        if (IoAwaiter* waiter = std::exchange(waiter_, nullptr)) waiter->abandon();
    }

private:
    friend class IoAwaiter;
    IoAwaiter* waiter_ = nullptr;
    bool ready_ = false;
};

inline bool IoAwaiter::await_ready() const noexcept {
    return side_->is_ready();
}

inline void IoAwaiter::link() {
    if (side_->waiter_) {
        throw InvalidStateError(
            "two tasks read from one connection at once (or write to it): let one task do it, or "
            "put a Lock around each whole message");
    }
    side_->waiter_ = this;
}

inline bool IoAwaiter::cancel() noexcept {
    WEFT_ASSERT(side_ && side_->waiter_ == this);
    side_->waiter_ = nullptr;
    mark_cancelled();
    wake();
    return true;
}

}  // namespace weft::aio
