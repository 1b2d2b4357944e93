#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/stream.h"
#include "aio/net/tls.h"
#include "aio/sync/event.h"
#include "aio/task/co.h"
#include "http/client/failure.h"
#include "http/h2/h2_session.h"

namespace weft::http {

class H2Exchange;

// How an HTTP/2 connection ended.
struct H2ChannelEnd {
    bool is_fault;  // The server broke the rules. Otherwise it closed, or the network failed.
    Failure failure;
    std::string reason;
};

// What the two tasks of an H2Connection and its exchanges share: the socket, the session, the list
// of exchanges and the queue of those that wait for a stream. The tasks and the exchanges own it
// together (shared_ptr). On one loop's thread.
class H2Channel {
public:
    H2Channel(aio::Stream stream, const H2Limits& limits);

    // The bodies of the two tasks. They run until the connection ends. They take a shared_ptr so
    // that the channel lives as long as they do.
    static aio::Co<> read(std::shared_ptr<H2Channel> channel);
    static aio::Co<> write(std::shared_ptr<H2Channel> channel);

    H2Session& session() { return session_; }
    const aio::Endpoint& peer() const { return peer_; }
    const aio::TlsTransport* tls() const { return tls_; }  // Null: no TLS, or closed.
    const std::optional<H2ChannelEnd>& end() const { return end_; }
    std::size_t exchange_count() const { return exchanges_.size(); }
    TimePoint idle_since() const { return idle_since_; }
    TimePoint room_at() const { return room_at_; }  // When the queue last moved.

    // The loop's time, set before streams are called.
    TimePoint now() const { return now_; }
    void set_now();

    // Whether the connection takes further requests at all.
    bool is_usable() const;

    // Whether a request may be sent now, without queueing.
    bool has_room() const { return line_.empty() && session_.has_room(); }

    // Every exchange joins in its constructor and leaves in its destructor. leave() also takes it
    // out of the queue.
    void join(H2Exchange& exchange);
    void leave(H2Exchange& exchange);

    // Queues an exchange for a stream. settle() takes it off the queue and sets its changed().
    void line_up(H2Exchange& exchange) { line_.push_back(&exchange); }
    void line_up_first(H2Exchange& exchange) { line_.push_front(&exchange); }

    // Buffers for content. An exchange returns them so that the next one can use their memory.
    std::string take_buffer();
    void give_buffer(std::string buffer);

    // Ends the connection from our side. Exchanges under way fail.
    void shut();

    // Call after every use of the session. Wakes the writer if there is output, wakes the first
    // exchange in the queue if there is room, and wakes all if the connection has failed.
    void settle();

private:
    aio::Co<> receive_all();
    std::optional<std::size_t> receive_now();
    void take(std::string_view bytes);
    void finish(H2ChannelEnd end);
    void note_written(std::size_t bytes);
    void end_task();

    aio::Stream stream_;
    H2Session session_;
    aio::Endpoint peer_;
    const aio::TlsTransport* tls_;
    aio::Event output_ready_;
    std::string sending_;  // What the writer is sending.
    std::vector<std::string> buffers_;
    std::vector<H2Exchange*> exchanges_;  // All exchanges; each knows its index.
    std::deque<H2Exchange*> line_;        // Those that wait for a stream.
    std::uint64_t written_total_ = 0;
    TimePoint now_{};
    TimePoint idle_since_{};
    TimePoint room_at_{};
    std::optional<H2ChannelEnd> end_;
    bool is_write_broken_ = false;
    int task_count_ = 2;  // The reader and the writer; the last one to end closes the socket.
};

}  // namespace weft::http
