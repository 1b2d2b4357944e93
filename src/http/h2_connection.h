#pragma once

#include <memory>
#include <string>

#include "aio/co.h"
#include "aio/stream.h"
#include "aio/task.h"
#include "http/connection.h"
#include "http/failure.h"
#include "http/h2_session.h"
#include "http/message.h"

namespace weft::http {

// An exchange that ended before any of its answer had come, so that it may be tried again on
// another connection.
class UnansweredError final : public FetchError {
public:
    enum class Reason {
        refused,         // The server says that it has done nothing: safe for every method.
        http1_required,  // The same, and it wants HTTP/1.1.
        closed,          // The connection broke: safe only for what may be done twice (H09).
    };

    UnansweredError(Reason reason, Failure failure, const std::string& what)
        : FetchError(failure, what), reason_(reason) {}

    Reason reason() const { return reason_; }

private:
    Reason reason_;
};

// One HTTP/2 connection: many exchanges at a time.
//
// A task of its own reads for all of them and gives each what is its, as it comes; another writes.
// What one exchange does holds up no other: its failure, its end by a deadline or a cancellation
// resets its stream; a sink that is busy holds back only its own stream, whose bytes wait here up
// to the stream's window. Only what is wrong with the connection itself ends all (see H2Error).
//
// On one loop's thread. Exchanges end before the object does; destroyed, it closes at once.
class H2Connection {
public:
    H2Connection(aio::Stream stream, std::string key, const H2Limits& limits = {});
    ~H2Connection();
    H2Connection(const H2Connection&) = delete;
    H2Connection& operator=(const H2Connection&) = delete;

    // As Connection::exchange(), but any number at a time: those beyond what the server allows wait
    // in line. Throws FetchError, and UnansweredError where another connection may do better.
    //
    // For the sink the bytes on the wire are those of an HTTP/1.1 message with the same head and
    // the content as sent; interim responses and trailers are left out.
    aio::Co<Response> exchange(const Request& request, const Headers& headers,
                               const FetchLimits& limits, ResponseSink& sink, TimePoint start);

    // Whether another exchange may start here: the server has not said goodbye, nothing is broken.
    bool is_usable() const;

    // Exchanges under way, those in line included.
    std::size_t exchange_count() const;

    // When the last exchange ended.
    TimePoint idle_since() const;

    const std::string& key() const;
    aio::Endpoint peer() const;

private:
    class Core;
    class Exchange;

    static aio::Co<> read(std::shared_ptr<Core> core);
    static aio::Co<> write(std::shared_ptr<Core> core);

    std::shared_ptr<Core> core_;
    aio::Task<> reader_;
    aio::Task<> writer_;
};

}  // namespace weft::http
