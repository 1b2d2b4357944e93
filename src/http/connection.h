#pragma once

#include <string>

#include "aio/co.h"
#include "aio/stream.h"
#include "base/limits.h"
#include "http/message.h"
#include "http/response_parser.h"

namespace weft::http {

// How long each phase of a fetch may take and how much an answer may be. Each limit has a failure
// of its own name.
struct FetchLimits {
    Duration dns_timeout = limits::kDnsTimeout;
    Duration connect_timeout = limits::kConnectTimeout;
    Duration tls_timeout = limits::kTlsTimeout;
    Duration first_byte_timeout = limits::kFirstByteTimeout;
    Duration idle_timeout = limits::kIdleTimeout;
    Duration total_timeout = limits::kTotalTimeout;

    // After the first window a body must come at this rate, else it is too_slow (H03).
    std::size_t rate_bytes_per_second_min = limits::kRateBytesPerSecondMin;
    Duration rate_window = limits::kRateWindow;

    // A longer body is cut here: Response::cut.
    std::uint64_t content_bytes_max = limits::kBodyBytesMax;
    std::uint64_t wire_bytes_max = limits::kBodyBytesMax;
};

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
    void check_part(const Exchange& exchange) const;
    void take_head(Exchange& exchange);
    aio::Co<> take_content(Exchange& exchange, std::string_view coded);
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
