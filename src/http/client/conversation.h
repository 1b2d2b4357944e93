#pragma once

#include <string_view>

#include "aio/task/co.h"
#include "http/client/fetch_clock.h"
#include "http/client/fetch_limits.h"
#include "http/message/message.h"

namespace weft::http {

// One request and the response to it, as an Exchange sees them. Everything referred to outlives the
// exchange.
struct Conversation {
    const Request& request;
    std::string_view target;  // As sent: "/path?query", or the whole URL for a proxy.
    const Headers& headers;   // All fields to send, those that the client added included.
    const FetchLimits& limits;
    FetchClock& clock;
    ResponseSink& sink;  // The exchange calls on_request() and on_wire(); Fetch calls the rest.
    Response& response;
};

// Carries one request and its response: an HTTP/1.1 connection, or a stream of HTTP/2. The caller
// pulls the body, so that a slow reader slows the server down. If a call is cancelled or throws,
// the exchange cannot continue: destroy it.
class HttpExchange {
public:
    virtual ~HttpExchange() = default;

    // Sends the request and reads up to the end of the final head, which is then in `response`.
    // Throws FetchError.
    virtual aio::Co<> start(Conversation& conversation) = 0;

    // The next piece of the body, content codings not undone. Empty at the end of a complete body;
    // a body that is not complete throws FetchError. The view is valid until the next call.
    virtual aio::Co<std::string_view> read(Conversation& conversation) = 0;

    // Transfer codings of the body besides `chunked` (HTTP/1.1 only, and rare).
    virtual std::string_view transfer_codings() const { return {}; }

    // Whether the server has sent a byte of the response. If it has not, and the connection was
    // idle before, the request may be sent again (H09).
    virtual bool has_received() const = 0;
};

}  // namespace weft::http
