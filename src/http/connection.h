#pragma once

#include <string>

#include "aio/co.h"
#include "aio/stream.h"
#include "http/fetch_limits.h"
#include "http/message.h"
#include "http/response_parser.h"

namespace weft::http {

// One HTTP/1.1 connection: one exchange at a time.
class Connection {
public:
    Connection(aio::Stream stream, std::string key);

    // Sends the request and gives the answer to `sink`. Throws FetchError; then the connection is
    // of no further use. `start` is when the fetch began, for the timings.
    aio::Co<Response> exchange(const Request& request, const Headers& headers,
                               const FetchLimits& limits, ResponseSink& sink, TimePoint start);

    // After an exchange: whether another may follow.
    bool is_reusable() const { return reusable_; }

    // An idle connection on which anything came (an end, or bytes nobody asked for, H10) is dead.
    bool is_alive();

    // Whether the server has sent a byte of the answer: only if not may a request that failed on a
    // reused connection be sent again (H09).
    bool has_received() const { return received_; }

    const std::string& key() const { return key_; }
    aio::Endpoint peer() const { return stream_.peer(); }
    aio::Stream& stream() { return stream_; }

private:
    struct Exchange;

    aio::Co<> send(const Request& request, const Headers& headers, const Exchange& exchange);
    aio::Co<bool> receive(Exchange& exchange);
    aio::Co<> read_response(Exchange& exchange);
    void take_head(Exchange& exchange);
    void take_content(Exchange& exchange, std::string_view coded);
    void take_end(Exchange& exchange);
    [[noreturn]] void fail_parse(ParseError error) const;

    aio::Stream stream_;
    std::string key_;
    ResponseParser parser_;
    std::string output_;  // The request head; its memory is kept.
    bool received_ = false;
    bool reusable_ = false;
};

}  // namespace weft::http
