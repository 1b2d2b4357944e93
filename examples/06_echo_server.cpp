// A server and its client in one program: each line comes back.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;

constexpr std::size_t kLineMax = 4096;

aio::Co<> echo(aio::Stream stream) {
    for (;;) {
        const std::string line = co_await stream.readline(kLineMax);
        if (line.empty()) co_return;  // The peer has closed.
        co_await stream.write(line);
    }
}

aio::Co<> serve(aio::Listener& listener, aio::TaskGroup& group) {
    for (;;) {
        auto connection = co_await listener.accept();
        group.create_task(echo(aio::Stream(std::move(connection))), "connection");
    }
}

aio::Co<> talk(aio::Endpoint server) {
    auto connection = co_await aio::get_running_loop().network().connect(server);
    aio::Stream stream(std::move(connection));
    for (const std::string word : {"hello\n", "echo\n"}) {
        co_await stream.write(word);
        const std::string answer = co_await stream.readline(kLineMax);
        fmt::print("{}", answer);
    }
}

aio::Co<> echo_server() {
    auto listener = aio::get_running_loop().network().listen(
        {.address = aio::IpAddress::loopback(), .port = 0});
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(serve(*listener, group), "server");
        co_await talk(listener->local());
        group.cancel();
    });
}

int main() {
    aio::run(echo_server());
}
