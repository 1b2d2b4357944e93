// Functions that give values one at a time, and can be sent something for each.

#include <fmt/format.h>

#include "aio/aio.h"

using namespace weft;

// co_yield gives a value out, and is itself the value that is sent in.
aio::Generator<int, int> times2() {
    int number = co_yield 0;
    for (;;) number = co_yield number * 2;
}

// The same, and it may wait in between. Whatever it is sent, it gives twice the square of.
aio::AsyncGenerator<int, int> doubled_squares() {
    int number = 1;
    for (int i = 0; i < 4; ++i) {
        number = co_yield 2 * number * number;
        co_await aio::sleep(1s);
    }
}

aio::AsyncGenerator<int> three_then_one() {
    co_yield 3;
    co_await aio::sleep(1s);
    co_yield 1;
}

aio::Co<> show() {
    aio::Generator<int, int> doubler = times2();
    doubler.next();  // To its first co_yield: only there can it take something.
    fmt::print("times2: 4 gives {}, 9 gives {}\n", *doubler.send(4), *doubler.send(9));

    fmt::print("three_then_one:");
    aio::AsyncGenerator<int> numbers = three_then_one();
    while (const auto number = co_await numbers.next()) fmt::print(" {}", *number);
    const bool has_ended = !(co_await numbers.next()).has_value();
    fmt::print("; {}\n", has_ended ? "and stays ended" : "and goes on");

    fmt::print("asend:");
    aio::AsyncGenerator<int, int> squares = doubled_squares();
    auto value = co_await squares.next();
    while (value) {
        fmt::print(" {}", *value);
        value = co_await squares.asend(*value);
    }
    fmt::print("\n");
}

int main() {
    aio::SimulatedLoop().run(show());
}
