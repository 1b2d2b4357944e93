#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "aio/net/stream.h"
#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "http/server/server.h"

namespace weft::http {

// A server in virtual time, and what a test's client does with it.
struct Served {
    HttpServer& server;
    aio::Endpoint at;

    Duration now() const { return aio::EventLoop::running().time().time_since_epoch(); }

    // Sends `bytes` on a connection of its own; all that comes back until the server closes.
    aio::Co<std::string> ask(std::string bytes) const {
        aio::Stream stream = co_await aio::connect(at);
        co_await stream.write(bytes);
        co_return co_await read_to_end(stream);
    }

    static aio::Co<std::string> read_to_end(aio::Stream& stream) {
        std::string all;
        try {
            for (bool more = true; more;) {
                more = co_await stream.fill();
                all += stream.buffered();
                stream.consume(stream.buffered().size());
            }
        } catch (const aio::IoError& error) {
            all += "[reset]";
        }
        co_return all;
    }

    // One answer whose head ends in `Content-Length: n`.
    static aio::Co<std::string> read_answer(aio::Stream& stream, std::size_t body_bytes) {
        std::string answer = co_await stream.readuntil("\r\n\r\n", 64 * 1024);
        const std::string body = co_await stream.readexactly(body_bytes);
        co_return answer + body;
    }
};

// Serves at a machine of its own while `body(Served&)` runs.
template <class Body>
void with_server(Handler handler, ServerOptions options, Body body) {
    aio::SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    loop.run([](auto own_listener, auto own_handler, auto own_options, auto& test) -> aio::Co<> {
        HttpServer server(std::move(own_handler), std::move(own_options));
        Served served{server, own_listener->local()};
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            group.create_task(server.serve(std::move(own_listener)));
            co_await test(served);
            group.cancel();
        });
        EXPECT_EQ(server.counts().open, 0u);
    }(std::move(listener), std::move(handler), std::move(options), body));
}

// The status line's number, 0 if there is none.
inline int status_in(const std::string& answer) {
    if (!answer.starts_with("HTTP/1.1 ") || answer.size() < 12) return 0;
    return (answer[9] - '0') * 100 + (answer[10] - '0') * 10 + (answer[11] - '0');
}

inline std::string body_of(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

inline Handler say_target() {
    return [](const ServerRequest& request, Responder& responder) -> aio::Co<> {
        co_await responder.reply({.body = request.method + " " + request.target});
    };
}

}  // namespace weft::http
