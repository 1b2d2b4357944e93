// A resource whose opening and closing both wait: closed in every case, errors and cancellation
// included.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

class Session {
public:
    aio::Co<> aenter() {
        co_await aio::sleep(5ms);
        fmt::print("opened\n");
    }
    aio::Co<bool> aexit(std::exception_ptr exception) {
        co_await aio::sleep(5ms);
        fmt::print("closed{}\n", exception ? " after: " + aio::describe(exception) : "");
        co_return false;  // true would swallow the exception.
    }
    aio::Co<int> ask() {
        co_await aio::sleep(1ms);
        co_return 42;
    }
};

aio::Co<> sessions() {
    const int answer = co_await aio::with(Session(), [](Session& session) -> aio::Co<int> {
        const int got = co_await session.ask();
        co_return got;
    });
    fmt::print("{}\n", answer);
    try {
        co_await aio::with(Session(), [](Session&) -> aio::Co<> {
            throw Error("no more");
            co_return;
        });
    } catch (const Error& error) {
        fmt::print("{} reached the caller\n", error.what());
    }
}

int main() {
    aio::run(sessions());
}
