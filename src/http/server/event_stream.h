#pragma once

#include <string>
#include <string_view>

#include "aio/task/co.h"
#include "http/server/responder.h"

namespace weft::http {

// One server-sent event.
struct ServerEvent {
    std::string_view data;       // May have several lines; a browser joins them by line feeds.
    std::string_view name = {};  // Empty: the default, "message".
    std::string_view id = {};    // A browser that reconnects sends it back as Last-Event-ID.
};

// The event as it is sent (HTML standard, "Server-sent events"). `name` and `id` are cut at their
// first line break, so that they cannot start another field. An id that contains a NUL is dropped.
std::string format_event(const ServerEvent& event);

// A response without an end, which sends events when they happen.
//
//     EventStream events(responder);
//     co_await events.open();
//     for (;;) {
//         const Change change = co_await changes.get();
//         co_await events.send({.data = to_json(change)});
//     }
//
// A client that does not read holds up its own handler, whose send() finally throws TimeoutError.
// So a source with many clients should send each the newest state, not every step. Server::stop()
// cancels the handler at once. Owned by the handler; `responder` must outlive it.
class EventStream {
public:
    explicit EventStream(Responder& responder) : responder_(responder) {}

    // Sends the head. Throws Refusal(503) if the server has its maximum of event streams.
    aio::Co<> open();

    // Returns when the connection has taken the event. The views must live until then.
    aio::Co<> send(ServerEvent event);

    // Sends a comment, which browsers ignore, to find out whether the client is still there.
    aio::Co<> ping();

private:
    Responder& responder_;
};

}  // namespace weft::http
