#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "aio/task/errors.h"
#include "aio/task/frame_pool.h"

namespace weft::aio {

// A coroutine that gives values one at a time. The caller may send a value back at each step:
//
//     Generator<int, int> times2() {
//         int x = co_yield 0;
//         for (;;) x = co_yield x * 2;
//     }
//     auto doubled = times2();
//     doubled.next();                        // to its first co_yield, as in Python
//     EXPECT_EQ(doubled.send(4), 8);
//
// Lazy: the body runs only inside next() and send(), also when a range-for calls them. It cannot
// co_await; use AsyncGenerator for that. The end is std::nullopt, also for every later call. An
// exception of the body is thrown by next() or send() once, and ends the generator. The destructor
// destroys the body's locals. The value of `co_yield` in the body is what was sent; next() sends
// S().
template <class Y, class S = std::monostate>
class [[nodiscard]] Generator {
public:
    class promise_type;
    using Handle = std::coroutine_handle<promise_type>;
    class Iterator;

    Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    Generator& operator=(Generator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Generator() { close(); }

    std::optional<Y> next() { return advance(S()); }

    // REQUIRES: next() was called before; otherwise throws InvalidStateError, because no co_yield
    // waits for a value.
    std::optional<Y> send(S value) {
        if (handle_ && !handle_.promise().started_) {
            throw InvalidStateError("a value was sent to a generator before its first next()");
        }
        return advance(std::move(value));
    }

    // Ends the generator where it is suspended and destroys its locals.
    void close() noexcept {
        if (handle_) std::exchange(handle_, {}).destroy();
    }

    Iterator begin() { return Iterator(*this); }
    std::default_sentinel_t end() const noexcept { return {}; }

private:
    explicit Generator(Handle handle) noexcept : handle_(handle) {}

    std::optional<Y> advance(S value) {
        if (!handle_) return std::nullopt;
        promise_type& promise = handle_.promise();
        promise.started_ = true;
        promise.sent_ = std::move(value);
        promise.yielded_.reset();
        handle_.resume();
        if (!handle_.done()) return std::move(promise.yielded_);
        const std::exception_ptr exception = std::move(promise.exception_);
        close();
        if (exception) std::rethrow_exception(exception);
        return std::nullopt;
    }

    Handle handle_;
};

template <class Y, class S>
class Generator<Y, S>::promise_type : public frame_pool::Pooled {
public:
    Generator get_return_object() noexcept { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }

    struct YieldAwaiter {
        promise_type& promise;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<>) const noexcept {}
        S await_resume() const { return std::move(promise.sent_); }
    };
    YieldAwaiter yield_value(Y value) {
        yielded_.emplace(std::move(value));
        return {*this};
    }

    template <class Awaitable>
    void await_transform(Awaitable&&) = delete;  // A Generator never waits: use AsyncGenerator.

private:
    friend class Generator;
    std::optional<Y> yielded_;
    S sent_{};
    std::exception_ptr exception_;
    bool started_ = false;
};

// An input iterator: there is one position, that of the generator.
template <class Y, class S>
class Generator<Y, S>::Iterator {
public:
    using value_type = Y;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Generator& generator) : generator_(&generator), item_(generator.next()) {}

    Y& operator*() const { return *item_; }
    Iterator& operator++() {
        item_ = generator_->next();
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !item_; }

private:
    Generator* generator_;
    mutable std::optional<Y> item_;
};

}  // namespace weft::aio
