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

// Answers one request. A Refusal that it throws becomes that answer, any other Error a 500 and a
// line in the log; neither ends the server.
using Handler = aio::CoFunction<aio::Co<>(const ServerRequest&, Responder&)>;

// What was answered to a request; also to one that was refused before a handler saw it, of which
// as much is filled in as was understood.
struct Answered {
    const ServerRequest& request;
    int status;  // 0: the handler closed the connection without one.
    std::uint64_t body_bytes;
    Duration elapsed;  // Since the first byte of the request.
};

// A server has a budget of its own, so that whoever floods it takes nothing from the rest of the
// program (H129). Every bound is held where the bytes come in.
struct ServerOptions {
    std::shared_ptr<aio::TlsContext> tls = nullptr;  // Null: plain HTTP.
    HostList hosts = {};                             // Asked for another: 403.

    // Past it the connection that was idle longest makes room; if none is idle, the newcomer is
    // told 503. A peer is an IPv4 address or an IPv6 /64.
    std::size_t connections_max = 10'000;
    std::size_t connections_per_peer_max = 1'024;

    std::size_t event_streams_max = 64;  // Past it: 503.

    std::size_t header_bytes_max = 32_KiB;  // Past it: 431 (414 if it is the first line).
    std::size_t header_count_max = 100;     // Past it: 431.
    std::size_t body_bytes_max = 1_MiB;     // Past it: 413.

    Duration header_timeout = 10s;  // From the first byte of a head to its last: 408. Also for TLS.
    Duration body_timeout = 20s;    // For all of a body: 408.
    Duration idle_timeout = 60s;    // Between two requests.
    Duration write_timeout = 60s;   // For a client to take 64 KiB: some 1 KiB a second.
    Duration linger_timeout = 2s;   // For a client to read the answer before the close.
    Duration grace = 5s;            // See Server::stop().

    // Called after each answer, on the loop's thread.
    std::function<void(const Answered&)> on_answered = nullptr;
};

// How a server is doing.
struct ServerCounts {
    std::uint64_t accepted = 0;  // Connections, ever; refused ones included.
    std::uint64_t refused = 0;   // For want of room.
    std::uint64_t requests = 0;  // Handed to the handler, ever.
    std::size_t open = 0;        // Connections now.
    std::size_t idle = 0;        // Of these, waiting for a request.
};

// Serves HTTP/1.1: keep-alive, pipelined requests answered in their order, one at a time.
//
//     http::Server server(handler, {.hosts = http::HostList::of(address)});
//     co_await server.serve(loop.network().listen({address, 8080}));
//
// On one loop's thread; outlives its serve() calls.
class Server {
public:
    explicit Server(Handler handler, ServerOptions options = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Serves the connections of a listener; may run for several listeners at once, which share the
    // limits. Returns some time after stop(). Cancelled, the connections are closed at once.
    aio::Co<> serve(std::unique_ptr<aio::Listener> listener);

    // The orderly end: no new connections; idle ones and event streams are closed; answers under
    // way may finish within `grace`, then serve() returns.
    void stop();

    ServerCounts counts() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Serves until cancelled.
aio::Co<> serve(std::unique_ptr<aio::Listener> listener, Handler handler,
                ServerOptions options = {});

}  // namespace weft::http
