// Tasks that live and die together: the first failure ends the others, then it is thrown.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<> work(std::string name, std::chrono::milliseconds time) {
    try {
        co_await aio::sleep(time);
        fmt::print("{} is done\n", name);
    } catch (const aio::CancelledError&) {
        fmt::print("{} was cancelled\n", name);
        throw;  // Always: a cancellation passes through.
    }
}

aio::Co<> fail() {
    co_await aio::sleep(20ms);
    throw Error("the disk is full");
}

aio::Co<> together() {
    try {
        co_await aio::task_group([](aio::TaskGroup& group) -> aio::Co<> {
            group.create_task(work("quick", 10ms));
            group.create_task(work("slow", 1h));
            group.create_task(fail());
            co_return;
        });
    } catch (const aio::ExceptionGroup& errors) {
        fmt::print("{}\n", errors.what());
    }
}

int main() {
    aio::run(together());
}
