#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "aio/awaitable.h"
#include "aio/co.h"
#include "aio/loop.h"
#include "aio/task_base.h"

namespace weft::aio {

// A deadline for the rest of the enclosing scope of a coroutine:
//
//     auto deadline = co_await timeout(30s);
//     Response response = co_await client.get(url);
//     deadline.reschedule(60s);
//
// When it passes, the task is cancelled where it waits; the CancelledError that leaves this
// coroutine because of it leaves as TimeoutError. (A handler inside the same coroutine sees
// CancelledError: for a handler beside the await use wait_for().) A cancellation from elsewhere
// stays a cancellation. Deadlines nest: the one that passed first decides.
//
// Lives in the frame of the coroutine that awaited it; disarmed at the end of its scope.
class Timeout final : public Timer {
public:
    Timeout(PromiseBase& promise, std::optional<TimePoint> when);
    ~Timeout();

    // From now on; or never.
    void reschedule(Duration from_now);
    void reschedule_at(std::optional<TimePoint> when);

    std::optional<TimePoint> deadline() const;
    bool expired() const { return expired_; }

    void fire() noexcept override;

private:
    PromiseBase& promise_;
    TaskBase& task_;
    int cancelling_before_;
    bool expired_ = false;
};

// Awaited, gives the Timeout. Never suspends.
class TimeoutAwaitable {
public:
    explicit TimeoutAwaitable(std::optional<TimePoint> when) noexcept : when_(when) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        promise_ = &caller.promise();
        return false;
    }
    Timeout await_resume() { return Timeout(*promise_, when_); }

private:
    std::optional<TimePoint> when_;
    PromiseBase* promise_ = nullptr;
};

inline TimeoutAwaitable timeout_at(std::optional<TimePoint> when) noexcept {
    return TimeoutAwaitable(when);
}

inline TimeoutAwaitable timeout(Duration limit) {
    return TimeoutAwaitable(EventLoop::running().time() + limit);
}

// Awaits `co` for at most `limit`; then it is cancelled, and when it has ended this throws
// TimeoutError. A result that is there in time is never lost.
template <class T>
Co<T> wait_for(Co<T> co, Duration limit) {
    auto deadline = co_await timeout(limit);
    co_return co_await std::move(co);
}

// The same for a future or a task, which is cancelled when the time is up.
template <FutureLike F>
Co<typename F::value_type> wait_for(F future, Duration limit) {
    auto deadline = co_await timeout(limit);
    co_return co_await std::move(future);
}

}  // namespace weft::aio
