#include "aio/task/exit_stack.h"

namespace weft::aio {

void AsyncExitStack::push_async_callback(CoFunction<Co<>()> callback) {
    auto kept = std::make_shared<CoFunction<Co<>()>>(std::move(callback));
    push([kept](std::exception_ptr) -> Co<bool> {
        co_await (*kept)();
        co_return false;
    });
}

void AsyncExitStack::callback(std::move_only_function<void()> callback) {
    auto kept = std::make_shared<std::move_only_function<void()>>(std::move(callback));
    push([kept](std::exception_ptr) -> Co<bool> {
        (*kept)();
        co_return false;
    });
}

Co<> AsyncExitStack::aclose() {
    co_await aexit(nullptr);
}

Co<bool> AsyncExitStack::aexit(std::exception_ptr exception) {
    bool is_replaced = false;
    std::exception_ptr current = exception;
    while (!exits_.empty()) {
        // Each exit leaves the stack before it runs, so that none can run twice.
        const Exit exit = std::move(exits_.back());
        exits_.pop_back();
        try {
            const bool swallowed = co_await exit(current);
            if (swallowed) current = nullptr;
        } catch (...) {  // tidy: the next exits see it; it is thrown below
            current = std::current_exception();
            is_replaced = true;
        }
    }
    // An exception of the body itself is not thrown here: with() rethrows it when aexit() gives
    // false.
    if (current && is_replaced) std::rethrow_exception(current);
    co_return exception && !current;
}

}  // namespace weft::aio
