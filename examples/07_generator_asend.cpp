// A generator that is told something at each value: a pace that adapts to success and failure.

#include <algorithm>

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

using Pause = std::chrono::milliseconds;

// Gives the next pause; is sent whether the last request went well.
aio::AsyncGenerator<Pause, bool> pacer(Pause pause) {
    for (;;) {
        const bool went_well = co_yield pause;
        pause = went_well ? pause - pause / 4 : std::min(pause * 2, Pause(1000));
    }
}

aio::Co<> requests() {
    auto pace = pacer(16ms);
    auto pause = co_await pace.next();  // To its first co_yield.
    for (const bool went_well : {true, true, false, true}) {
        co_await aio::sleep(*pause);
        pause = co_await pace.asend(went_well);
        fmt::print("{} -> {} ms\n", went_well ? "ok" : "failed", pause->count());
    }
    co_await pace.aclose();
}

int main() {
    aio::run(requests());
}
