#pragma once

#include <filesystem>
#include <memory>

#include "aio/net/network.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "base/clock.h"
#include "base/limits.h"

namespace weft::aio {

class TlsContext;

// Serves one client. What it throws is logged and ends only that connection.
using ConnectionHandler = CoFunction<Co<>(Stream)>;

// The settings of start_server().
struct StartServerOptions {
    std::shared_ptr<TlsContext> tls = nullptr;  // Null: no TLS.
    Duration tls_timeout = limits::kTlsTimeout;
    std::size_t connections_max = 10'000;  // Further clients wait in the listener's queue.
};

// Accepts connections and runs each in its own task. Created by start_server(), on the loop's
// thread. The destructor stops accepting and cancels the connections. Their tasks end in the loop's
// next rounds, and what the handler captured lives until then.
class Server {
public:
    Server(std::unique_ptr<Listener> listener, ConnectionHandler handler,
           StartServerOptions options);
    ~Server();
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;

    Endpoint local() const;

    // Stops accepting; existing connections go on.
    void close() noexcept;

    // Waits until close() was called and the last connection is done. If accepting failed, that
    // cancels the connections and is thrown here, as an ExceptionGroup. If the wait is cancelled,
    // the server goes on.
    Co<> wait_closed();

    // The same, but a cancellation closes the server. The server accepts without it too; this only
    // waits.
    Co<> serve_forever();

    std::size_t connection_count() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

// Listens on `endpoint` (port 0: a free one, see local()) and accepts at once:
//
//     Server server = start_server(echo, {IpAddress::loopback(), 8007});
//     co_await server.serve_forever();
//
// Throws IoError.
Server start_server(ConnectionHandler handler, Endpoint endpoint, StartServerOptions options = {});

// The same on a unix socket; see listen_unix().
Server start_unix_server(ConnectionHandler handler, const std::filesystem::path& path,
                         StartServerOptions options = {});

}  // namespace weft::aio
