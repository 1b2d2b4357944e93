// Child processes: input, output and end in one call; or a child whose lines are read as they come.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

constexpr std::size_t kLineMax = 4096;

// Gives the child all its input, and takes all its output.
aio::Co<> sort_names() {
    aio::Process child = co_await aio::create_subprocess_exec(
        {"sort", "-u"},
        {.standard_input = aio::Redirect::pipe, .standard_output = aio::Redirect::pipe});
    const auto output = co_await child.communicate("weft\nwarp\nweft\n");
    fmt::print("{}sort ended with {}\n", output.standard_output, *child.returncode());
}

// Talks with a child for as long as it pleases, and then ends it.
aio::Co<> ask_again_and_again() {
    aio::Process child = co_await aio::create_subprocess_exec(
        {"cat"}, {.standard_input = aio::Redirect::pipe, .standard_output = aio::Redirect::pipe});
    for (const std::string question : {"one\n", "two\n"}) {
        co_await child.standard_input().write(question);
        const std::string answer =
            co_await aio::wait_for(child.standard_output().readline(kLineMax), 5s);
        fmt::print("{}", answer);
    }
    child.terminate();
    const int status = co_await child.wait();  // Minus the signal that ended it.
    fmt::print("cat ended with {}\n", status);
}

aio::Co<> children() {
    co_await sort_names();
    co_await ask_again_and_again();
    try {
        co_await aio::create_subprocess_exec({"no-such-program"});
    } catch (const Error& error) {
        fmt::print("{}\n", error.what());
    }
}

int main() {
    aio::run(children());
}
