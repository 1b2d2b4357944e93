#pragma once

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

#include "aio/task/co.h"
#include "aio/task/future.h"

// Concepts for what may follow co_await: asyncio's isawaitable(), iscoroutine(), isfuture().
namespace weft::aio {

template <class T>
concept Awaiter = requires(T& awaiter) {
    { awaiter.await_ready() } -> std::convertible_to<bool>;
    awaiter.await_resume();
};

template <class T>
concept Awaitable = Awaiter<std::remove_reference_t<T>> || requires(T&& value) {
    { std::forward<T>(value).operator co_await() } -> Awaiter;
};

namespace detail {

template <class T>
inline constexpr bool is_co = false;
template <class T>
inline constexpr bool is_co<Co<T>> = true;

}  // namespace detail

// The type of `co_await value`.
template <Awaitable T>
using AwaitResult = decltype(detail::awaiter_of(std::declval<T>()).await_resume());

template <class C, class T>
concept CoroutineOf = std::same_as<std::remove_cvref_t<C>, Co<T>>;

template <class T>
concept AnyCo = detail::is_co<std::remove_cvref_t<T>>;

// A Future or a Task.
template <class F>
concept FutureLike = requires(const std::remove_cvref_t<F>& future) {
    typename std::remove_cvref_t<F>::value_type;
    requires std::derived_from<std::remove_cvref_t<F>,
                               Future<typename std::remove_cvref_t<F>::value_type>>;
};

// Wraps any awaitable in a coroutine, for functions that take only coroutines.
template <Awaitable A>
Co<AwaitResult<A>> as_co(A awaitable) {
    co_return co_await std::move(awaitable);
}

}  // namespace weft::aio
