#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/task/awaitable.h"
#include "aio/task/co.h"
#include "aio/task/task_base.h"

namespace weft::aio {

// A deadline for the rest of the enclosing scope of a coroutine:
//
//     auto deadline = co_await timeout(30s);
//     Response response = co_await client.get(url);
//     deadline.reschedule(60s);
//
// When it passes, the task is cancelled where it waits, and the CancelledError that leaves this
// coroutine because of it becomes a TimeoutError for the caller. (A handler inside the same
// coroutine sees CancelledError; to catch TimeoutError next to the await, use wait_for().) A
// cancellation from elsewhere stays a cancellation. Deadlines nest: the one that passes first
// decides. Duration::max() means no limit. In a generator, a co_yield inside the scope throws
// InvalidStateError.
//
// Lives in the frame of the coroutine that awaited it. Its destructor disarms it.
class Timeout final : public Timer {
public:
    Timeout(PromiseBase& promise, std::optional<TimePoint> when, int* open_deadlines = nullptr);
    ~Timeout();

    // The new limit counts from now. std::nullopt removes the deadline. Without effect once it has
    // passed.
    void reschedule(Delay from_now);
    void reschedule_at(std::optional<TimePoint> when);

    std::optional<TimePoint> deadline() const;
    bool expired() const { return expired_; }

    void fire() noexcept override;

private:
    PromiseBase& promise_;
    TaskBase& task_;
    int* open_deadlines_;  // Counter of the generator in whose body it lives; otherwise nullptr.
    int cancelling_before_;
    bool expired_ = false;
};

// Awaiting it gives the Timeout, without suspending.
class [[nodiscard(
    "a deadline holds only if it is awaited, and while it lives: "
    "auto deadline = co_await timeout(...)")]] TimeoutAwaitable : public InTaskAwaiter {
public:
    explicit TimeoutAwaitable(std::optional<TimePoint> when) noexcept : when_(when) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        promise_ = &caller.promise();
        if constexpr (requires { caller.promise().open_deadlines(); }) {
            open_deadlines_ = caller.promise().open_deadlines();
        }
        return false;
    }
    Timeout await_resume() { return Timeout(*promise_, when_, open_deadlines_); }

private:
    std::optional<TimePoint> when_;
    PromiseBase* promise_ = nullptr;
    int* open_deadlines_ = nullptr;
};

inline TimeoutAwaitable timeout_at(std::optional<TimePoint> when) noexcept {
    return TimeoutAwaitable(when);
}

inline TimeoutAwaitable timeout(Delay limit) {
    return TimeoutAwaitable(saturating_add(EventLoop::running().time(), limit));
}

// Awaits `co` for at most `limit`. Then it is cancelled, and when it has ended, wait_for() throws
// TimeoutError. A result that is there in time is never lost.
template <class T>
Co<T> wait_for(Co<T> co, Delay limit) {
    auto deadline = co_await timeout(limit);
    co_return co_await std::move(co);
}

// The same for any other awaitable: queue.get(), event.wait(), a task or a future. A task or plain
// future is cancelled when the time is up.
template <Awaitable A>
    requires(!AnyCo<A>)
Co<AwaitResult<A>> wait_for(A awaitable, Delay limit) {
    auto deadline = co_await timeout(limit);
    co_return co_await std::move(awaitable);
}

}  // namespace weft::aio
