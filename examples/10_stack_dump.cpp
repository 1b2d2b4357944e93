// Where does everything wait? Each task knows the chain of its awaits, and so does an exception.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<> read_page() {
    co_await aio::sleep(20ms);
    throw Error("bad page");
}

aio::Co<> fetch() {
    co_await read_page();
}

aio::Co<> work() {
    try {
        co_await fetch();
    } catch (const Error& error) {
        const auto stack = aio::current_task()->exception_stack();
        fmt::print("{}, thrown through:\n{}", error.what(), aio::format_stack(stack));
    }
}

aio::Co<> dump() {
    aio::Task<> task = aio::create_task(work(), "worker");
    co_await aio::sleep(5ms);
    fmt::print("{}", aio::dump_tasks());
    co_await task;
}

int main() {
    aio::run(dump());
}
