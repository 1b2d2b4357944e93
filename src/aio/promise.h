#pragma once

#include <coroutine>
#include <exception>
#include <source_location>
#include <utility>
#include <variant>

#include "aio/frame_pool.h"

namespace weft::aio {

class TaskBase;

// What every coroutine frame of aio knows: who awaits it, in which task it runs, and the source
// line of the co_await at which it is suspended. The chain of parents is the asynchronous stack
// that Task::print_stack() shows.
class PromiseBase {
public:
    PromiseBase() = default;
    PromiseBase(const PromiseBase&) = delete;
    PromiseBase& operator=(const PromiseBase&) = delete;

    static void* operator new(std::size_t bytes) { return frame_pool::allocate(bytes); }
    static void operator delete(void* memory, std::size_t bytes) noexcept {
        frame_pool::deallocate(memory, bytes);
    }

    template <class Awaitable>
    Awaitable&& await_transform(
        Awaitable&& awaitable,
        std::source_location location = std::source_location::current()) noexcept {
        location_ = location;
        return std::forward<Awaitable>(awaitable);
    }

    PromiseBase* parent() const { return parent_; }
    TaskBase* task() const { return task_; }
    const std::source_location& location() const { return location_; }
    void set_location(std::source_location location) noexcept { location_ = location; }

    // The CancelledError that is on its way out of this coroutine leaves it as TimeoutError; caught
    // before, the task's next step forgets it.
    void set_timed_out() noexcept;

protected:
    // The exception being handled, as this coroutine's caller shall see it. Also notes the place in
    // the task's trace.
    std::exception_ptr leaving_exception() noexcept;

    // Makes this coroutine run next in the task of `parent`, which is suspended at its co_await.
    void enter(PromiseBase& parent, std::coroutine_handle<> self,
               std::coroutine_handle<> continuation) noexcept;

    // Back to whoever entered: called at the final suspension, or when a generator yields.
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

    // Throws the exception, or moves the value out.
    T take() {
        if (has_exception()) std::rethrow_exception(std::get<2>(cell_));
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(*std::get<1>(cell_));
        } else {
            return std::move(std::get<1>(cell_));
        }
    }

    // Throws the exception, or gives a copy; a value that cannot be copied is moved out.
    T get() {
        if constexpr (std::is_reference_v<T> || !std::is_copy_constructible_v<T>) {
            return take();
        } else {
            if (has_exception()) std::rethrow_exception(std::get<2>(cell_));
            return std::get<1>(cell_);
        }
    }

private:
    using Stored = std::conditional_t<std::is_reference_v<T>,
                                      std::add_pointer_t<std::remove_reference_t<T>>, T>;
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

    void take() const {
        if (exception_) std::rethrow_exception(exception_);
    }
    void get() const { take(); }

private:
    std::exception_ptr exception_;
    bool has_value_ = false;
};

}  // namespace weft::aio
