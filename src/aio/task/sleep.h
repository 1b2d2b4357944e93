#pragma once

#include "aio/loop/loop.h"
#include "aio/task/task_base.h"
#include "base/clock.h"

namespace weft::aio {

// The waiter and the timer of one sleep, in the frame of the sleeping coroutine.
class SleepAwaiter final : public Waiter, public Timer {
public:
    explicit SleepAwaiter(Duration duration) noexcept : duration_(duration) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        EventLoop& loop = caller.promise().task()->loop();
        const bool only_yields = duration_ <= Duration::zero();
        // A pending cancellation is delivered by suspend(), which may already wake the task. A task
        // that only yields has no armed timer, so its cancel() is refused and the wake() below is
        // the only one.
        if (!only_yields) loop.arm(*this, saturating_add(loop.time(), duration_));
        suspend(caller);
        if (only_yields) wake();
    }
    void await_resume() { check(); }

    void fire() noexcept override { wake(); }
    bool cancel() noexcept override {
        if (!is_armed()) return false;
        task()->loop().disarm(*this);
        mark_cancelled();
        wake();
        return true;
    }

private:
    Duration duration_;
};

struct [[nodiscard("sleep() waits only if it is awaited: co_await it")]] Sleep {
    Duration duration;
    SleepAwaiter operator co_await() const noexcept { return SleepAwaiter(duration); }
};

// Suspends the task for `duration`, counted from the co_await. The loop resumes it, never early. A
// cancelled sleep removes its timer. Duration::max() sleeps forever. Zero or less lets the other
// ready tasks run once.
inline Sleep sleep(Delay duration) noexcept {
    return {duration};
}

// Smaller than a SleepAwaiter, for frames that exist in great numbers.
class YieldAwaiter final : public Waiter {
public:
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        suspend(caller);
        wake();
    }
    void await_resume() { check(); }
    bool cancel() noexcept override { return false; }  // It is woken already.
};

struct [[nodiscard("yield_now() gives way only if it is awaited: co_await it")]] Yield {
    YieldAwaiter operator co_await() const noexcept { return YieldAwaiter(); }
};

// Lets the other ready tasks run once, as sleep(0s) does.
inline Yield yield_now() noexcept {
    return {};
}

}  // namespace weft::aio
