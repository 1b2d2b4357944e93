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

// A number of exits that is known only at run time: each is pushed as its resource is entered, and
// all run in reverse order when the stack is left.
//
//     co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
//         for (const Host& host : hosts) {
//             Connection& connection = co_await stack.enter(pool.connection(host));
//             ...
//         }
//     });
//
// Each exit is told the exception that is on its way, may swallow it for those after it, or replace
// it by throwing. Left by with(), or by aclose(); dropped with exits in it, they do not run.
class AsyncExitStack {
public:
    using Exit = CoFunction<Co<bool>(std::exception_ptr)>;

    // Enters a manager and keeps it until the stack is left; a reference to it.
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

    // True from `exit` swallows the exception.
    void push(Exit exit) { exits_.push_back(std::move(exit)); }

    // An exit that takes no notice of exceptions.
    void push_async_callback(CoFunction<Co<>()> callback);
    void callback(std::move_only_function<void()> callback);

    std::size_t size() const { return exits_.size(); }

    // Moves all exits to a new stack; this one has none then.
    AsyncExitStack pop_all() noexcept { return std::exchange(*this, AsyncExitStack()); }

    Co<> aclose();

    Co<> aenter() { co_return; }
    Co<bool> aexit(std::exception_ptr exception);

private:
    std::vector<Exit> exits_;
};

}  // namespace weft::aio
