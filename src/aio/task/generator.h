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

// A function that gives values one at a time, and may be sent one in return at each:
//
//     Generator<int, int> times2() {
//         int x = co_yield 0;
//         for (;;) x = co_yield x * 2;
//     }
//     auto doubled = times2();
//     doubled.next();                        // to its first co_yield, as in Python
//     EXPECT_EQ(doubled.send(4), 8);
//
// Lazy: runs only inside next() and send(), and by range-for. It cannot co_await: that is an
// AsyncGenerator. The end is std::nullopt, then and ever after; an exception of the body leaves
// next() once. Dropped early, its locals are destroyed. `co_yield` gives what was sent; next()
// sends S().
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

    // REQUIRES: next() was called first; else InvalidStateError, as there is no co_yield to take
    // the value.
    std::optional<Y> send(S value) {
        if (handle_ && !handle_.promise().started_) {
            throw InvalidStateError("a value was sent to a generator before its first next()");
        }
        return advance(std::move(value));
    }

    // Ends it where it stands.
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
