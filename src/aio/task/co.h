#pragma once

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#error "g++ before 13 miscompiles coroutines: use clang++-19, as in CXX=clang++-19 cmake -B build"
#elif defined(__clang__) && __clang_major__ < 17
#error "aio needs clang 17 or newer (tried: 19), as in CXX=clang++-19 cmake -B build"
#endif

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>

#include "aio/loop/debug.h"
#include "aio/task/promise.h"
#include "aio/task/task_base.h"  // Defines what promises do at each co_await.
#include "base/assert.h"

namespace weft::aio {

// A coroutine that has not started: what a coroutine function returns, as in Python.
//
//     Co<Page> fetch(Url url);
//     Page page = co_await fetch(url);        // runs inside the awaiting task
//     Task<Page> task = create_task(fetch(url));  // runs in a task of its own
//
// Lazy: nothing runs until it is awaited or given to create_task(). It is awaited once, as an
// rvalue. If it is destroyed without being awaited, its frame is freed and nothing has run.
// Arguments taken by reference must live until the coroutine is done: that is safe when it is
// awaited in the same expression, but create_task() needs values.
template <class T = void>
class [[nodiscard(
    "a coroutine runs only if it is awaited: co_await it, or give it to "
    "create_task()")]] [[clang::coro_return_type]] [[clang::coro_lifetimebound]] Co;

template <class T>
class CoPromise;

namespace detail {

template <class T>
class CoPromiseResult : public PromiseBase {
public:
    template <class U = T>
        requires std::convertible_to<U&&, T>
    void return_value(U&& value) {
        result_.set_value(std::forward<U>(value));
    }
    void unhandled_exception() noexcept { result_.set_exception(leaving_exception()); }
    ResultCell<T>& result() { return result_; }

private:
    ResultCell<T> result_;
};

template <>
class CoPromiseResult<void> : public PromiseBase {
public:
    void return_void() { result_.set_value(); }
    void unhandled_exception() noexcept { result_.set_exception(leaving_exception()); }
    ResultCell<void>& result() { return result_; }

private:
    ResultCell<void> result_;
};

}  // namespace detail

namespace detail {

// Aborts if the frame was allocated with less alignment than the promise needs.
template <class Promise>
void require_place(const Promise& promise) noexcept {
    if constexpr (alignof(Promise) > frame_pool::kAlignment) {
        if (reinterpret_cast<std::uintptr_t>(&promise) % alignof(Promise) == 0) return;
        misuse(
            "a coroutine has a result that asks for more than 16 bytes' alignment: compile with "
            "-fcoro-aligned-allocation, as the CMake target weft::aio and pkg-config do");
    }
}

}  // namespace detail

template <class T>
class CoPromise final : public detail::CoPromiseResult<T> {
public:
    using Handle = std::coroutine_handle<CoPromise>;

    Co<T> get_return_object() noexcept;

    // Until the first await, stack traces show the place where the coroutine is defined.
    std::suspend_always initial_suspend(
        std::source_location defined = std::source_location::current()) noexcept {
        this->set_location(defined);
        return {};
    }

    struct FinalAwaiter {
        bool await_ready() const noexcept { return false; }
        void await_suspend(Handle self) const noexcept { self.promise().leave(); }
        void await_resume() const noexcept {}
    };
    // At its end the coroutine only names its caller as the next to run; the trampoline in
    // TaskBase::run() resumes it, so long chains of awaits use no stack.
    FinalAwaiter final_suspend() const noexcept { return {}; }

    // Makes the coroutine run next in the task of `parent`, which is suspended at `caller`.
    void enter_from(PromiseBase& parent, std::coroutine_handle<> caller) noexcept {
        this->enter(parent, Handle::from_promise(*this), caller);
    }

private:
    template <class U>
    friend class Co;
};

template <class T>
class Co {
public:
    using promise_type = CoPromise<T>;
    using Handle = std::coroutine_handle<promise_type>;
    using value_type = T;

    Co(Co&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    Co& operator=(Co&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Co() {
        if (!handle_) return;
        if (debug_by_default()) [[unlikely]]
            report_never_awaited(handle_.promise().location());
        handle_.destroy();
    }

    // Runs the coroutine inside the awaiting task and owns its frame until the await is over.
    class Awaiter : public InTaskAwaiter {
    public:
        explicit Awaiter(Handle handle) noexcept : handle_(handle) {}
        Awaiter(const Awaiter&) = delete;
        Awaiter& operator=(const Awaiter&) = delete;
        ~Awaiter() {
            if (handle_) handle_.destroy();
        }

        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
            handle_.promise().enter_from(caller.promise(), caller);
        }
        T await_resume() { return handle_.promise().result().take(); }

    private:
        Handle handle_;
    };

    Awaiter operator co_await() && { return Awaiter(release()); }

    // Hands the frame over: the caller must destroy it. Throws InvalidStateError if the Co was
    // awaited or moved from.
    Handle release() {
        if (!handle_) {
            throw InvalidStateError(
                "a Co was awaited twice (or after it was moved from): call the coroutine function "
                "again for a second run, or make it a Task to await its result more than once");
        }
        return std::exchange(handle_, {});
    }

private:
    friend promise_type;
    explicit Co(Handle handle) noexcept : handle_(handle) {}

    Handle handle_;
};

template <class T>
Co<T> CoPromise<T>::get_return_object() noexcept {
    detail::require_place(*this);
    return Co<T>(Handle::from_promise(*this));
}

}  // namespace weft::aio
