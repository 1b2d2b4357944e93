#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/network.h"
#include "aio/net/stream.h"
#include "aio/net/tls.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "base/clock.h"

// What a hostile server does on one connection, as a list of steps:
//
//     const Script script{read_request(), send("HTTP/1.1 200 OK\r\n\r\nhalf"), sleep(1h)};
//
// Behind the last step the connection closes: with a reset if bytes of the client lie unread, else
// in order. A script that never reads is therefore one that resets.
namespace weft::hostile {

// One connection's way through a script.
struct Stage {
    aio::Stream stream;
    std::string& heard;  // What was read of the client.
};

using Action = aio::CoFunction<aio::Co<>(Stage&)>;
using Step = std::shared_ptr<const Action>;
using Script = std::vector<Step>;

Step make_step(Action action);

// Waits until bytes of the client are there, and leaves them unread.
Step await_request();

// Reads a request head and, with `body_bytes`, what follows it.
Step read_request(std::size_t body_bytes = 0);

Step send(std::string bytes);

// Byte by byte, a pause behind each.
Step drip(std::string bytes, Duration pause);

// Over and over, as fast as the client takes it.
Step loop(std::string bytes);

Step sleep(Duration time);

// The end of our half of the stream; with TLS its close_notify too.
Step fin();

// From here on TLS, as the server.
Step start_tls(std::shared_ptr<aio::TlsContext> context);

// A server that plays scripts: the first connection the first one, and so on; the last again and
// again.
class ScriptedServer {
public:
    ScriptedServer(std::unique_ptr<aio::Listener> listener, std::vector<Script> scripts)
        : listener_(std::move(listener)), scripts_(std::move(scripts)) {}

    // Until cancelled.
    aio::Co<> serve();

    std::size_t connection_count() const { return heard_.size(); }

    // What each connection's client said, as far as its script read it.
    const std::deque<std::string>& heard() const { return heard_; }

    aio::Endpoint local() const { return listener_->local(); }

private:
    aio::Co<> play(std::unique_ptr<aio::Transport> transport, Script script, std::string& heard);

    std::unique_ptr<aio::Listener> listener_;
    std::vector<Script> scripts_;
    std::deque<std::string> heard_;  // Their places hold.
};

}  // namespace weft::hostile
