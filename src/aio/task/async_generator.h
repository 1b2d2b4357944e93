#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <utility>
#include <variant>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/errors.h"
#include "aio/task/promise.h"
#include "base/assert.h"

namespace weft::aio {

// A coroutine that gives values one at a time and may wait in between:
//
//     AsyncGenerator<Page> pages(Site site) {
//         for (const Url& url : site.urls()) co_yield co_await fetch(url);
//     }
//     auto all = pages(site);
//     while (auto page = co_await all.next()) use(*page);
//
// or AIO_FOR(Page& page, pages(site)) use(page);
//
// Lazy: the body runs only while a task awaits next(), asend(), athrow() or aclose(), and it runs
// inside that task. The end is std::nullopt, also for every later next(). An exception of the body
// (a cancellation too) is thrown by the await and ends the generator. The value of `co_yield` in
// the body is what was sent; next() sends S().
//
// Leaving early: the destructor destroys the body's locals at once. Clean-up that has to be awaited
// runs only in aclose(); aclosing() calls it in every case. The generator must not be destroyed
// while a task awaits it. Arguments taken by reference must outlive the generator. A co_yield
// inside the scope of a timeout() throws InvalidStateError.
template <class Y, class S = std::monostate>
class [[nodiscard]] [[clang::coro_return_type]] [[clang::coro_lifetimebound]] AsyncGenerator {
public:
    class promise_type;
    using Handle = std::coroutine_handle<promise_type>;
    using value_type = Y;
    class Step;

    AsyncGenerator(AsyncGenerator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    AsyncGenerator& operator=(AsyncGenerator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~AsyncGenerator() { drop(); }

    // Awaiting it gives the next value, or std::nullopt at the end. Awaiting a step while another
    // one is under way throws InvalidStateError.
    Step next() { return Step(*this, S()); }

    // Like next(), and the body's co_yield gives `value`. REQUIRES: next() was called before;
    // otherwise throws InvalidStateError, because no co_yield waits for a value.
    Step asend(S value) {
        if (handle_ && !handle_.promise().started_) {
            throw InvalidStateError("a value was sent to a generator before its first next()");
        }
        return Step(*this, std::move(value));
    }

    // Like next(), and the body's co_yield throws `exception`. A generator that has not started
    // ends at once, and the await throws `exception`.
    Step athrow(std::exception_ptr exception) { return Step(*this, S(), std::move(exception)); }

    // Throws GeneratorExit at the body's co_yield, waits for the clean-up and ends the generator.
    // If the body yields again instead, the generator is destroyed and aclose() throws
    // InvalidStateError. Does nothing if the generator has ended.
    Co<> aclose() {
        if (!handle_) co_return;
        bool yielded_again = false;
        try {
            const std::optional<Y> value =
                co_await athrow(std::make_exception_ptr(GeneratorExit()));
            yielded_again = value.has_value();
        } catch (const GeneratorExit&) {
            co_return;
        }
        if (yielded_again) {
            drop();
            throw InvalidStateError("a generator that was told to close yielded again");
        }
    }

    bool ended() const { return !handle_; }

private:
    explicit AsyncGenerator(Handle handle) noexcept : handle_(handle) {}

    void drop() noexcept {
        if (!handle_) return;
        if (handle_.promise().running_) {
            misuse(
                "an AsyncGenerator was dropped while a task awaits it: end that task first, or "
                "let aclosing() own the generator");
        }
        std::exchange(handle_, {}).destroy();
    }

    Handle handle_;
};

template <class Y, class S>
// The frame of the body. It changes its parent with each step: any task may await the next one.
class AsyncGenerator<Y, S>::promise_type final : public PromiseBase {
public:
    AsyncGenerator get_return_object() noexcept {
        detail::require_place(*this);
        return AsyncGenerator(Handle::from_promise(*this));
    }

    // Until the first await or co_yield, stack traces show the place where the generator is
    // defined.
    std::suspend_always initial_suspend(
        std::source_location defined = std::source_location::current()) noexcept {
        set_location(defined);
        return {};
    }

    struct FinalAwaiter {
        bool await_ready() const noexcept { return false; }
        void await_suspend(Handle self) const noexcept { self.promise().leave(); }
        void await_resume() const noexcept {}
    };
    FinalAwaiter final_suspend() const noexcept { return {}; }

    void return_void() const noexcept {}
    void unhandled_exception() noexcept { exception_ = leaving_exception(); }

    struct YieldAwaiter {
        promise_type& promise;
        bool await_ready() const noexcept { return false; }
        void await_suspend(Handle self) const noexcept { self.promise().leave(); }
        S await_resume() const {
            if (promise.thrown_) std::rethrow_exception(std::exchange(promise.thrown_, nullptr));
            return std::move(promise.sent_);
        }
    };
    YieldAwaiter yield_value(Y value,
                             std::source_location where = std::source_location::current()) {
        set_location(where);
        if (open_deadlines_ > 0) {
            throw InvalidStateError(
                "a co_yield inside the scope of a timeout(): the deadline belongs to the task that "
                "is waiting now, and another may come for the next value. End its scope before the "
                "co_yield, or use wait_for() for what the generator awaits");
        }
        yielded_.emplace(std::move(value));
        return {*this};
    }

    // For Timeout: the number of deadlines that are open in the body.
    int* open_deadlines() noexcept { return &open_deadlines_; }

private:
    friend class AsyncGenerator;

    std::optional<Y> yielded_;
    S sent_{};
    std::exception_ptr thrown_;     // What the body's co_yield throws next.
    std::exception_ptr exception_;  // What ended the body.
    int open_deadlines_ = 0;
    bool started_ = false;
    bool running_ = false;
};

// One step of a generator: what next(), asend() and athrow() return. Await it at once; it refers to
// the generator.
template <class Y, class S>
class [[nodiscard(
    "a generator gives its next value only if this is awaited: co_await it")]] AsyncGenerator<Y,
                                                                                              S>::
    Step : public InTaskAwaiter {
public:
    Step(AsyncGenerator& generator, S value, std::exception_ptr thrown = nullptr)
        : generator_(generator), value_(std::move(value)), thrown_(std::move(thrown)) {}
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

    bool await_ready() {
        if (!generator_.handle_) return true;
        promise_type& promise = generator_.handle_.promise();
        if (promise.running_) {
            throw InvalidStateError("a generator is awaited by two tasks at once");
        }
        if (!thrown_ || promise.started_) return false;
        generator_.drop();  // There is no co_yield to throw at: it ends without having run.
        return true;
    }

    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        promise_type& promise = generator_.handle_.promise();
        promise.started_ = promise.running_ = true;
        promise.sent_ = std::move(value_);
        promise.thrown_ = std::exchange(thrown_, nullptr);
        promise.yielded_.reset();
        const auto self = std::coroutine_handle<>(generator_.handle_);
        promise.enter(caller.promise(), self, caller);
    }

    std::optional<Y> await_resume() {
        if (thrown_) std::rethrow_exception(thrown_);
        if (!generator_.handle_) return std::nullopt;
        promise_type& promise = generator_.handle_.promise();
        promise.running_ = false;
        if (!generator_.handle_.done()) return std::move(promise.yielded_);
        const std::exception_ptr exception = std::move(promise.exception_);
        generator_.drop();
        if (exception) std::rethrow_exception(exception);
        return std::nullopt;
    }

private:
    AsyncGenerator& generator_;
    S value_;
    std::exception_ptr thrown_;
};

// The next value, as Python's anext().
template <class Y, class S>
typename AsyncGenerator<Y, S>::Step anext(AsyncGenerator<Y, S>& generator) {
    return generator.next();
}

// All values to the end: Python's [x async for x in generator].
template <class Y, class S>
Co<std::vector<Y>> collect(AsyncGenerator<Y, S> generator) {
    std::vector<Y> values;
    while (auto value = co_await generator.next()) values.push_back(std::move(*value));
    co_return values;
}

}  // namespace weft::aio

// A loop over the values of an AsyncGenerator: Python's async for.
//
//     AIO_FOR(Page& page, pages(site)) use(page);
#define AIO_FOR(declaration, generator)                                                            \
    for (auto&& aio_for_source = (generator); auto aio_for_item = co_await aio_for_source.next();) \
        if (declaration = *aio_for_item; false) { /* The loop's body is the else. */               \
        } else
