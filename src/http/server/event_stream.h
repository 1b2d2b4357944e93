#pragma once

#include <string>
#include <string_view>

#include "aio/task/co.h"
#include "http/server/responder.h"

namespace weft::http {

// One server-sent event.
struct ServerEvent {
    std::string_view data;       // Of any lines; a browser sees them joined by line feeds.
    std::string_view name = {};  // Empty: a plain "message".
    std::string_view id = {};    // What a browser that comes back says it saw last.
};

// The event as it goes over the wire. A line break in `name` or `id` cannot start another field:
// it and what follows is dropped, as is an id with a NUL.
std::string format_event(const ServerEvent& event);

// An answer that never ends: events, as they happen.
//
//     EventStream events(responder);
//     co_await events.open();
//     for (;;) {
//         const Change change = co_await changes.get();
//         co_await events.send({.data = to_json(change)});
//     }
//
// A client that does not take what it is sent holds up its own handler, and is left in the end: a
// source with many clients sends each the newest state, not every step. Server::stop() cancels
// the handler at once.
class EventStream {
public:
    explicit EventStream(Responder& responder) : responder_(responder) {}

    // Sends the head. Throws Refusal(503) if the server has as many streams as it may.
    aio::Co<> open();

    aio::Co<> send(ServerEvent event);

    // Nothing a browser would notice: so that a client that went away is found out.
    aio::Co<> ping();

private:
    Responder& responder_;
};

}  // namespace weft::http
