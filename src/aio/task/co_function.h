#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "aio/task/co.h"

namespace weft::aio {

// Any callable that returns a coroutine, as a value: std::function for Co. (The compiler's checks
// against dangling coroutine arguments do not allow std::function itself to return one.) Move-only.
// It owns the callable's captures, so it must outlive the coroutines it made.
template <class Signature>
class CoFunction;

template <class T, class... Args>
class CoFunction<Co<T>(Args...)> {
public:
    CoFunction() = default;

    template <class Callable>
        requires(!std::same_as<std::remove_cvref_t<Callable>, CoFunction> &&
                 std::is_invocable_r_v<Co<T>, std::decay_t<Callable>&, Args...>)
    // NOLINTNEXTLINE(google-explicit-constructor): as std::function.
    CoFunction(Callable&& callable)
        : target_(
              std::make_unique<Model<std::decay_t<Callable>>>(std::forward<Callable>(callable))) {}

    explicit operator bool() const { return target_ != nullptr; }

    // REQUIRES: not empty.
    [[clang::coro_wrapper]] Co<T> operator()(Args... args) const {
        return target_->call(std::forward<Args>(args)...);
    }

private:
    // The callable with its type erased.
    struct Target {
        virtual ~Target() = default;
        [[clang::coro_wrapper]] virtual Co<T> call(Args... args) = 0;
    };

    template <class Callable>
    struct Model final : Target {
        explicit Model(Callable the_callable) : callable(std::move(the_callable)) {}
        [[clang::coro_wrapper]] Co<T> call(Args... args) override {
            return callable(std::forward<Args>(args)...);
        }
        Callable callable;
    };

    std::unique_ptr<Target> target_;
};

}  // namespace weft::aio
