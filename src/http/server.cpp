#include "http/server.h"

#include <iterator>

#include <fmt/format.h>

#include "aio/errors.h"
#include "aio/semaphore.h"
#include "aio/task_group.h"
#include "aio/timeout.h"
#include "base/escape.h"
#include "base/log.h"
#include "http/request_parser.h"

namespace weft::http {

using aio::Co;

std::string_view reason_of(int status) {
    switch (status) {
        case 200: return "OK";
        case 204: return "No Content";
        case 206: return "Partial Content";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 410: return "Gone";
        case 413: return "Content Too Large";
        case 421: return "Misdirected Request";
        case 429: return "Too Many Requests";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        case 505: return "HTTP Version Not Supported";
        default: return "";
    }
}

Co<> Responder::reply(Reply reply) {
    std::string out = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, reason_of(reply.status));
    for (const auto& [name, value] : reply.headers) {
        fmt::format_to(std::back_inserter(out), "{}: {}\r\n", name, value);
    }
    const bool has_body = reply.status != 204 && reply.status != 304;
    if (has_body) {
        fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", reply.body.size());
    }
    if (!keep_alive_) out += "Connection: close\r\n";
    out += "\r\n";
    if (has_body && !is_head_) out += reply.body;
    co_await stream_.write(out);
}

namespace {

// One client's connection: request after request.
class Session {
public:
    Session(aio::Stream stream, const Handler& handler, const ServerOptions& options)
        : stream_(std::move(stream)), handler_(handler), options_(options) {}

    Co<> run() {
        for (;;) {
            const bool came = co_await next_request();
            if (!came) co_return;
            Responder responder(stream_, request_.method == "HEAD", parser_.keep_alive());
            bool failed = false;
            try {
                co_await handler_(request_, responder);
            } catch (const Error& error) {
                // A client that goes away in the middle is its own affair.
                log(stream_.is_broken() ? LogLevel::debug : LogLevel::warning,
                    "answering {} {}: {}", escape_for_terminal(request_.method),
                    escape_for_terminal(request_.target), escape_for_terminal(error.what()));
                failed = true;
            }
            if (failed && !stream_.is_broken()) co_await refuse(500);
            if (failed || !responder.keeps_alive()) co_return;
        }
    }

private:
    // False when the connection is over, in order or not.
    Co<bool> next_request() {
        if (stream_.buffered().empty()) {
            const bool more = co_await aio::wait_for(stream_.fill(), options_.idle_timeout);
            if (!more) co_return false;
        }
        co_return co_await aio::wait_for(read_request(), options_.request_timeout);
    }

    Co<bool> read_request() {
        request_ = {};
        parser_.start();
        for (;;) {
            const auto step = parser_.next(stream_.buffered());
            if (!step) {
                co_await refuse(step.error() == ParseError::bad_version ? 505 : 400);
                co_return false;
            }
            if (step->event == RequestParser::Event::head) take_head();
            if (step->event == RequestParser::Event::body) {
                request_.body += step->body;
                if (request_.body.size() > options_.body_bytes_max) {
                    co_await refuse(413);
                    co_return false;
                }
            }
            stream_.consume(step->consumed);
            if (step->event == RequestParser::Event::end) co_return true;
            if (step->event != RequestParser::Event::need_more) continue;
            const bool more = co_await stream_.fill();
            if (!more) co_return false;
        }
    }

    void take_head() {
        request_.method = parser_.method();
        request_.target = parser_.target();
        request_.headers = parser_.headers();
        request_.peer = stream_.peer();
        request_.local = stream_.local();
    }

    Co<> refuse(int status) {
        Responder responder(stream_, false, false);
        co_await responder.reply({.status = status, .body = std::string(reason_of(status)) + "\n"});
    }

    aio::Stream stream_;
    const Handler& handler_;
    const ServerOptions& options_;
    RequestParser parser_;
    ServerRequest request_;
};

Co<> serve_connection(std::unique_ptr<aio::Transport> transport, const Handler& handler,
                      const ServerOptions& options, aio::Semaphore::Permit permit) {
    static_cast<void>(permit);
    try {
        if (options.tls) {
            transport = co_await aio::wait_for(aio::tls_accept(std::move(transport), options.tls),
                                               options.request_timeout);
        }
        Session session(aio::Stream(std::move(transport)), handler, options);
        co_await session.run();
    } catch (const Error& error) {  // A client that went away or fell silent: nothing to tell it.
        log(LogLevel::debug, "connection ended: {}", escape_for_terminal(error.what()));
    }
}

}  // namespace

Co<> serve(std::unique_ptr<aio::Listener> listener, Handler handler, ServerOptions options) {
    aio::Semaphore places(options.connections_max);
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            aio::Semaphore::Permit permit = co_await places.acquire();
            std::unique_ptr<aio::Transport> transport = co_await listener->accept();
            group.create_task(
                serve_connection(std::move(transport), handler, options, std::move(permit)));
        }
    });
}

}  // namespace weft::http
