#pragma once

#include <utility>

#include "aio/task/task_base.h"

namespace weft::aio {

class IoSide;

// Awaited, suspends until the side is ready; whoever sets it so resumes the task, in the loop's
// next round. Cancelled, nothing was consumed. A connection that is closed under the wait ends it
// in IoError (operation_canceled). A second waiter of one side gets InvalidStateError.
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

    // The side is no more.
    void abandon() noexcept {
        side_ = nullptr;
        wake();
    }

private:
    void link();
    [[noreturn]] static void throw_closed();

    IoSide* side_;
};

struct [[nodiscard("a connection is waited for only with co_await")]] IoWait {
    IoSide* side;
    IoAwaiter operator co_await() const noexcept { return IoAwaiter(*side); }
};

// One direction of a connection: whether it is ready as far as we know, and who waits for that.
//
// `ready` is set by whoever learns of it (a selector, the simulated network) and cleared by whoever
// finds it used up (EAGAIN, a short read). Lives in the transport; dies before its waiter only when
// the transport is closed under it.
class IoSide {
public:
    IoSide() = default;
    IoSide(const IoSide&) = delete;
    IoSide& operator=(const IoSide&) = delete;
    ~IoSide() { close(); }

    bool is_ready() const { return ready_; }
    bool has_waiter() const { return waiter_ != nullptr; }
    void clear() noexcept { ready_ = false; }
    void set() noexcept {
        ready_ = true;
        if (IoAwaiter* waiter = std::exchange(waiter_, nullptr)) waiter->wake();
    }
    IoWait wait() noexcept { return {this}; }

    // The connection was closed: whoever waits is told so.
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
    side_->waiter_ = nullptr;
    mark_cancelled();
    wake();
    return true;
}

}  // namespace weft::aio
