#pragma once

#include <list>
#include <optional>
#include <string_view>

#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "aio/task/task_base.h"
#include "http/message/request_parser.h"
#include "http/server/server.h"

namespace weft::http {

// What the connections of one server share. Owned by the Server.
struct ServerSessions {
    Handler handler;
    ServerOptions options;
    EventBudget events;
    std::uint64_t request_count = 0;
    bool stopping = false;
    std::list<class ServerSession*> idle = {};  // Longest idle first.
};

// One connection of a client, which carries one request after another. Runs in a task of its own,
// whose coroutine owns it.
class ServerSession {
public:
    ServerSession(aio::Stream stream, ServerSessions& shared);

    // Serves until the client closes, breaks the protocol or stays silent for too long. Throws
    // IoError if the connection breaks.
    aio::Co<> run();

    // Whether the server may end it at once: it is idle, or it sends an event stream.
    bool is_interruptible() const {
        return idle_place_ || (answering_ && answering_->has_event_place());
    }

    // Cancels its task and takes it out of the idle list.
    void interrupt();

private:
    void leave_idle();
    aio::Co<bool> wait_for_request();
    aio::Co<> read_head();
    aio::Co<> read_body();
    aio::Co<> answer();
    aio::Co<> handle(Responder& responder);
    aio::Co<> refuse(int status, std::string_view why);
    aio::Co<> linger();
    aio::Co<RequestParser::Event> next_event();
    void count_head(std::string_view bytes);
    void check_head() const;
    void tell(const Responder& responder) const;

    aio::TaskBase& task_;
    aio::Stream stream_;
    ServerSessions& shared_;
    RequestParser parser_;
    ServerRequest request_;
    TimePoint began_{};                     // When the first byte of the request came.
    std::size_t head_bytes_ = 0;            // Of the head, so far.
    bool has_first_line_ = false;           // The request line is complete.
    const Responder* answering_ = nullptr;  // Set while a handler runs.
    std::optional<std::list<ServerSession*>::iterator> idle_place_;  // Set while idle.
};

}  // namespace weft::http
