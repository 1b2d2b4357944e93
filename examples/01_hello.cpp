// A coroutine, and the loop that runs it.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<std::string> greet(std::string name) {
    co_await aio::sleep(10ms);  // Others run meanwhile.
    co_return "hello, " + name;
}

aio::Co<> hello() {
    const std::string greeting = co_await greet("weft");
    fmt::print("{}\n", greeting);
}

int main() {
    aio::run(hello());
}
