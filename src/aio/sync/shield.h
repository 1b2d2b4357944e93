#pragma once

#include <utility>

#include "aio/task/future.h"
#include "aio/task/task.h"

namespace weft::aio {

// Waits for `future` without passing a cancellation on to it: if the await is cancelled, it throws
// at once and the future (or task) goes on. The loop resumes the waiter in the round after the
// future is done. The await gives its result or throws its exception, also its own cancellation.
template <class T>
class [[nodiscard("shield() waits only if it is awaited: co_await it")]] Shield {
public:
    explicit Shield(Future<T> future) noexcept : future_(std::move(future)) {}

    // Unlike Future::Awaiter it names no awaited_task(), so requests stop here.
    class Awaiter final : public Waiter, public DoneListener {
    public:
        explicit Awaiter(Future<T> future) noexcept : future_(std::move(future)) {}

        bool await_ready() const noexcept { return future_.done(); }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> caller) {
            require_other(*caller.promise().task(), *future_.state());
            future_.state()->add_listener(*this);
            suspend(caller);
        }
        T await_resume() {
            check();
            return future_.state()->get();
        }

        void on_done() noexcept override { wake(); }
        bool cancel() noexcept override {
            future_.state()->remove_listener(*this);
            mark_cancelled();
            wake();
            return true;
        }

    private:
        Future<T> future_;
    };
    Awaiter operator co_await() const noexcept { return Awaiter(future_); }

private:
    Future<T> future_;
};

template <class T>
Shield<T> shield(const Future<T>& future) noexcept {
    return Shield<T>(future);
}

// Runs the coroutine in its own task, which goes on if the await is cancelled. So the coroutine
// must own its arguments.
template <class T>
Shield<T> shield(Co<T> co) {
    return Shield<T>(create_task(std::move(co)));
}
template <Awaitable A>
    requires(!AnyCo<A> && !FutureLike<A>)
Shield<AwaitResult<A>> shield(A awaitable) {
    return Shield<AwaitResult<A>>(create_task(std::move(awaitable)));
}

}  // namespace weft::aio
