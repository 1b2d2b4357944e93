#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/loop/timers.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "aio/task/future.h"
#include "redis/command.h"
#include "redis/connection.h"
#include "redis/node.h"
#include "redis/reply_reader.h"

namespace weft::redis {

// The state of a Connection that its tasks share: one task reads, and while there is output one
// task writes. They keep it alive; close() ends them.
//
// Invariant: `awaited_` holds, in order, the calls whose replies have not all come.
class Channel final : private aio::Timer {
public:
    Channel(Node node, aio::Stream stream, const ConnectionOptions& options);
    ~Channel();

    // Starts the reading task of a channel.
    static void start(const std::shared_ptr<Channel>& channel);

    // Sends the commands. The future gets their replies, or ConnectionLost.
    static aio::Future<std::vector<Reply>> send(const std::shared_ptr<Channel>& channel,
                                                const std::vector<Command>& commands);

    // All calls in progress fail with this reason. No effect if the channel has ended before.
    void close(std::string_view reason);
    bool is_open() const { return !end_; }

private:
    struct Awaited {
        aio::Future<std::vector<Reply>> future;
        std::vector<Reply> replies;
        std::size_t count;
    };

    static aio::Co<> read_all(std::shared_ptr<Channel> channel);
    static aio::Co<> write_all(std::shared_ptr<Channel> channel);
    void take(std::vector<Reply> replies);
    void watch_silence();
    void fire() noexcept override;

    const Node node_;
    const Duration silence_max_;
    aio::EventLoop& loop_;
    aio::Stream stream_;
    ReplyReader reader_;
    std::deque<Awaited> awaited_;
    std::string output_;  // What the writing task has not taken yet.
    bool is_writing_ = false;
    TimePoint heard_at_{};  // The last reply, or the first call after a time without any.
    std::optional<std::string> end_;
};

}  // namespace weft::redis
