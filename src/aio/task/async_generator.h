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
// Lazy: its body runs only while somebody awaits next(), asend(), athrow() or aclose(), inside the
// awaiting task. The end is std::nullopt, then and ever after. An exception of the body, a
// cancellation too, leaves the await and ends the generator. `co_yield` gives what was sent;
// next() sends S().
//
// Leaving early: dropped, its locals are destroyed at once; clean-up that has to be awaited runs
// in aclose(), for which aclosing() sees to it in every case. Not to be dropped while an await of
// it is under way. Arguments taken by reference must outlive the generator. A co_yield inside the
// scope of a timeout() is an InvalidStateError.
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

    // Awaited, gives the next value or std::nullopt at the end. Awaiting one of these while another
    // is under way throws InvalidStateError.
    Step next() { return Step(*this, S()); }

    // The same, and co_yield gives `value`. REQUIRES: next() first, else InvalidStateError.
    Step asend(S value) {
        if (handle_ && !handle_.promise().started_) {
            throw InvalidStateError("a value was sent to a generator before its first next()");
        }
        return Step(*this, std::move(value));
    }

    // The same, and co_yield throws `exception`. A generator that has not started ends at once.
    Step athrow(std::exception_ptr exception) { return Step(*this, S(), std::move(exception)); }

    // Throws GeneratorExit at the co_yield, waits for the clean-up, and ends the generator. A body
    // that yields again instead gets InvalidStateError. Nothing happens if it has ended.
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
class AsyncGenerator<Y, S>::promise_type final : public PromiseBase {
public:
    AsyncGenerator get_return_object() noexcept {
        detail::require_place(*this);
        return AsyncGenerator(Handle::from_promise(*this));
    }

    // Until its first await or co_yield, the generator stands where it is defined.
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

    // Of Timeout: how many of the body are alive.
    int* open_deadlines() noexcept { return &open_deadlines_; }

private:
    friend class AsyncGenerator;

    std::optional<Y> yielded_;
    S sent_{};
    std::exception_ptr thrown_;     // To be thrown at the co_yield.
    std::exception_ptr exception_;  // That ended the body.
    int open_deadlines_ = 0;
    bool started_ = false;
    bool running_ = false;
};

// One step of a generator, awaited at once.
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
        generator_.drop();  // No co_yield to throw at: it ends without having run.
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
