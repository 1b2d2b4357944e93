#pragma once

#include <exception>
#include <future>
#include <type_traits>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/task/awaitable.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "aio/task/task.h"

namespace weft::aio {

namespace detail {

template <class T>
Co<> fulfil(CoFunction<Co<T>()> function, std::promise<T> promise) {
    try {
        if constexpr (std::is_void_v<T>) {
            co_await function();
            promise.set_value();
        } else {
            promise.set_value(co_await function());
        }
    } catch (...) {  // tidy: thrown where the std::future is asked
        promise.set_exception(std::current_exception());
        if (is_cancellation(std::current_exception())) throw;
    }
}

}  // namespace detail

// Runs `function(arguments...)`, a coroutine function, as a task of `loop`, from another thread. It
// takes a function and not a Co, because a coroutine must be created on the thread where it runs.
// The function and the arguments, which are moved along, must own what they use. The future gets
// the value or the exception (CancelledError if the task was cancelled). Waiting for it on the
// loop's own thread would never end. If the loop is closed before the call, the future throws
// std::future_error (broken_promise). REQUIRES: `loop` lives during the call.
//
//     std::future<Page> page = run_coroutine_threadsafe(fetch, loop, url);
template <class Function, class... Args>
    requires AnyCo<std::invoke_result_t<Function&, Args...>>
auto run_coroutine_threadsafe(Function function, EventLoop& loop, Args... arguments)
    -> std::future<typename std::invoke_result_t<Function&, Args...>::value_type> {
    using T = typename std::invoke_result_t<Function&, Args...>::value_type;
    std::promise<T> promise;
    std::future<T> future = promise.get_future();
    auto call = [callee = std::move(function),
                 ... values = std::move(arguments)] [[clang::coro_wrapper]] () mutable -> Co<T> {
        return callee(std::move(values)...);
    };
    loop.call_soon_threadsafe([&loop, work = CoFunction<Co<T>()>(std::move(call)),
                               result = std::move(promise)]() mutable {
        static_cast<void>(
            create_task_on(loop, detail::fulfil<T>(std::move(work), std::move(result))));
    });
    return future;
}

}  // namespace weft::aio
