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

// A response, as a handler makes it. The server adds framing (Content-Length, Transfer-Encoding)
// and Date; do not set them here. A `Connection` field makes the server close the connection.
struct Reply {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

// `text` must be valid JSON; see escape_for_json(). Browsers do not store it and do not read it as
// HTML.
Reply json_reply(std::string text, int status = 200);

// A line of plain text for a status: "404 Not Found: no such page\n".
Reply status_reply(int status, std::string_view why = {});

// Thrown by a handler before it has responded. The server then responds with this status.
class HttpRefusal : public Error {
public:
    explicit HttpRefusal(int status, const std::string& why = {}) : Error(why), status_(status) {}

    int status() const { return status_; }

private:
    int status_;
};

// How many event streams a server has open, and how many it may have.
struct EventBudget {
    std::size_t open = 0;
    std::size_t max = 0;
};

// A handler responds to one request with it, in one of three ways: with reply(); piece by piece
// with start(), write() and finish(); or by hand on stream(). Use one of them, once.
//
// A write returns when the connection has taken the bytes. So a slow reader holds up only its own
// handler. If it takes too few bytes for too long, the write throws TimeoutError. A field that
// contains a line break or another control byte throws Error before anything is sent.
//
// Owned by the session, which outlives the handler's coroutine. If a call is cancelled or throws,
// the response is incomplete and the connection is closed.
class Responder {
public:
    struct Options {
        bool keep_alive = true;
        Duration write_timeout = 60s;  // For each 64 KiB, so about 1 KiB a second.
        EventBudget* events = nullptr;
    };

    Responder(aio::Stream& stream, const ServerRequest& request, Options options)
        : stream_(stream), request_(request), options_(options) {}
    ~Responder();
    Responder(const Responder&) = delete;
    Responder& operator=(const Responder&) = delete;

    // Sends the whole response with its Content-Length (without the body for a HEAD).
    aio::Co<> reply(Reply reply);

    // Sends a head; write() then sends the body. With `length` the body has exactly that many
    // bytes. Without it, it may have any length: it is sent in chunks, or to an HTTP/1.0 client up
    // to the close. REQUIRES: head.body is empty.
    aio::Co<> start(Reply head, std::optional<std::uint64_t> length = std::nullopt);
    aio::Co<> write(std::string_view piece);

    // Ends the body. If finish() is not called, or is called before `length` bytes, the connection
    // is closed, so that the client sees an incomplete body.
    aio::Co<> finish();

    // The bare stream, for responses of any other kind. The connection is closed afterwards.
    aio::Stream& stream() {
        state_ = State::by_hand;
        return stream_;
    }

    // Whether another request may follow on this connection after this response.
    bool keeps_alive() const { return options_.keep_alive && state_ == State::done; }

    // For EventStream: counts this response as an event stream until the destructor. False: the
    // server has its maximum.
    bool take_event_place();
    bool has_event_place() const { return has_event_place_; }

    // For the server: the result.
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
    std::string pending_;  // Written into memory, but not sent yet.
    bool has_event_place_ = false;
    int status_ = 0;
    std::uint64_t length_ = 0;
    std::uint64_t body_bytes_ = 0;
};

}  // namespace weft::http
