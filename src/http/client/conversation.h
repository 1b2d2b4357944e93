#pragma once

#include <string_view>

#include "aio/task/co.h"
#include "http/client/fetch_clock.h"
#include "http/client/fetch_limits.h"
#include "http/message/message.h"

namespace weft::http {

// One request on its way and the answer that comes in, as an Exchange sees them. All outlive the
// exchange.
struct Conversation {
    const Request& request;
    std::string_view target;  // As on the wire: "/path?query", or the whole URL for a proxy.
    const Headers& headers;   // All of them.
    const FetchLimits& limits;
    FetchClock& clock;
    ResponseSink& sink;  // Gets on_request() and on_wire() here; the rest is the client's.
    Response& response;
};

// What carries one request and its answer: a connection of HTTP/1.1, or a stream of HTTP/2. Bodies
// come by pull, so that a slow reader slows the server down.
class Exchange {
public:
    virtual ~Exchange() = default;

    // Sends the request and reads up to the end of the final head, which is then in `response`.
    // Throws FetchError.
    virtual aio::Co<> start(Conversation& conversation) = 0;

    // The next piece of the body, with its content codings; empty at its end, and only if it was
    // whole. The view is valid until the next call. Throws FetchError.
    virtual aio::Co<std::string_view> read(Conversation& conversation) = 0;

    // Codings besides `chunked` that the transfer of the body added (HTTP/1.1 only, and rare).
    virtual std::string_view transfer_codings() const { return {}; }

    // Whether the server has sent a byte of the answer: only if not may the request, if it was on a
    // connection that had been idle, be sent again (H09).
    virtual bool has_received() const = 0;
};

}  // namespace weft::http
