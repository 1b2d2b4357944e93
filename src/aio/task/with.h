#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "aio/sync/shielded.h"
#include "aio/sync/timeout.h"
#include "aio/task/async_generator.h"
#include "aio/task/awaitable.h"
#include "aio/task/co.h"

// Python's async with: a scope that is awaited at its beginning and its end. A C++ destructor
// cannot wait, so the scope is a function that takes the body:
//
//     co_await with(pool.connection(host), [&](Connection& connection) -> Co<> {
//         page = co_await connection.get(path);
//     });
//
// The body may capture: with() keeps it in its own frame. with() returns what the body returns.
namespace weft::aio {

// What with() can enter. aenter() returns what the body gets (Co<void>: the body gets the manager
// itself). aexit() gets the exception that ended the body, or nullptr, and may return true to
// swallow it.
template <class M>
concept AsyncContextManager = requires(M& manager, std::exception_ptr exception) {
    { manager.aenter() } -> AnyCo;
    { manager.aexit(exception) } -> AnyCo;
};

namespace detail {

template <class M>
concept EntersItself = std::same_as<decltype(std::declval<M&>().aenter()), Co<>>;

// How the body ended: its value, or the exception to rethrow after the exit.
template <class T>
struct BodyEnd {
    ResultCell<T> result;
    std::exception_ptr exception;
};

template <class T>
Co<BodyEnd<T>> end_of(Co<T> body) {
    BodyEnd<T> end;
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(body);
            end.result.set_value();
        } else {
            T value = co_await std::move(body);
            end.result.set_value(std::forward<T>(value));
        }
    } catch (...) {  // tidy: the caller rethrows it
        end.exception = std::current_exception();
    }
    co_return end;
}

template <class M>
Co<bool> leave(M& manager, std::exception_ptr exception) {
    if constexpr (std::same_as<decltype(manager.aexit(exception)), Co<bool>>) {
        co_return co_await manager.aexit(exception);
    } else {
        co_await manager.aexit(exception);
        co_return false;
    }
}

// Runs the exit, then gives the body's value or its exception.
template <class T, class M>
Co<T> conclude(BodyEnd<T> end, M& manager) {
    // A cancellation must not interrupt the exit half-way.
    const bool swallowed = co_await shielded(leave(manager, end.exception));
    if (end.exception) {
        if constexpr (std::is_void_v<T>) {
            if (swallowed) co_return;
        } else if constexpr (std::default_initializable<T>) {
            if (swallowed) co_return T();
        }
        std::rethrow_exception(end.exception);
    }
    co_return end.result.take();
}

}  // namespace detail

// Enters the manager, runs the body and leaves the manager: after a normal end, an exception and a
// cancellation. The exit is shielded from cancellation. If the exit swallows the exception of a
// body that returns a value, with() returns T(); if T has no default constructor, the exception is
// thrown.
template <AsyncContextManager M, class Body>
    requires detail::EntersItself<M> && std::is_invocable_v<Body&, M&>
std::invoke_result_t<Body&, M&> with(M manager, Body body) {
    using T = typename std::invoke_result_t<Body&, M&>::value_type;
    co_await manager.aenter();
    detail::BodyEnd<T> end = co_await detail::end_of(body(manager));
    co_return co_await detail::conclude(std::move(end), manager);
}

template <AsyncContextManager M, class Body>
    requires(!detail::EntersItself<M>)
auto with(M manager, Body body)
    -> std::invoke_result_t<Body&, typename decltype(manager.aenter())::value_type&> {
    using Entered = typename decltype(manager.aenter())::value_type;
    using T = typename std::invoke_result_t<Body&, Entered&>::value_type;
    Entered entered = co_await manager.aenter();
    detail::BodyEnd<T> end = co_await detail::end_of(body(entered));
    co_return co_await detail::conclude(std::move(end), manager);
}

// For a manager that lives elsewhere; it must outlive the await.
template <AsyncContextManager M, class Body>
    requires detail::EntersItself<M> && std::is_invocable_v<Body&, M&>
std::invoke_result_t<Body&, M&> with(std::reference_wrapper<M> manager, Body body) {
    using T = typename std::invoke_result_t<Body&, M&>::value_type;
    co_await manager.get().aenter();
    detail::BodyEnd<T> end = co_await detail::end_of(body(manager.get()));
    co_return co_await detail::conclude(std::move(end), manager.get());
}

// For a resource that has to be awaited: the guard of `lock.acquire()`, a `timeout(5s)`, a
// coroutine that returns a connection. If it is a manager, it is entered and left; otherwise its
// destructor is the exit. If a deadline passes, with() throws TimeoutError, which a handler around
// it catches.
template <Awaitable A, class Body>
    requires(!AsyncContextManager<AwaitResult<A>> &&
             std::is_invocable_v<Body&, std::remove_reference_t<AwaitResult<A>>&>)
std::invoke_result_t<Body&, std::remove_reference_t<AwaitResult<A>>&> with(A resource, Body body) {
    auto&& held = co_await std::move(resource);
    co_return co_await body(held);
}

template <Awaitable A, class Body>
    requires AsyncContextManager<AwaitResult<A>>
auto with(A resource, Body body) -> decltype(with(std::declval<AwaitResult<A>>(), body)) {
    AwaitResult<A> manager = co_await std::move(resource);
    co_return co_await with(std::move(manager), std::move(body));
}

// Runs body(generator), then waits for the generator's clean-up, also after an exception or a
// cancellation.
template <class Y, class S, class Body>
std::invoke_result_t<Body&, AsyncGenerator<Y, S>&> aclosing(AsyncGenerator<Y, S> generator,
                                                            Body body) {
    using T = typename std::invoke_result_t<Body&, AsyncGenerator<Y, S>&>::value_type;
    detail::BodyEnd<T> end = co_await detail::end_of(body(generator));
    co_await shielded(generator.aclose());
    if (end.exception) std::rethrow_exception(end.exception);
    co_return end.result.take();
}

}  // namespace weft::aio
