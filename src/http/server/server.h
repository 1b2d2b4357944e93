#pragma once

#include <functional>
#include <memory>

#include "aio/net/network.h"
#include "aio/net/tls.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "base/clock.h"
#include "base/units.h"
#include "http/connect/host_list.h"
#include "http/server/responder.h"
#include "http/server/server_request.h"

namespace weft::http {

// Responds to one request. If it throws a Refusal, the server sends that; for any other Error it
// sends a 500 and writes a line to the log. Neither ends the server. Both arguments outlive the
// coroutine. Handlers of different connections run interleaved, on the loop's thread.
using Handler = aio::CoFunction<aio::Co<>(const ServerRequest&, Responder&)>;

// A request and the response to it, for logs. If the request was refused before a handler got it,
// `request` contains as much as was read.
struct Answered {
    const ServerRequest& request;
    int status;  // 0: the handler closed the connection without a response.
    std::uint64_t body_bytes;
    Duration elapsed;  // Since the first byte of the request.
};

// A server has a budget of its own, so that a flood of requests does not affect the rest of the
// program (H129). Every bound is checked while the bytes are read.
struct ServerOptions {
    std::shared_ptr<aio::TlsContext> tls = nullptr;  // Null: plain HTTP.
    HostList hosts = {};                             // Requests for other hosts get a 403.

    // Beyond connections_max the connection that has been idle longest is closed; if none is idle,
    // the new one gets a 503. A peer, which always gets a 503 beyond its maximum, is an IPv4
    // address or an IPv6 /64.
    std::size_t connections_max = 10'000;
    std::size_t connections_per_peer_max = 1'024;

    std::size_t event_streams_max = 64;  // Beyond it: 503.

    std::size_t header_bytes_max = 32_KiB;  // Beyond it: 431 (414 within the first line).
    std::size_t header_count_max = 100;     // Beyond it: 431.
    std::size_t body_bytes_max = 1_MiB;     // Beyond it: 413.

    Duration header_timeout = 10s;  // From the first byte of a head to its last: 408. Also for TLS.
    Duration body_timeout = 20s;    // For a whole body: 408.
    Duration idle_timeout = 60s;    // Between two requests.
    Duration write_timeout = 60s;   // For a client to take 64 KiB, so about 1 KiB a second.
    Duration linger_timeout = 2s;   // For a client to read the response before the close.
    Duration grace = 5s;            // See Server::stop().

    // Called after each response, on the loop's thread.
    std::function<void(const Answered&)> on_answered = nullptr;
};

// Statistics of a server. The first three count since its start.
struct ServerCounts {
    std::uint64_t accepted = 0;  // Connections, refused ones included.
    std::uint64_t refused = 0;   // Connections refused because of the limits.
    std::uint64_t requests = 0;  // Requests passed to the handler.
    std::size_t open = 0;        // Connections that are open now.
    std::size_t idle = 0;        // Open connections that wait for a request.
};

// Serves HTTP/1.1 with keep-alive. Pipelined requests are answered in their order, one at a time.
//
//     http::HttpServer server(handler, {.hosts = http::HostList::of(address)});
//     co_await server.serve(loop.network().listen({address, 8080}));
//
// On one loop's thread; must outlive its serve() calls.
class HttpServer {
public:
    explicit HttpServer(Handler handler, ServerOptions options = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Serves the connections of a listener. May run for several listeners at once, which share the
    // limits. Returns after stop(). If it is cancelled, its connections are closed at once.
    aio::Co<> serve(std::unique_ptr<aio::Listener> listener);

    // Ends the server in order: it accepts no new connections, closes idle ones and event streams
    // at once, and gives responses under way `grace` to finish. Then serve() returns.
    void stop();

    ServerCounts counts() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Serves with a Server of its own until it is cancelled.
aio::Co<> serve(std::unique_ptr<aio::Listener> listener, Handler handler,
                ServerOptions options = {});

}  // namespace weft::http
