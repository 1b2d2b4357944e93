// What can be awaited: a coroutine, a task, a future. And in which order things then happen.

#include <fmt/format.h>

#include "aio/aio.h"

using namespace weft;

aio::Co<int> answer() {
    fmt::print("  the body runs\n");
    co_await aio::sleep(1s);
    co_return 42;
}

// Calling it makes it and runs nothing; awaiting runs it, inside the task that awaits.
aio::Co<> await_a_coroutine() {
    fmt::print("a coroutine\n");
    aio::Co<int> coroutine = answer();
    fmt::print("  called\n");
    const int value = co_await std::move(coroutine);
    fmt::print("  {}\n", value);
}

// Made with a task around it, it runs by itself from the loop's next turn on, awaited or not.
aio::Co<> await_a_task() {
    fmt::print("a task\n");
    aio::Task<int> task = aio::create_task(answer());
    fmt::print("  created\n");
    co_await aio::sleep(2s);
    fmt::print("  {}\n", task.done() ? "done before it is awaited" : "still at work");
    const int value = co_await task;
    fmt::print("  {}\n", value);
}

// A place for a value, with no code of its own: somebody else puts it there.
aio::Co<> await_a_future() {
    fmt::print("a future\n");
    aio::Future<int> future = aio::create_future<int>();
    aio::EventLoop::running().call_later(1s, [future]() mutable {
        fmt::print("  somebody sets it\n");
        future.set_result(42);
    });
    fmt::print("  waiting\n");
    const int value = co_await future;
    fmt::print("  {}\n", value);
}

aio::Co<int> request(int number, Duration time) {
    fmt::print("  request{} paused\n", number);
    co_await aio::sleep(time);
    fmt::print("  event {}\n", number);
    co_return number;
}

// Events come as they like; each resumes the request that it belongs to.
aio::Co<> two_requests() {
    fmt::print("two requests\n");
    aio::Task<int> first = aio::create_task(request(1, 2s));
    aio::Task<int> second = aio::create_task(request(2, 1s));
    const int one = co_await first;
    fmt::print("  response{}\n", one);
    const int two = co_await second;
    fmt::print("  response{}\n", two);
}

aio::Co<> show() {
    co_await await_a_coroutine();
    co_await await_a_task();
    co_await await_a_future();
    co_await two_requests();
}

int main() {
    aio::SimulatedLoop().run(show());
}
