// An echo server: each line comes back. Given a port it serves until Ctrl-C, else it talks to
// itself.

#include <charconv>

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;

constexpr std::size_t kLineMax = 4096;

// One client, from its first line to its last. Each has a task of its own.
aio::Co<> echo(aio::Stream stream) {
    while (!stream.at_eof()) {
        const std::string line = co_await stream.readline(kLineMax);
        co_await stream.write(line);
    }
}

aio::Co<> serve(std::uint16_t port) {
    aio::Server server = aio::start_server(echo, {aio::IpAddress::loopback(), port});
    fmt::print(stderr, "listening on {}\n", server.local().to_string());
    co_await server.serve_forever();
}

aio::Co<> talk(std::uint16_t port) {
    aio::Stream stream = co_await aio::open_connection("127.0.0.1", port);
    for (const std::string word : {"hello\n", "echo\n"}) {
        co_await stream.write(word);
        const std::string answer = co_await stream.readline(kLineMax);
        fmt::print("{}", answer);
    }
}

aio::Co<> talk_to_itself() {
    aio::Server server = aio::start_server(echo, {aio::IpAddress::loopback(), 0});
    co_await talk(server.local().port);
    server.close();                 // No more clients;
    co_await server.wait_closed();  // those there are may finish.
}

int main(int argc, char** argv) {
    if (argc < 2) {
        aio::run(talk_to_itself());
        return 0;
    }
    std::uint16_t port = 0;
    std::from_chars(argv[1], argv[1] + std::string_view(argv[1]).size(), port);
    try {
        aio::run(serve(port));
    } catch (const aio::KeyboardInterrupt&) {
        fmt::print(stderr, "goodbye\n");
    } catch (const Error& error) {  // The port is taken, perhaps.
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
