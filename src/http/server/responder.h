#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "base/error.h"
#include "http/message/status.h"
#include "http/server/server_request.h"

namespace weft::http {

// An answer. Framing (Content-Length, Transfer-Encoding) and Date are the server's own affair;
// `Connection: close` is taken as a wish.
struct Reply {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

// `text` is JSON already; see escape_for_json(). Never stored by a browser, never read as HTML.
Reply json_reply(std::string text, int status = 200);

// A line of plain text for a status: "404 Not Found: no such page\n".
Reply status_reply(int status, std::string_view why = {});

// Thrown by a handler before it has answered: the server answers so in its place.
class Refusal : public Error {
public:
    explicit Refusal(int status, const std::string& why = {}) : Error(why), status_(status) {}

    int status() const { return status_; }

private:
    int status_;
};

// How many event streams a server has open, and may have.
struct EventBudget {
    std::size_t open = 0;
    std::size_t max = 0;
};

// How a handler answers one request: with reply(); piece by piece with start(), write() and
// finish(); or by hand on the bare stream. One of them, once.
//
// A write returns when the connection has taken it: a slow reader holds its handler up and nothing
// else, and one that takes nothing for a while is left (TimeoutError). A head that cannot be sent
// because a field holds a line break or another control byte throws Error before anything is sent.
class Responder {
public:
    struct Options {
        bool keep_alive = true;
        Duration write_timeout = 60s;  // For each 64 KiB: some 1 KiB a second.
        EventBudget* events = nullptr;
    };

    Responder(aio::Stream& stream, const ServerRequest& request, Options options)
        : stream_(stream), request_(request), options_(options) {}
    ~Responder();
    Responder(const Responder&) = delete;
    Responder& operator=(const Responder&) = delete;

    // Sends the answer with its Content-Length (a HEAD without its body).
    aio::Co<> reply(Reply reply);

    // Sends a head; the body follows by write(), `length` bytes if given, else of any length:
    // chunked, or to an HTTP/1.0 client up to the close. REQUIRES: head.body is empty.
    aio::Co<> start(Reply head, std::optional<std::uint64_t> length = std::nullopt);
    aio::Co<> write(std::string_view piece);

    // The body is whole. Without it, or before `length` bytes, the client sees that it is not.
    aio::Co<> finish();

    // For answers that none of these makes. The connection is closed after.
    aio::Stream& stream() {
        state_ = State::by_hand;
        return stream_;
    }

    // Whether another request may follow on this connection, as far as this answer goes.
    bool keeps_alive() const { return options_.keep_alive && state_ == State::done; }

    // For EventStream: takes a place, which is given back with the responder. False: all are taken.
    bool take_event_place();
    bool has_event_place() const { return has_event_place_; }

    // For the server: what came of it.
    bool has_begun() const { return state_ != State::waiting; }
    bool is_done() const { return state_ == State::done; }
    int status() const { return status_; }  // 0: none was sent.
    std::uint64_t body_bytes() const { return body_bytes_; }

private:
    enum class State { waiting, streaming, done, by_hand };
    enum class Body { none, length, chunked, until_close };

    std::string make_head(const Reply& reply);
    void choose_framing(const Reply& reply, std::optional<std::uint64_t> length);
    bool is_head() const { return request_.method == "HEAD"; }
    aio::Co<> flush();
    aio::Co<> send(std::string_view bytes);

    aio::Stream& stream_;
    const ServerRequest& request_;
    Options options_;
    State state_ = State::waiting;
    Body body_ = Body::none;
    std::string pending_;  // Made and not yet sent.
    bool has_event_place_ = false;
    int status_ = 0;
    std::uint64_t length_ = 0;
    std::uint64_t body_bytes_ = 0;
};

}  // namespace weft::http
