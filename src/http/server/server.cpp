#include "http/server/server.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <set>
#include <utility>

#include "aio/net/stream.h"
#include "aio/sync/event.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/escape.h"
#include "base/log.h"
#include "http/server/server_session.h"

namespace weft::http {

using aio::Co;

namespace {

constexpr std::string_view kNoRoom =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

// What the limit per peer counts. One IPv6 subscriber has a /64 of addresses to choose from.
aio::IpAddress peer_key(aio::IpAddress address) {
    if (address.is_v4()) return address;
    std::array<std::uint8_t, 16> bytes = address.bytes();
    std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
    return aio::IpAddress::v6(bytes);
}

}  // namespace

struct HttpServer::State {
    State(Handler handler, ServerOptions options)
        : shared{.handler = std::move(handler), .options = std::move(options), .events = {}} {
        shared.events.max = shared.options.event_streams_max;
    }

    Co<> accept_into(aio::TaskGroup& group, aio::Listener& listener) {
        for (;;) {
            std::unique_ptr<aio::Transport> transport = co_await listener.accept();
            ++accepted;
            const aio::Endpoint peer = transport->peer();
            if (has_room_for(peer.address)) {
                group.create_task(talk(std::move(transport), OpenConnection(*this, peer)));
            } else {
                ++refused;
                // One attempt to write, without a wait: a refused connection must cost nothing.
                // With TLS it would need a handshake first, so it is just closed.
                if (!shared.options.tls) static_cast<void>(transport->write(kNoRoom));
            }
            // Lets other tasks run after each connection: a flood of connections must not hold up
            // those that are served, and an interrupted session must end before the next accept.
            co_await aio::sleep(Duration::zero());
        }
    }

    // Also makes room, by interrupting the connection that has been idle longest.
    bool has_room_for(const aio::IpAddress& peer) {
        const ServerOptions& options = shared.options;
        const auto here = per_peer.find(peer_key(peer));
        if (here != per_peer.end() && here->second >= options.connections_per_peer_max) {
            return false;
        }
        if (open < options.connections_max) return true;
        if (shared.idle.empty()) return false;
        shared.idle.front()->interrupt();
        return true;
    }

    // Counts a connection, in all and per peer, while this object exists.
    class OpenConnection {
    public:
        OpenConnection(State& state, const aio::Endpoint& peer)
            : state_(&state), peer_(peer_key(peer.address)) {
            ++state_->open;
            ++state_->per_peer[peer_];
        }
        OpenConnection(OpenConnection&& other) noexcept
            : state_(std::exchange(other.state_, nullptr)), peer_(other.peer_) {}
        ~OpenConnection() {
            if (!state_) return;
            const auto here = state_->per_peer.find(peer_);
            if (--here->second == 0) state_->per_peer.erase(here);
            if (--state_->open == 0) state_->empty.set();
        }

    private:
        State* state_;
        aio::IpAddress peer_;
    };

    Co<> talk(std::unique_ptr<aio::Transport> transport, OpenConnection place) {
        static_cast<void>(place);
        try {
            if (shared.options.tls) {
                transport = co_await aio::wait_for(
                    aio::tls_accept(std::move(transport), shared.options.tls),
                    shared.options.header_timeout);
            }
            ServerSession session(aio::Stream(std::move(transport)), shared);
            const Listed listed{*this, sessions.insert(&session).first};
            co_await session.run();
        } catch (const std::exception& error) {  // The client is gone, so there is no response.
            log(LogLevel::debug, "connection ended: {}", escape_for_terminal(error.what()));
        }
    }

    // Keeps a session in `sessions`, for drain(), while it runs.
    struct Listed {
        State& state;
        std::set<ServerSession*>::iterator place;
        ~Listed() { state.sessions.erase(place); }
    };

    // Waits for stop(), then for the responses under way. After `grace` they are cancelled.
    Co<> drain(aio::TaskGroup& group, aio::Task<> accepting) {
        co_await stopping.wait();
        accepting.cancel();
        for (ServerSession* session : sessions) {
            if (session->is_interruptible()) session->interrupt();
        }
        try {
            while (open > 0) {
                empty.clear();
                co_await aio::wait_for(wait(empty), shared.options.grace);
            }
        } catch (const aio::TimeoutError&) {
            group.cancel();
        }
    }

    static Co<> wait(aio::Event& event) { co_await event.wait(); }

    ServerSessions shared;
    aio::Event stopping;
    aio::Event empty;
    std::set<ServerSession*> sessions = {};
    // Open connections of each peer. An entry exists while its count is above 0.
    std::map<aio::IpAddress, std::size_t> per_peer = {};
    std::size_t open = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
};

HttpServer::HttpServer(Handler handler, ServerOptions options)
    : state_(std::make_unique<State>(std::move(handler), std::move(options))) {}

HttpServer::~HttpServer() = default;

Co<> HttpServer::serve(std::unique_ptr<aio::Listener> listener) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        aio::Task<> accepting = group.create_task(state_->accept_into(group, *listener), "accept");
        co_await state_->drain(group, std::move(accepting));
    });
}

void HttpServer::stop() {
    state_->shared.stopping = true;
    state_->stopping.set();
}

ServerCounts HttpServer::counts() const {
    return {.accepted = state_->accepted,
            .refused = state_->refused,
            .requests = state_->shared.request_count,
            .open = state_->open,
            .idle = state_->shared.idle.size()};
}

Co<> serve(std::unique_ptr<aio::Listener> listener, Handler handler, ServerOptions options) {
    HttpServer server(std::move(handler), std::move(options));
    co_await server.serve(std::move(listener));
}

}  // namespace weft::http
