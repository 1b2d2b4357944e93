#pragma once

#include <expected>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "aio/task/awaitable.h"
#include "aio/task/co.h"
#include "aio/task/task.h"
#include "aio/task/wait.h"

// Runs coroutines concurrently and gives their results in the order of the arguments.
//
// One difference to asyncio, because C++ frames hold references to the caller's locals: when one
// coroutine fails, gather() cancels the others, waits until they have ended, and then throws the
// first failure. When the gathering task is cancelled, all are cancelled and awaited. So nothing
// that gather() started outlives it. What the others throw after the first failure is not reported.
namespace weft::aio {

namespace detail {

// Waits until all are done. On the first failure in time it cancels the others. Returns the future
// that failed first, or nullptr.
Co<FutureBase*> join_all(std::vector<FutureBase*> futures);

template <class T>
using GatherSlot = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T>
GatherSlot<T> slot_of(const Task<T>& task) {
    if constexpr (std::is_void_v<T>) {
        task.state()->take();
        return {};
    } else {
        return task.state()->take();
    }
}

}  // namespace detail

template <class T>
Co<std::vector<T>> gather(std::vector<Co<T>> cos) {
    std::vector<Task<T>> tasks;
    for (Co<T>& co : cos) tasks.push_back(create_task(std::move(co)));
    FutureBase* failed = co_await detail::join_all(futures_of(std::span<const Task<T>>(tasks)));
    for (const Task<T>& task : tasks) {
        if (task.state() == failed) task.state()->get();  // Throws.
    }
    std::vector<T> results;
    for (const Task<T>& task : tasks) results.push_back(task.state()->take());
    co_return results;
}

inline Co<> gather(std::vector<Co<>> cos) {
    std::vector<Task<>> tasks;
    for (Co<>& co : cos) tasks.push_back(create_task(std::move(co)));
    FutureBase* failed = co_await detail::join_all(futures_of(std::span<const Task<>>(tasks)));
    for (const Task<>& task : tasks) {
        if (task.state() == failed) task.state()->get();
    }
}

// Gives a tuple; the element of a Co<void> is a std::monostate.
template <class... Ts>
    requires(sizeof...(Ts) > 0)
Co<std::tuple<detail::GatherSlot<Ts>...>> gather(Co<Ts>... cos) {
    std::tuple<Task<Ts>...> tasks{create_task(std::move(cos))...};
    std::vector<FutureBase*> futures;
    std::apply([&](const auto&... task) { (futures.push_back(task.state()), ...); }, tasks);
    FutureBase* failed = co_await detail::join_all(std::move(futures));
    std::apply(
        [&](const auto&... task) {
            ((task.state() == failed ? static_cast<void>(task.state()->get()) : void()), ...);
        },
        tasks);
    co_return std::apply(
        [](const auto&... task) {
            return std::tuple<detail::GatherSlot<Ts>...>{detail::slot_of(task)...};
        },
        tasks);
}

// The same for a vector of tasks, futures or other awaitables. When one fails, the given tasks and
// futures are cancelled too.
template <Awaitable A>
    requires(!AnyCo<A>)
[[clang::coro_wrapper]] auto gather(std::vector<A> awaitables) {
    std::vector<Co<AwaitResult<A>>> cos;
    for (A& awaitable : awaitables) cos.push_back(as_co(std::move(awaitable)));
    return gather(std::move(cos));
}

// The same when some arguments are futures, tasks or other awaitables.
template <Awaitable... As>
    requires(sizeof...(As) > 0 && !(AnyCo<As> && ...))
[[clang::coro_wrapper]] auto gather(As... awaitables) {
    return gather(as_co(std::move(awaitables))...);
}

namespace detail {

// Waits until all are done, whether they succeed or fail. If the wait is cancelled, it cancels them
// and waits for their end.
Co<> end_all(std::vector<FutureBase*> futures);

template <class T>
std::expected<T, std::exception_ptr> ending_of(const Task<T>& task) {
    if (task.cancelled()) return std::unexpected(std::make_exception_ptr(CancelledError()));
    if (std::exception_ptr exception = task.exception()) {
        return std::unexpected(std::move(exception));
    }
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        return task.state()->take();
    }
}

}  // namespace detail

// asyncio's return_exceptions=True: every coroutine runs to its end, and the result says how each
// ended.
template <class T>
Co<std::vector<std::expected<T, std::exception_ptr>>> gather_results(std::vector<Co<T>> cos) {
    std::vector<Task<T>> tasks;
    for (Co<T>& co : cos) tasks.push_back(create_task(std::move(co)));
    co_await detail::end_all(futures_of(std::span<const Task<T>>(tasks)));
    std::vector<std::expected<T, std::exception_ptr>> results;
    for (const Task<T>& task : tasks) results.push_back(detail::ending_of(task));
    co_return results;
}

template <Awaitable A>
    requires(!AnyCo<A>)
[[clang::coro_wrapper]] auto gather_results(std::vector<A> awaitables) {
    std::vector<Co<AwaitResult<A>>> cos;
    for (A& awaitable : awaitables) cos.push_back(as_co(std::move(awaitable)));
    return gather_results(std::move(cos));
}

template <class... Ts>
    requires(sizeof...(Ts) > 0)
Co<std::tuple<std::expected<Ts, std::exception_ptr>...>> gather_results(Co<Ts>... cos) {
    std::tuple<Task<Ts>...> tasks{create_task(std::move(cos))...};
    std::vector<FutureBase*> futures;
    std::apply([&](const auto&... task) { (futures.push_back(task.state()), ...); }, tasks);
    co_await detail::end_all(std::move(futures));
    co_return std::apply([](const auto&... task) { return std::tuple{detail::ending_of(task)...}; },
                         tasks);
}

// The same when some arguments are futures, tasks or other awaitables.
template <Awaitable... As>
    requires(sizeof...(As) > 0 && !(AnyCo<As> && ...))
[[clang::coro_wrapper]] auto gather_results(As... awaitables) {
    return gather_results(as_co(std::move(awaitables))...);
}

}  // namespace weft::aio
