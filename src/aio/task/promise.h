#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <source_location>
#include <utility>
#include <variant>

#include "aio/task/frame_pool.h"

namespace weft::aio {

class TaskBase;
class Waiter;

// Base of awaiters that never suspend the task: they run another coroutine of the same task, or
// only ask it for something. Awaiters that suspend derive from Waiter.
struct InTaskAwaiter {};

namespace detail {

template <class T>
decltype(auto) awaiter_of(T&& awaitable) {
    if constexpr (requires { std::forward<T>(awaitable).operator co_await(); }) {
        return std::forward<T>(awaitable).operator co_await();
    } else {
        return std::forward<T>(awaitable);
    }
}

// Whether the awaited object is one of aio's, which know how to resume the task.
template <class T>
concept KnowsItsTask =
    std::derived_from<std::remove_cvref_t<decltype(awaiter_of(std::declval<T>()))>, Waiter> ||
    std::derived_from<std::remove_cvref_t<decltype(awaiter_of(std::declval<T>()))>, InTaskAwaiter>;

}  // namespace detail

// What every coroutine frame of aio stores: the frame that awaits it, the task it runs in, and the
// source line of the co_await at which it is suspended. The chain of parents is the asynchronous
// stack that Task::print_stack() shows.
class PromiseBase : public frame_pool::Pooled {
public:
    PromiseBase() = default;
    PromiseBase(const PromiseBase&) = delete;
    PromiseBase& operator=(const PromiseBase&) = delete;

    template <class Awaitable>
    Awaitable&& await_transform(
        Awaitable&& awaitable,
        std::source_location location = std::source_location::current()) noexcept {
        static_assert(
            detail::KnowsItsTask<Awaitable>,
            "co_await in an aio coroutine takes a Co, a Task, a Future, what the words of "
            "aio give (sleep(), queue.get(), lock.acquire(), ...), or an awaiter of your "
            "own that derives from aio::Waiter. Anything else (std::suspend_always, the "
            "awaiters of other libraries) would suspend the task for ever: nothing tells "
            "the loop to run it on.");
        location_ = location;
        return std::forward<Awaitable>(awaitable);
    }

    PromiseBase* parent() const { return parent_; }
    TaskBase* task() const { return task_; }
    const std::source_location& location() const { return location_; }
    void set_location(std::source_location location) noexcept { location_ = location; }

    // If a CancelledError leaves this coroutine now, its caller sees a TimeoutError instead. If the
    // coroutine catches it, the mark is gone at the task's next step.
    void set_timed_out() noexcept;

protected:
    // The current exception as the caller of this coroutine will see it. Also adds this coroutine's
    // line to the task's exception trace.
    std::exception_ptr leaving_exception() noexcept;

    // Makes this coroutine run next in the task of `parent`, which is suspended at its co_await.
    void enter(PromiseBase& parent, std::coroutine_handle<> self,
               std::coroutine_handle<> continuation) noexcept;

    // Makes the coroutine that entered this one run next. Called at the final suspension, and when
    // a generator yields.
    void leave() noexcept;

private:
    friend class TaskBase;

    PromiseBase* parent_ = nullptr;
    TaskBase* task_ = nullptr;
    std::coroutine_handle<> continuation_;
    std::source_location location_;
};

// A value of T, an exception, or nothing yet. T may be void or a reference.
template <class T>
class ResultCell {
    using Stored = std::conditional_t<std::is_reference_v<T>,
                                      std::add_pointer_t<std::remove_reference_t<T>>, T>;

public:
    template <class U>
    void set_value(U&& value) {
        if constexpr (std::is_reference_v<T>) {
            cell_.template emplace<1>(std::addressof(value));
        } else {
            cell_.template emplace<1>(std::forward<U>(value));
        }
    }
    void set_exception(std::exception_ptr exception) noexcept {
        cell_.template emplace<2>(std::move(exception));
    }

    bool has_value() const { return cell_.index() == 1; }
    bool has_exception() const { return cell_.index() == 2; }
    const std::exception_ptr& exception() const { return std::get<2>(cell_); }

    // Takes over the content of `other`. T need not be assignable.
    void replace(ResultCell&& other) noexcept(std::is_nothrow_move_constructible_v<Stored>) {
        if (other.has_value()) {
            cell_.template emplace<1>(std::move(std::get<1>(other.cell_)));
        } else if (other.has_exception()) {
            cell_.template emplace<2>(std::move(std::get<2>(other.cell_)));
        }
    }

    // Throws the exception, or moves the value out.
    T take() {
        if (has_exception()) std::rethrow_exception(std::get<2>(cell_));
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(*std::get<1>(cell_));
        } else {
            return std::move(std::get<1>(cell_));
        }
    }

    // Throws the exception, or returns a copy of the value. A value that cannot be copied is moved
    // out.
    T get() {
        if constexpr (std::is_reference_v<T> || !std::is_copy_constructible_v<T>) {
            return take();
        } else {
            if (has_exception()) std::rethrow_exception(std::get<2>(cell_));
            return std::get<1>(cell_);
        }
    }

private:
    std::variant<std::monostate, Stored, std::exception_ptr> cell_;
};

template <>
class ResultCell<void> {
public:
    void set_value() { has_value_ = true; }
    void set_exception(std::exception_ptr exception) noexcept { exception_ = std::move(exception); }

    bool has_value() const { return has_value_; }
    bool has_exception() const { return exception_ != nullptr; }
    const std::exception_ptr& exception() const { return exception_; }

    void replace(ResultCell&& other) noexcept { *this = std::move(other); }

    void take() const {
        if (exception_) std::rethrow_exception(exception_);
    }
    void get() const { take(); }

private:
    std::exception_ptr exception_;
    bool has_value_ = false;
};

}  // namespace weft::aio
