// Several coroutines at once: three waits of 20 ms take 20 ms.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<int> square(int number) {
    co_await aio::sleep(20ms);
    co_return number* number;
}

aio::Co<> squares() {
    auto [four, nine] = co_await aio::gather(square(2), square(3));
    fmt::print("{} {}\n", four, nine);

    std::vector<aio::Co<int>> many;
    for (int i = 0; i < 1000; ++i) many.push_back(square(i));
    const std::vector<int> results = co_await aio::gather(std::move(many));
    fmt::print("{} results, the last {}\n", results.size(), results.back());
}

int main() {
    aio::run(squares());
}
