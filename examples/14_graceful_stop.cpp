// A server that ends in order: on SIGTERM it takes no more clients, lets those it has finish, and
// ends. It shows this on itself.

#include <csignal>

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

constexpr std::size_t kLineMax = 4096;
constexpr auto kPatience = 30s;  // For the clients there are, once we are told to stop.

// Each line comes back, after some work.
aio::Co<> echo(aio::Stream stream) {
    while (!stream.at_eof()) {
        const std::string line = co_await stream.readline(kLineMax);
        co_await aio::sleep(20ms);
        co_await stream.write(line);
    }
}

// Clients that are still connected at its end are cut off, with the server.
aio::Co<> serve_until_told(aio::Server server) {
    co_await aio::signals({SIGTERM, SIGINT});
    server.close();
    fmt::print("stopping, {} connected\n", server.connection_count());
    try {
        co_await aio::wait_for(server.wait_closed(), kPatience);
        fmt::print("all done\n");
    } catch (const aio::TimeoutError&) {
        fmt::print("{} did not finish\n", server.connection_count());
    }
}

// One client has asked when the signal comes, and another comes too late.
aio::Co<> talk(aio::Endpoint where) {
    aio::Stream early = co_await aio::connect(where);
    co_await early.write("hello\n");
    co_await aio::sleep(5ms);
    std::raise(SIGTERM);
    co_await aio::sleep(5ms);
    auto late = co_await aio::as_result(aio::connect(where));
    fmt::print("{}\n", late ? "taken" : "refused");
    const std::string answer = co_await early.readline(kLineMax);
    fmt::print("{}", answer);
}

aio::Co<> serve_and_talk() {
    aio::Server server = aio::start_server(echo, {aio::IpAddress::loopback(), 0});
    const aio::Endpoint where = server.local();
    co_await aio::gather(serve_until_told(std::move(server)), talk(where));
}

int main() {
    aio::run(serve_and_talk());
}
