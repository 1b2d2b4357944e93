#include <asio.hpp>

#include <fmt/format.h>

#include "bench/process.h"

// What Asio's coroutines pay for what bench/aio/switching.cpp measures of ours: three numbers, ns.
namespace {

asio::awaitable<int> child() {
    co_return 1;
}

asio::awaitable<void> yield_many(int count) {
    const auto executor = co_await asio::this_coro::executor;
    for (int i = 0; i < count; ++i) co_await asio::post(executor, asio::use_awaitable);
}

asio::awaitable<void> await_many(int count) {
    for (int i = 0; i < count; ++i) co_await child();
}

asio::awaitable<void> spawn_many(int count) {
    const auto executor = co_await asio::this_coro::executor;
    for (int i = 0; i < count; ++i) co_await asio::co_spawn(executor, child(), asio::use_awaitable);
}

template <class Make>
void print_nanoseconds_each(int count, Make make) {
    const double seconds = weft::bench::best_cpu_seconds(7, [&] {
        asio::io_context context(1);
        asio::co_spawn(context, make(count), asio::detached);
        context.run();
    });
    fmt::print("{}\n", seconds / count * 1e9);
}

}  // namespace

int main() {
    print_nanoseconds_each(1'000'000, yield_many);
    print_nanoseconds_each(1'000'000, await_many);
    print_nanoseconds_each(300'000, spawn_many);
}
