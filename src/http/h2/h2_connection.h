#pragma once

#include <memory>

#include "aio/net/stream.h"
#include "aio/task/task.h"
#include "http/h2/h2_channel.h"
#include "http/h2/h2_exchange.h"

namespace weft::http {

// One HTTP/2 connection: many exchanges at a time, each an H2Exchange.
//
// A task of its own reads for all of them and gives each what is its, as it comes; another writes.
// What one exchange does holds up no other: its failure, its end by a deadline or a cancellation
// resets its stream; a reader that takes its time holds back only its own stream, whose bytes wait
// up to the stream's window. Only what is wrong with the connection itself ends all (see H2Error).
//
// On one loop's thread. Destroyed, it closes at once; exchanges still under way then fail.
class H2Connection {
public:
    // REQUIRES: nothing was read yet.
    explicit H2Connection(aio::Stream stream, const H2Limits& limits = {});
    ~H2Connection();
    H2Connection(const H2Connection&) = delete;
    H2Connection& operator=(const H2Connection&) = delete;

    // For one request and its answer. Those beyond what the server allows wait in line.
    std::unique_ptr<H2Exchange> open() { return std::make_unique<H2Exchange>(channel_); }
    const std::shared_ptr<H2Channel>& channel() const { return channel_; }

    // Whether another exchange may start here: the server has not said goodbye, nothing is broken.
    // Seen at once when it happens, also while the connection is idle.
    bool is_usable() const { return channel_->is_usable(); }

    // Exchanges under way, those in line included; and when the last one ended.
    std::size_t exchange_count() const { return channel_->exchange_count(); }
    TimePoint idle_since() const { return channel_->idle_since(); }

    const aio::Endpoint& peer() const { return channel_->peer(); }

private:
    std::shared_ptr<H2Channel> channel_;
    aio::Task<> reader_;
    aio::Task<> writer_;
};

}  // namespace weft::http
