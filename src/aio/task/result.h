#pragma once

#include <exception>
#include <expected>
#include <utility>

#include "aio/task/awaitable.h"
#include "aio/task/co.h"
#include "aio/task/errors.h"

namespace weft::aio {

template <class T>
using Result = std::expected<T, std::exception_ptr>;

// Awaits a coroutine and gives its value or its exception as a value:
//
//     auto page = co_await as_result(fetch(url));
//     if (!page) co_return note(url, describe(page.error()));
//
// The failure is not thrown a second time here, which saves half of its cost. A CancelledError is
// never returned as a value; it is thrown as usual.
template <class T>
class [[nodiscard("as_result() runs its coroutine only if it is awaited: co_await it")]] AsResult {
public:
    explicit AsResult(Co<T> co) noexcept : co_(std::move(co)) {}

    // Runs the coroutine inside the awaiting task and owns its frame, as Co::Awaiter does.
    class Awaiter : public InTaskAwaiter {
    public:
        explicit Awaiter(typename Co<T>::Handle handle) noexcept : handle_(handle) {}
        Awaiter(const Awaiter&) = delete;
        Awaiter& operator=(const Awaiter&) = delete;
        ~Awaiter() { handle_.destroy(); }

        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
            handle_.promise().enter_from(caller.promise(), caller);
        }
        Result<T> await_resume() {
            ResultCell<T>& cell = handle_.promise().result();
            if (cell.has_exception() && !is_cancellation(cell.exception())) {
                return std::unexpected(cell.exception());
            }
            if constexpr (std::is_void_v<T>) {
                cell.take();
                return {};
            } else {
                return cell.take();
            }
        }

    private:
        typename Co<T>::Handle handle_;
    };

    Awaiter operator co_await() && { return Awaiter(co_.release()); }

private:
    Co<T> co_;
};

template <class T>
AsResult<T> as_result(Co<T> co) noexcept {
    return AsResult<T>(std::move(co));
}

// The same for any other awaitable: as_result(queue.get()).
template <Awaitable A>
    requires(!AnyCo<A>)
AsResult<AwaitResult<A>> as_result(A awaitable) {
    return as_result(as_co(std::move(awaitable)));
}

}  // namespace weft::aio
