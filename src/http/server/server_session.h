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

// What the connections of one server share.
struct ServerSessions {
    Handler handler;
    ServerOptions options;
    EventBudget events;
    std::uint64_t request_count = 0;
    bool stopping = false;
    std::list<class ServerSession*> idle = {};  // The longest first.
};

// One client's connection: request after request. Runs in a task of its own.
class ServerSession {
public:
    ServerSession(aio::Stream stream, ServerSessions& shared);

    // Until the client leaves, misbehaves or falls silent. Throws IoError when it breaks off.
    aio::Co<> run();

    // Whether the server may end it at once: no answer that has an end is under way.
    bool is_interruptible() const {
        return idle_place_ || (answering_ && answering_->has_event_place());
    }

    // Ends it at its next step. It is no longer one of the idle.
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
    TimePoint began_{};
    std::size_t head_bytes_ = 0;
    bool has_first_line_ = false;
    const Responder* answering_ = nullptr;
    std::optional<std::list<ServerSession*>::iterator> idle_place_;
};

}  // namespace weft::http
