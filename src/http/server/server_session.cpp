#include "http/server/server_session.h"

#include <exception>
#include <optional>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/log.h"

namespace weft::http {

using aio::Co;

namespace {

int status_of(ParseError error) {
    switch (error) {
        case ParseError::bad_version: return 505;
        case ParseError::line_too_long:
        case ParseError::header_block_too_large:
        case ParseError::too_many_fields:
        case ParseError::trailers_too_large: return 431;
        default: return 400;
    }
}

// The client closed the connection inside a request, so that no response can be sent.
struct Gone : Error {
    Gone() : Error("the client left inside a request") {}
};

}  // namespace

ServerSession::ServerSession(aio::Stream stream, ServerSessions& shared)
    : task_(*aio::current_task()), stream_(std::move(stream)), shared_(shared) {}

Co<> ServerSession::run() {
    for (;;) {
        const bool came = co_await wait_for_request();
        if (!came) co_return;
        std::optional<HttpRefusal> refusal;
        try {
            co_await read_head();
            check_head();
            co_await read_body();
        } catch (const HttpRefusal& error) {
            refusal = error;
        } catch (const Gone&) {
            co_return;
        }
        // Outside the catch block: a co_await is not allowed inside one. After a refusal the
        // connection is closed, because the rest of the request was not read.
        if (refusal) {
            co_await refuse(refusal->status(), refusal->what());
            co_return;
        }
        co_await answer();
        if (stream_.is_closed()) co_return;
    }
}

void ServerSession::interrupt() {
    leave_idle();
    task_.cancel();
}

void ServerSession::leave_idle() {
    if (idle_place_) shared_.idle.erase(*idle_place_);
    idle_place_.reset();
}

// False if the connection ended between two requests, which is normal.
Co<bool> ServerSession::wait_for_request() {
    struct Idling {
        ServerSession& session;
        ~Idling() { session.leave_idle(); }
    };
    // Pipelined requests are already in the buffer: then the session is never idle.
    if (stream_.buffered().empty()) {
        idle_place_ = shared_.idle.insert(shared_.idle.end(), this);
        const Idling idling{*this};
        if (shared_.stopping) co_return false;
        try {
            const bool more = co_await aio::wait_for(stream_.fill(), shared_.options.idle_timeout);
            if (!more) co_return false;
        } catch (const aio::TimeoutError&) {
            co_return false;
        }
    }
    began_ = aio::EventLoop::running().time();
    request_ = {};
    request_.peer = stream_.peer();
    request_.local = stream_.local();
    head_bytes_ = 0;
    has_first_line_ = false;
    parser_.start();
    co_return true;
}

// The parser's next event. For need_more it reads on. Throws Refusal, Gone.
Co<RequestParser::Event> ServerSession::next_event() {
    for (;;) {
        const auto step = parser_.next(stream_.buffered());
        if (!step) {
            throw HttpRefusal(status_of(step.error()), std::string(describe(step.error())));
        }
        if (request_.method.empty()) count_head(stream_.buffered().substr(0, step->consumed));
        if (step->event == RequestParser::Event::body) {
            request_.body += step->body;
            if (request_.body.size() > shared_.options.body_bytes_max) throw HttpRefusal(413);
        }
        stream_.consume(step->consumed);
        if (step->event != RequestParser::Event::need_more) co_return step->event;
        const bool more = co_await stream_.fill();
        if (!more) throw Gone();
    }
}

// The server's bounds are narrower than the parser's, which are shared with the client.
void ServerSession::count_head(std::string_view bytes) {
    const std::size_t room = shared_.options.header_bytes_max - head_bytes_;
    has_first_line_ = has_first_line_ || bytes.substr(0, room).contains('\n');
    if (bytes.size() > room) throw HttpRefusal(has_first_line_ ? 431 : 414);
    head_bytes_ += bytes.size();
}

Co<> ServerSession::read_head() {
    try {
        co_await aio::wait_for(next_event(), shared_.options.header_timeout);
    } catch (const aio::TimeoutError&) {
        throw HttpRefusal(408, "the head did not come in time");
    }
    request_.method = parser_.method();
    request_.target = parser_.target();
    request_.minor_version = parser_.minor_version();
    request_.headers = parser_.headers();
}

void ServerSession::check_head() const {
    if (request_.headers.size() > shared_.options.header_count_max) throw HttpRefusal(431);
    if (!shared_.options.hosts.allows(request_.host())) {
        throw HttpRefusal(
            403,
            "this server does not go by that name; who runs it can add it (weft serve "
            "--host NAME)");
    }
    const bool is_absolute = request_.target.contains("://");
    if (!request_.target.starts_with('/') && !is_absolute &&
        !(request_.target == "*" && request_.method == "OPTIONS")) {
        throw HttpRefusal(400, "the target is neither a path nor a URL");
    }
    const auto expects = request_.headers.get("Expect");
    if (expects && !equals_ignore_case(*expects, "100-continue")) throw HttpRefusal(417);
    // Before the body is read; a chunked body is checked while it is read.
    if (parser_.content_length().value_or(0) > shared_.options.body_bytes_max)
        throw HttpRefusal(413);
}

Co<> ServerSession::read_body() {
    if (parser_.is_complete()) co_return;
    // RFC 9110, 10.1.1: the client waits for this before it sends the body. If the body has already
    // begun to arrive, the interim response is not needed.
    if (request_.headers.contains("Expect") && request_.minor_version > 0 &&
        stream_.buffered().empty()) {
        co_await aio::wait_for(stream_.write("HTTP/1.1 100 Continue\r\n\r\n"),
                               shared_.options.write_timeout);
    }
    auto read_all = [](ServerSession& session) -> Co<> {
        auto event = RequestParser::Event::body;
        while (event == RequestParser::Event::body) event = co_await session.next_event();
    };
    try {
        co_await aio::wait_for(read_all(*this), shared_.options.body_timeout);
    } catch (const aio::TimeoutError&) {
        throw HttpRefusal(408, "the body did not come in time");
    }
}

Co<> ServerSession::answer() {
    ++shared_.request_count;
    Responder responder(stream_, request_,
                        {.keep_alive = parser_.keep_alive() && !shared_.stopping,
                         .write_timeout = shared_.options.write_timeout,
                         .events = &shared_.events});
    answering_ = &responder;
    struct Answering {
        const Responder*& place;
        ~Answering() { place = nullptr; }
    };
    const Answering answering{answering_};
    co_await handle(responder);
    tell(responder);
    if (responder.keeps_alive()) co_return;
    // An incomplete response must look cut off, so the connection is closed at once.
    if (responder.is_done()) {
        co_await linger();
    } else {
        stream_.close();
    }
}

// Runs the handler. What it throws before it has begun to respond becomes the response.
Co<> ServerSession::handle(Responder& responder) {
    Reply instead = status_reply(500);
    try {
        co_await shared_.handler(request_, responder);
        if (responder.has_begun()) co_return;
    } catch (const HttpRefusal& refusal) {
        instead = status_reply(refusal.status(), refusal.what());
    } catch (const std::exception& error) {
        // A client that closes in the middle is normal and not worth a warning.
        log(stream_.is_broken() ? LogLevel::debug : LogLevel::warning, "answering {} {}: {}",
            escape_for_terminal(request_.method), escape_for_terminal(request_.target),
            escape_for_terminal(error.what()));
    }
    if (!responder.has_begun()) co_await responder.reply(std::move(instead));
}

Co<> ServerSession::refuse(int status, std::string_view why) {
    Responder responder(stream_, request_,
                        {.keep_alive = false, .write_timeout = shared_.options.write_timeout});
    co_await responder.reply(status_reply(status, why));
    tell(responder);
    co_await linger();
}

// Closes in a way that lets the client read the response: closing a socket with unread bytes sends
// a reset, which may destroy the response on its way.
Co<> ServerSession::linger() {
    try {
        co_await aio::wait_for(stream_.close_gracefully(), shared_.options.linger_timeout);
    } catch (const aio::TimeoutError&) {
        stream_.close();
    }
}

void ServerSession::tell(const Responder& responder) const {
    if (!shared_.options.on_answered) return;
    shared_.options.on_answered({.request = request_,
                                 .status = responder.status(),
                                 .body_bytes = responder.body_bytes(),
                                 .elapsed = aio::EventLoop::running().time() - began_});
}

}  // namespace weft::http
