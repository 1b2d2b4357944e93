#include <cstdio>
#include <string>

#include "aio/loop/run.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"

using namespace std::chrono_literals;

static weft::aio::Co<int> later(int value) {
    co_await weft::aio::sleep(1ms);
    co_return value;
}

static weft::aio::Co<int> sum() {
    auto [a, b] = co_await weft::aio::gather(later(20), later(22));
    co_return a + b;
}

int main() {
    const int value = weft::aio::run(sum());
    std::puts(std::to_string(value).c_str());
    return value == 42 ? 0 : 1;
}
