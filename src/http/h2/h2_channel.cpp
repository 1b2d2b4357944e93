#include "http/h2/h2_channel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "base/assert.h"
#include "base/scratch.h"
#include "base/units.h"
#include "http/h2/h2_exchange.h"

namespace weft::http {

using aio::Co;

namespace {

constexpr std::size_t kReadBytes = 64_KiB;

// How many buffers, and how large, are kept for later exchanges.
constexpr std::size_t kBufferCountMax = 8;
constexpr std::size_t kBufferBytesMax = 32_KiB;

}  // namespace

H2Channel::H2Channel(aio::Stream stream, const H2Limits& limits)
    : stream_(std::move(stream)),
      session_(limits),
      peer_(stream_.peer()),
      tls_(dynamic_cast<aio::TlsTransport*>(&stream_.transport())) {
    set_now();
    idle_since_ = now_;
    output_ready_.set();  // The client's preface and SETTINGS go out at once.
}

void H2Channel::set_now() {
    // An exchange may be destroyed when the loop no longer runs.
    if (const aio::EventLoop* loop = aio::EventLoop::running_or_null()) now_ = loop->time();
}

void H2Channel::shut() {
    finish({.is_fault = false, .failure = Failure::reset, .reason = "connection closed by us"});
}

bool H2Channel::is_usable() const {
    return !end_ && !is_write_broken_ && session_.accepts_requests();
}

void H2Channel::settle() {
    if (session_.failure() && !end_) {
        const bool is_other = *session_.failure() == H2Error::not_http2;
        finish({.is_fault = true,
                .failure = is_other ? Failure::not_http : Failure::bad_response,
                .reason = fmt::format("bad answer: {}", session_.failure_reason())});
    }
    if (session_.has_output()) output_ready_.set();
    if (!is_usable()) {
        for (H2Exchange* exchange : std::exchange(line_, {})) exchange->changed().set();
    } else if (!line_.empty() && session_.has_room()) {
        // Only the first one: after it has submitted its request, it calls settle() for the next.
        line_.front()->changed().set();
        line_.pop_front();
        room_at_ = now_;
    }
}

void H2Channel::finish(H2ChannelEnd end) {
    if (end_) return;
    end_ = std::move(end);
    for (H2Exchange* exchange : exchanges_) exchange->changed().set();
    output_ready_.set();
}

std::string H2Channel::take_buffer() {
    if (buffers_.empty()) return {};
    std::string buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
}

void H2Channel::give_buffer(std::string buffer) {
    if (buffers_.size() == kBufferCountMax || buffer.capacity() > kBufferBytesMax) return;
    buffer.clear();
    buffers_.push_back(std::move(buffer));
}

void H2Channel::join(H2Exchange& exchange) {
    exchange.index = exchanges_.size();
    exchanges_.push_back(&exchange);
}

void H2Channel::leave(H2Exchange& exchange) {
    WEFT_ASSERT(exchanges_[exchange.index] == &exchange);
    std::erase(line_, &exchange);
    exchanges_.back()->index = exchange.index;
    std::swap(exchanges_[exchange.index], exchanges_.back());
    exchanges_.pop_back();
    if (exchanges_.empty()) buffers_ = {};  // An idle connection holds no memory for content.
    set_now();
    idle_since_ = now_;
    settle();
}

Co<> H2Channel::read(std::shared_ptr<H2Channel> channel) {
    try {
        co_await channel->receive_all();
    } catch (const aio::IoError& error) {
        channel->finish({.is_fault = false,
                         .failure = Failure::reset,
                         .reason = fmt::format("reset: {}", error.what())});
    }
    channel->settle();
    channel->end_task();
}

// Reads until the end of the connection. A server may speak first: bytes that came together with a
// proxy's reply are already in the stream's buffer (H133).
Co<> H2Channel::receive_all() {
    if (const std::string_view early = stream_.buffered(); !early.empty()) {
        take(early);
        stream_.consume(early.size());
    }
    for (std::size_t turn_bytes = 0; !end_;) {
        const std::optional<std::size_t> got = receive_now();
        if (!got) {
            turn_bytes = 0;
            co_await stream_.transport().until_readable();
        } else if (turn_bytes += *got; turn_bytes >= aio::kBytesPerTurnMax) {
            turn_bytes = 0;
            co_await aio::yield_now();
        }
    }
}

// Reads once; nothing if no more is available now. The bytes go to the streams before anything else
// runs, so all connections of a thread share one buffer, which can therefore be large.
std::optional<std::size_t> H2Channel::receive_now() {
    const Scratch<std::array<char, kReadBytes>, struct ReadRoom> room;
    aio::Transport& transport = stream_.transport();
    const aio::IoResult got = transport.read(*room);
    if (aio::would_block(got)) return std::nullopt;
    if (!got) {
        throw aio::IoError(fmt::format("cannot read from {}", transport.peer_name()), got.error());
    }
    if (*got == 0) {
        finish({.is_fault = false,
                .failure = Failure::closed_early,
                .reason = "closed without an answer"});
        return 0;
    }
    take({room->data(), *got});
    // A short read has emptied the socket, which saves a read that would block. With TLS it proves
    // nothing: a read returns at most one record.
    if (!tls_ && *got < room->size()) return std::nullopt;
    return *got;
}

void H2Channel::take(std::string_view bytes) {
    set_now();
    session_.receive(bytes, now_);
    settle();
}

// Everything that tasks submit in one round of the loop goes out in one write. A failure to write
// does not end the connection: the reader finds the end, and perhaps a GOAWAY before it that says
// why.
Co<> H2Channel::write(std::shared_ptr<H2Channel> channel) {
    try {
        while (!channel->end_ || channel->session_.has_output()) {
            co_await channel->output_ready_.wait();
            channel->output_ready_.clear();
            while (channel->session_.has_output()) {
                channel->session_.take_output(channel->sending_);
                if (channel->sending_.empty()) break;
                co_await channel->stream_.write(channel->sending_);
                channel->note_written(channel->sending_.size());
                channel->settle();
            }
            if (channel->exchanges_.empty()) channel->sending_ = {};  // Idle: free the memory.
        }
    } catch (const aio::IoError&) {
        channel->is_write_broken_ = true;
        channel->settle();
    }
    channel->end_task();
}

void H2Channel::note_written(std::size_t bytes) {
    written_total_ += bytes;
    set_now();
    for (H2Exchange* exchange : exchanges_) exchange->note_written(written_total_, now_);
}

// The last of the two tasks closes the socket.
void H2Channel::end_task() {
    WEFT_ASSERT(task_count_ > 0);
    if (--task_count_ > 0) return;
    tls_ = nullptr;
    stream_.close();
}

}  // namespace weft::http
