#include "demo/server/server.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "aio/loop/executor.h"
#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "http/server/server.h"

namespace weft::demo {

using aio::Co;

namespace {

constexpr int kPortTries = 20;
constexpr std::size_t kChunkBytes = 700;  // So that chunks end in the middle of things.

aio::IpAddress host_address(unsigned index) {
    return aio::IpAddress::v4({127, 0, 0, static_cast<std::uint8_t>(index + 1)});
}

std::string head_of(const Answer& answer, std::string_view framing) {
    std::string head =
        fmt::format("HTTP/1.1 {} {}\r\n", answer.status, http::reason_of(answer.status));
    for (const auto& [name, value] : answer.headers) head += fmt::format("{}: {}\r\n", name, value);
    return head + fmt::format("{}\r\nConnection: close\r\n\r\n", framing);
}

// Sends the body in chunks. The last, empty chunk is sent only if finish() follows.
Co<> send_chunks(Answer& answer, std::string_view body, http::Responder& responder) {
    co_await responder.start({.status = answer.status, .headers = std::move(answer.headers)});
    while (!body.empty()) {
        const std::string_view piece = body.substr(0, kChunkBytes);
        co_await responder.write(piece);
        body.remove_prefix(piece.size());
    }
}

// The behaviours that break HTTP; see Behaviour.
Co<> misbehave(const Answer& answer, http::Responder& responder) {
    aio::Stream& stream = responder.stream();
    const std::string_view body = answer.body;
    const std::string length = fmt::format("Content-Length: {}", body.size());
    switch (answer.behaviour) {
        case Behaviour::whole:
        case Behaviour::chunked:
        case Behaviour::cut_chunks: break;
        case Behaviour::until_close:
            co_await stream.write(head_of(answer, "X-Length: none") + answer.body);
            break;
        case Behaviour::cut_short:
            co_await stream.write(head_of(answer, length));
            co_await stream.write(body.substr(0, body.size() / 2));
            break;
        case Behaviour::drip:
            co_await stream.write(head_of(answer, length));
            for (std::size_t i = 0; i < body.size(); ++i) {
                co_await stream.write(body.substr(i, 1));
                co_await aio::sleep(kDripInterval);
            }
            break;
        case Behaviour::endless:
            co_await stream.write(head_of(answer, "X-Length: none"));
            // It ends with the exception of a closed connection, or with the server's cancellation.
            for (;;) co_await stream.write(body);
        case Behaviour::silent: co_await aio::sleep(1h); break;
        case Behaviour::hang_up: break;
    }
}

// Computing the truth about a million pages takes a while, so it runs on the executor, not on the
// loop.
Co<Answer> find_answer(std::shared_ptr<const Site> site, const http::ServerRequest& request) {
    std::string host = request.local.address.to_string();
    if (request.path() != kTruthPath) co_return site->answer(host, request.target);
    co_return co_await aio::to_thread(
        [site, host, target = request.target] { return site->answer(host, target); });
}

Co<> answer_request(std::shared_ptr<const Site> site, const http::ServerRequest& request,
                    http::Responder& responder) {
    if (request.method != "GET" && request.method != "HEAD") {
        co_await responder.reply({.status = 405, .headers = {{"Allow", "GET, HEAD"}}});
        co_return;
    }
    Answer answer = co_await find_answer(std::move(site), request);
    if (answer.delay > Duration::zero()) co_await aio::sleep(answer.delay);
    const std::string_view body = answer.body;
    if (answer.behaviour == Behaviour::whole || request.method == "HEAD") {
        co_await responder.reply({.status = answer.status,
                                  .headers = std::move(answer.headers),
                                  .body = std::move(answer.body)});
    } else if (answer.behaviour == Behaviour::chunked) {
        co_await send_chunks(answer, body, responder);
        co_await responder.finish();
    } else if (answer.behaviour == Behaviour::cut_chunks) {
        co_await send_chunks(answer, body.substr(0, body.size() / 2), responder);
    } else {
        co_await misbehave(answer, responder);
    }
}

Listeners listen_on_all(std::uint16_t port) {
    aio::Network& network = aio::EventLoop::running().network();
    Listeners all{.port = port, .listeners = {}};
    for (unsigned i = 0; i < kHostCount; ++i) {
        all.listeners.push_back(network.listen({host_address(i), all.port}));
        all.port = all.listeners.front()->local().port;
    }
    return all;
}

}  // namespace

Listeners listen(std::uint16_t port) {
    for (int attempt = 1;; ++attempt) {
        try {
            return listen_on_all(port);
        } catch (const aio::IoError&) {
            // A port that is free on the first address may be taken on another. Then a new port is
            // tried.
            if (port != 0 || attempt == kPortTries) throw;
        }
    }
}

Co<> serve(Listeners listeners, Options options) {
    options.port = listeners.port;
    const auto site = std::make_shared<const Site>(options);
    http::Handler handler = [site](const http::ServerRequest& request,
                                   http::Responder& responder) -> Co<> {
        co_await answer_request(site, request, responder);
    };
    http::ServerOptions limits;
    limits.connections_per_peer_max = limits.connections_max;  // Its only client is a crawler.
    http::HttpServer server(std::move(handler), std::move(limits));
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (std::unique_ptr<aio::Listener>& listener : listeners.listeners) {
            group.create_task(server.serve(std::move(listener)));
        }
        co_return;
    });
}

}  // namespace weft::demo
