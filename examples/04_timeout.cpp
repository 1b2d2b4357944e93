// Three ways to say how long something may take.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<int> slow_answer() {
    co_await aio::sleep(1h);
    co_return 42;
}

// For the rest of a coroutine; its caller sees the TimeoutError.
aio::Co<int> ask_with_deadline() {
    auto deadline = co_await aio::timeout(20ms);
    const int answer = co_await slow_answer();
    co_return answer;
}

aio::Co<> ask() {
    try {
        co_await aio::wait_for(slow_answer(), 20ms);  // For one call.
    } catch (const aio::TimeoutError&) {
        fmt::print("the call timed out\n");
    }
    try {
        co_await aio::with(aio::timeout(20ms), [](aio::Timeout&) -> aio::Co<> {  // For a block.
            co_await slow_answer();
        });
    } catch (const aio::TimeoutError&) {
        fmt::print("the block timed out\n");
    }
    auto result = co_await aio::as_result(ask_with_deadline());
    if (!result) fmt::print("the coroutine: {}\n", aio::describe(result.error()));
}

int main() {
    aio::run(ask());
}
