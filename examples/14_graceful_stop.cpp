// A server that ends in order: on SIGTERM it takes no more clients, lets those it has finish, and
// ends. Given a port it serves until then, else it shows this on itself.

#include <charconv>
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
}  // What is still connected is cut off with the server.

// A client that has asked when the signal comes, and a second one that comes too late.
aio::Co<> show(aio::Endpoint where) {
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

aio::Co<> serve(std::uint16_t port) {
    aio::Server server = aio::start_server(echo, {aio::IpAddress::loopback(), port});
    const aio::Endpoint where = server.local();
    fmt::print(stderr, "listening on {}\n", where.to_string());
    aio::Task<> serving = aio::create_task(serve_until_told(std::move(server)));
    if (port == 0) co_await show(where);
    co_await serving;
}

int main(int count, char** arguments) {
    std::uint16_t port = 0;
    const std::string_view text = count > 1 ? arguments[1] : "0";
    std::from_chars(text.data(), text.data() + text.size(), port);
    try {
        aio::run(serve(port));
    } catch (const aio::KeyboardInterrupt&) {  // Ctrl-C once more: at once.
        return 1;
    } catch (const Error& error) {  // The port is taken, perhaps.
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
