// A day in a millisecond: in a SimulatedLoop time stands still while a task can run, and jumps when
// all wait. Tests of timeouts and retries need no sleeping.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<int> try_until_it_works() {
    int tries = 1;
    for (auto pause = 1s; pause < 24h; pause *= 2, ++tries) co_await aio::sleep(pause);
    co_return tries;
}

int main() {
    aio::SimulatedLoop loop;
    const int tries = loop.run(try_until_it_works());
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(loop.now());
    fmt::print("{} tries in {} hours\n", tries, hours.count());
}
