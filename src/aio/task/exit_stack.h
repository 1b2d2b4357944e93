#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "aio/task/with.h"

namespace weft::aio {

// A stack of clean-ups whose number is known only at run time. Each is pushed when its resource is
// entered; all run in reverse order when the stack is left. On one loop's thread, used by one task.
//
//     co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
//         for (const Host& host : hosts) {
//             Connection& connection = co_await stack.enter(pool.connection(host));
//             ...
//         }
//     });
//
// Each exit gets the current exception. It may swallow it for the exits after it, or replace it by
// throwing. The stack is left by with() or by aclose(). If it is destroyed with exits in it, they
// do not run.
class AsyncExitStack {
public:
    using Exit = CoFunction<Co<bool>(std::exception_ptr)>;

    // Enters a manager and keeps it until the stack is left. The reference is valid until then. If
    // aenter() throws or is cancelled, nothing is pushed.
    template <AsyncContextManager M>
        requires detail::EntersItself<M>
    Co<M&> enter(M manager) {
        auto kept = std::make_shared<M>(std::move(manager));
        M& entered = *kept;
        co_await entered.aenter();
        exits_.push_back(Exit([kept](std::exception_ptr exception) -> Co<bool> {
            co_return co_await detail::leave(*kept, exception);
        }));
        co_return entered;
    }

    // If `exit` returns true, it swallows the exception.
    void push(Exit exit) { exits_.push_back(std::move(exit)); }

    // An exit that ignores the exception and never swallows it.
    void push_async_callback(CoFunction<Co<>()> callback);
    void callback(std::move_only_function<void()> callback);

    std::size_t size() const { return exits_.size(); }

    // Moves all exits to a new stack and leaves this one empty.
    AsyncExitStack pop_all() noexcept { return std::exchange(*this, AsyncExitStack()); }

    // Runs all exits, as if the scope ended without an exception.
    Co<> aclose();

    Co<> aenter() { co_return; }
    Co<bool> aexit(std::exception_ptr exception);

private:
    std::vector<Exit> exits_;
};

}  // namespace weft::aio
