// A scope that is entered and left with a wait: it is left whatever happens inside.

#include <fmt/format.h>

#include "aio/aio.h"

using namespace weft;

class Connection {
public:
    explicit Connection(std::string name, bool swallows = false)
        : name_(std::move(name)), swallows_(swallows) {}

    aio::Co<> aenter() {
        co_await aio::sleep(1s);
        fmt::print("  {} opened\n", name_);
    }

    // True: the error goes no further.
    aio::Co<bool> aexit(std::exception_ptr error) {
        co_await aio::sleep(1s);
        fmt::print("  {} closed{}\n", name_, error ? ", after: " + aio::describe(error) : "");
        co_return swallows_&& error != nullptr;
    }

private:
    std::string name_;
    bool swallows_;
};

aio::Co<> end_well() {
    fmt::print("a good end\n");
    co_await aio::with(Connection("outer"), [](Connection&) -> aio::Co<> {
        co_await aio::with(Connection("inner"), [](Connection&) -> aio::Co<> {
            fmt::print("  at work\n");
            co_return;
        });
    });
}

aio::Co<> end_in_an_error(bool swallows) {
    fmt::print("an error{}\n", swallows ? ", swallowed" : "");
    try {
        co_await aio::with(Connection("it", swallows), [](Connection&) -> aio::Co<> {
            throw Error("the server hung up");
            co_return;
        });
        fmt::print("  the caller goes on\n");
    } catch (const Error& error) {
        fmt::print("  the caller sees: {}\n", error.what());
    }
}

aio::Co<> work_for_ever() {
    co_await aio::with(Connection("it"), [](Connection&) -> aio::Co<> { co_await aio::sleep(1h); });
}

aio::Co<> end_cancelled() {
    fmt::print("a cancellation\n");
    aio::Task<> task = aio::create_task(work_for_ever());
    co_await aio::sleep(5s);
    task.cancel();
    co_await aio::wait(std::vector{task});
    fmt::print("  the task is {}\n", task.cancelled() ? "cancelled" : "done");
}

aio::Co<> show() {
    co_await end_well();
    co_await end_in_an_error(false);
    co_await end_in_an_error(true);
    co_await end_cancelled();
}

int main() {
    aio::SimulatedLoop().run(show());
}
