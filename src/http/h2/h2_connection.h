#pragma once

#include <memory>

#include "aio/net/stream.h"
#include "aio/task/task.h"
#include "http/h2/h2_channel.h"
#include "http/h2/h2_exchange.h"

namespace weft::http {

// One HTTP/2 connection. It carries many exchanges at a time, each an H2Exchange.
//
// It runs two tasks: one reads for all exchanges and passes each its part, the other one writes.
// Exchanges do not hold each other up. If one fails, meets its deadline or is cancelled, only its
// stream is reset. A slow reader holds back only its own stream, whose bytes wait up to the
// stream's window. Only an error of the connection itself ends all exchanges (see H2Error).
//
// On one loop's thread. Destroying it closes the connection at once; exchanges under way fail.
class H2Connection {
public:
    // REQUIRES: no byte of HTTP/2 was read yet. Starts the two tasks on the running loop.
    explicit H2Connection(aio::Stream stream, const H2Limits& limits = {});
    ~H2Connection();
    H2Connection(const H2Connection&) = delete;
    H2Connection& operator=(const H2Connection&) = delete;

    // An exchange for one request. If the server allows no more streams, its start() waits in a
    // queue.
    std::unique_ptr<H2Exchange> open() { return std::make_unique<H2Exchange>(channel_); }
    const std::shared_ptr<H2Channel>& channel() const { return channel_; }

    // Whether another exchange may start here: no GOAWAY has come, and nothing has failed. Up to
    // date also while the connection is idle, because the reader task always runs.
    bool is_usable() const { return channel_->is_usable(); }

    // How many exchanges exist, those in the queue included; and when the last one ended.
    std::size_t exchange_count() const { return channel_->exchange_count(); }
    TimePoint idle_since() const { return channel_->idle_since(); }

    const aio::Endpoint& peer() const { return channel_->peer(); }

private:
    std::shared_ptr<H2Channel> channel_;
    aio::Task<> reader_;
    aio::Task<> writer_;
};

}  // namespace weft::http
