#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "aio/task/co.h"
#include "aio/task/task.h"

namespace weft::aio {

// Runs blocking or heavy work, so that it does not hold up the loop. Used from the loop's thread;
// it must outlive the loop.
class Executor {
public:
    virtual ~Executor() = default;

    // Runs `job` later, perhaps on another thread, or at once. The job does not throw. An executor
    // that cannot take the job throws and does not run it.
    virtual void execute(std::move_only_function<void()> job) = 0;
};

// Runs each job at once, on the caller's thread: for simulations and tests.
class InlineExecutor final : public Executor {
public:
    void execute(std::move_only_function<void()> job) override { job(); }
};

// A few threads that take jobs in order. The destructor runs all jobs that were given, then joins.
class ThreadPool final : public Executor {
public:
    explicit ThreadPool(unsigned thread_count = 4);  // Threads start with the first job.
    ~ThreadPool() override;

    void execute(std::move_only_function<void()> job) override;

private:
    struct State;
    static void add_thread(State& state);
    std::unique_ptr<State> state_;
};

namespace detail {

// Decides a race between two threads: the job begins, or the waiter withdraws it, whichever is
// first.
class JobTicket {
public:
    bool begin() noexcept { return !settled_.exchange(true); }
    void withdraw() noexcept { settled_ = true; }

private:
    std::atomic<bool> settled_ = false;
};

// Withdraws the job at the end of the scope, if it has not begun.
struct Withdrawal {
    std::shared_ptr<JobTicket> ticket;
    ~Withdrawal() { ticket->withdraw(); }
};

}  // namespace detail

// Runs `function()` on `executor` and gives its result or throws its exception. The awaiting task
// is resumed on its own loop. If the await is cancelled, it ends at once: a function that has not
// begun never runs; one that has begun runs on, so it must own what it uses.
template <class Function>
Co<std::invoke_result_t<Function&>> run_in(Executor& executor, Function function) {
    using T = std::invoke_result_t<Function&>;
    EventLoop& loop = EventLoop::running();
    Future<T> future = create_future<T>();
    loop.expect_call();
    const detail::Withdrawal withdrawal{std::make_shared<detail::JobTicket>()};
    // The job may outlive this coroutine, so it holds the future. But only the loop's thread may
    // change the future's reference count, so the callback carries the handle back to the loop.
    auto job = [&loop, held = std::make_unique<Future<T>>(future), ticket = withdrawal.ticket,
                work = std::move(function)]() mutable {
        ResultCell<T> result;
        try {
            if (!ticket->begin()) {
                // The await was cancelled: the result is not needed any more.
            } else if constexpr (std::is_void_v<T>) {
                work();
                result.set_value();
            } else {
                result.set_value(work());
            }
        } catch (...) {  // tidy: allow catch-all: thrown where the future is awaited
            result.set_exception(std::current_exception());
        }
        loop.call_soon_threadsafe(
            [&loop, target = std::move(held), outcome = std::move(result)]() mutable {
                loop.expected_call_came();
                if (target->done()) return;  // The await was cancelled.
                if (outcome.has_exception()) {
                    target->set_exception(outcome.exception());
                } else if constexpr (std::is_void_v<T>) {
                    target->set_result();
                } else {
                    target->set_result(outcome.take());
                }
            });
    };
    try {
        executor.execute(std::move(job));
    } catch (...) {
        loop.expected_call_came();  // The job was refused, so no call will come.
        throw;
    }
    co_return co_await std::move(future);
}

// The same on the loop's own executor.
template <class Function>
[[clang::coro_wrapper]] Co<std::invoke_result_t<Function&>> to_thread(Function function) {
    return run_in(EventLoop::running().executor(), std::move(function));
}

}  // namespace weft::aio
