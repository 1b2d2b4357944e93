#include "redis/channel.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "redis/error.h"

namespace weft::redis {

using aio::Co;

Channel::Channel(Node node, aio::Stream stream, const ConnectionOptions& options)
    : node_(std::move(node)),
      silence_max_(options.silence_max),
      loop_(aio::EventLoop::running()),
      stream_(std::move(stream)),
      reader_({.bytes_max = options.reply_bytes_max}) {}

Channel::~Channel() {
    if (is_armed()) loop_.disarm(*this);
}

void Channel::start(const std::shared_ptr<Channel>& channel) {
    aio::create_task(read_all(channel), "redis reader");
}

aio::Future<std::vector<Reply>> Channel::send(const std::shared_ptr<Channel>& channel,
                                              const std::vector<Command>& commands) {
    Channel& self = *channel;
    if (self.end_) throw ConnectionLost(self.node_, *self.end_);
    auto future = aio::create_future<std::vector<Reply>>();
    if (commands.empty()) {
        future.set_result(std::vector<Reply>());
        return future;
    }
    for (const Command& command : commands) command.append_to(self.output_);
    if (self.awaited_.empty()) self.heard_at_ = self.loop_.time();
    self.awaited_.push_back({.future = future, .replies = {}, .count = commands.size()});
    self.watch_silence();
    if (!std::exchange(self.is_writing_, true)) {
        aio::create_task(write_all(channel), "redis writer");
    }
    return future;
}

void Channel::close(std::string_view reason) {
    if (end_) return;
    end_ = reason;
    stream_.close();  // The waits of both tasks end with IoError.
    if (is_armed()) loop_.disarm(*this);
    for (const Awaited& call : std::exchange(awaited_, {})) {
        if (call.future.done()) continue;  // Cancelled.
        call.future.set_exception(std::make_exception_ptr(ConnectionLost(node_, reason)));
    }
}

Co<> Channel::read_all(std::shared_ptr<Channel> channel) {
    try {
        while (channel->is_open()) {
            const bool has_more = co_await channel->stream_.fill();
            if (!has_more) {
                channel->close("the server closed the connection");
                break;
            }
            std::vector<Reply> replies;
            const std::string_view bytes = channel->stream_.buffered();
            const auto read = channel->reader_.read(bytes, replies);
            channel->stream_.consume(bytes.size());
            channel->take(std::move(replies));
            if (!read) channel->close(describe(read.error()));
        }
    } catch (const Error& error) {
        channel->close(error.what());
    }
}

Co<> Channel::write_all(std::shared_ptr<Channel> channel) {
    try {
        while (channel->is_open() && !channel->output_.empty()) {
            const std::string bytes = std::exchange(channel->output_, {});
            co_await channel->stream_.write(bytes);
        }
    } catch (const Error& error) {
        channel->close(error.what());
    }
    channel->is_writing_ = false;
}

void Channel::take(std::vector<Reply> replies) {
    for (Reply& reply : replies) {
        if (awaited_.empty()) {
            close("the server answers what was not asked");
            return;
        }
        Awaited& call = awaited_.front();
        call.replies.push_back(std::move(reply));
        heard_at_ = loop_.time();
        if (call.replies.size() < call.count) continue;
        if (!call.future.done()) call.future.set_result(std::move(call.replies));
        awaited_.pop_front();
    }
}

// The timer is left as it is when replies come, and looks at the clock when it fires: calls are
// many, and silence is rare.
void Channel::watch_silence() {
    if (!is_armed()) loop_.arm(*this, saturating_add(heard_at_, silence_max_));
}

void Channel::fire() noexcept {
    if (end_ || awaited_.empty()) return;
    if (loop_.time() - heard_at_ < silence_max_) {
        watch_silence();
        return;
    }
    close(fmt::format("no reply within {:.3g} s", in_seconds(silence_max_)));
}

}  // namespace weft::redis
