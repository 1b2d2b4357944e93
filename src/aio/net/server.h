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

// Talks with one client. What it throws is logged and ends that connection only.
using ConnectionHandler = CoFunction<Co<>(Stream)>;

struct StartServerOptions {
    std::shared_ptr<TlsContext> tls = nullptr;  // Null: plain.
    Duration tls_timeout = limits::kTlsTimeout;
    std::size_t connections_max = 10'000;  // Beyond them clients wait in the listener's queue.
};

// Accepts connections and gives each to a task of its own. Made by start_server(). Destroyed, it
// stops accepting and cancels its connections; their tasks end in the loop's next rounds, and what
// the handler captured lives until then.
class Server {
public:
    Server(std::unique_ptr<Listener> listener, ConnectionHandler handler,
           StartServerOptions options);
    ~Server();
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;

    Endpoint local() const;

    // Stops accepting; the connections there are go on.
    void close() noexcept;

    // Waits until close() was called and the last connection is done. Throws what ended the
    // accepting, if that failed. Cancelled, the server goes on.
    Co<> wait_closed();

    // The same, but cancelled it closes the server. Not needed for accepting, only to wait.
    Co<> serve_forever();

    std::size_t connection_count() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

// Listens at `endpoint` (port 0: a free one, see local()) and accepts at once:
//
//     Server server = start_server(echo, {IpAddress::loopback(), 8007});
//     co_await server.serve_forever();
//
// Throws IoError.
Server start_server(ConnectionHandler handler, Endpoint endpoint, StartServerOptions options = {});

// The same at a path; see listen_unix().
Server start_unix_server(ConnectionHandler handler, const std::filesystem::path& path,
                         StartServerOptions options = {});

}  // namespace weft::aio
