#include "aio/net/server.h"

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/tls.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/event.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "base/escape.h"
#include "base/log.h"

namespace weft::aio {

struct Server::State {
    State(ConnectionHandler the_handler, StartServerOptions the_options)
        : handler(std::move(the_handler)), options(std::move(the_options)) {}

    Co<> serve(std::unique_ptr<Listener> listener) {
        co_await task_group([this, &listener](TaskGroup& group) -> Co<> {
            accepting = group.create_task(accept_into(group, std::move(listener)), "accept");
            co_return;
        });
    }

    Co<> accept_into(TaskGroup& group, std::unique_ptr<Listener> listener) {
        for (;;) {
            // At the limit new clients stay in the listener's queue, so they cost no memory here.
            while (connection_count >= options.connections_max) {
                room.clear();
                co_await room.wait();
            }
            std::unique_ptr<Transport> transport = co_await listener->accept();
            ++connection_count;
            group.create_task(talk(std::move(transport)), "connection");
        }
    }

    void close() noexcept {
        if (accepting.state()) {
            accepting.cancel();
        } else {
            serving.cancel();  // It has not run yet, so there is no accepting task.
        }
    }

    Co<> talk(std::unique_ptr<Transport> transport) {
        const Leaving leaving{*this};
        const std::string whom = transport->peer_name();
        try {
            if (options.tls) {
                transport = co_await wait_for(tls_accept(std::move(transport), options.tls),
                                              options.tls_timeout);
            }
            co_await handler(Stream(std::move(transport)));
        } catch (const CancelledError&) {
            // The server ends this connection: not a failure to log.
            throw;
        } catch (...) {  // tidy: allow catch-all: logged; it ends this connection only
            log(LogLevel::warning, "connection of {}: {}", whom,
                escape_for_terminal(describe(std::current_exception())));
        }
    }

    // Counts a connection as ended, however its task ends.
    struct Leaving {
        State& state;
        ~Leaving() {
            --state.connection_count;
            state.room.set();
        }
    };

    ConnectionHandler handler;
    StartServerOptions options;
    Endpoint endpoint;
    Event room;
    std::size_t connection_count = 0;
    Task<> accepting = {};
    Task<> serving = {};
};

namespace {

// The server's tasks refer to its state, so the state must live until the last task has ended.
Co<> keep(std::shared_ptr<const void>, Co<> serving) {
    co_await std::move(serving);
}

}  // namespace

Server::Server(std::unique_ptr<Listener> listener, ConnectionHandler handler,
               StartServerOptions options)
    : state_(std::make_shared<State>(std::move(handler), std::move(options))) {
    state_->endpoint = listener->local();
    state_->serving = create_task(keep(state_, state_->serve(std::move(listener))), "server");
}

Server::~Server() {
    if (!state_) return;
    state_->serving.cancel();
    // The task holds the state, and the state holds the task: this breaks the circle.
    state_->serving = {};
}

Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

Endpoint Server::local() const {
    return state_->endpoint;
}

void Server::close() noexcept {
    state_->close();
}

namespace {

// A server that is closed before its first step ends as cancelled. That is a normal end for the
// waiter, not a cancellation of it.
Co<> until_ended(Task<> serving) {
    co_await wait_futures({serving.state()});
    if (!serving.cancelled()) serving.result();
}

}  // namespace

Co<> Server::wait_closed() {
    co_await until_ended(state_->serving);
}

Co<> Server::serve_forever() {
    const std::shared_ptr<State> state = state_;
    try {
        co_await until_ended(state->serving);
    } catch (const CancelledError&) {
        state->close();
        throw;
    }
}

std::size_t Server::connection_count() const {
    return state_->connection_count;
}

Server start_server(ConnectionHandler handler, Endpoint endpoint, StartServerOptions options) {
    return Server(EventLoop::running().network().listen(endpoint), std::move(handler),
                  std::move(options));
}

Server start_unix_server(ConnectionHandler handler, const std::filesystem::path& path,
                         StartServerOptions options) {
    return Server(listen_unix(path), std::move(handler), std::move(options));
}

}  // namespace weft::aio
