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

// How an HTTP/2 connection came to its end.
struct H2ChannelEnd {
    bool is_fault;  // The server broke the rules; else it closed, or the network broke off.
    Failure failure;
    std::string reason;
};

// What the tasks of an H2Connection and its exchanges share: the socket, the session, who is at it
// and who waits in line. The tasks and the exchanges hold it, so that it outlives them.
class H2Channel {
public:
    H2Channel(aio::Stream stream, const H2Limits& limits);

    // What the two tasks do.
    static aio::Co<> read(std::shared_ptr<H2Channel> channel);
    static aio::Co<> write(std::shared_ptr<H2Channel> channel);

    H2Session& session() { return session_; }
    const aio::Endpoint& peer() const { return peer_; }
    const aio::TlsTransport* tls() const { return tls_; }  // Null: plain, or closed.
    const std::optional<H2ChannelEnd>& end() const { return end_; }
    std::size_t exchange_count() const { return exchanges_.size(); }
    TimePoint idle_since() const { return idle_since_; }
    TimePoint room_at() const { return room_at_; }  // When somebody in line last got a place.

    // Brought up to date before a stream hears anything.
    TimePoint now() const { return now_; }
    void set_now();

    // Whether another request may be sent at all, and at once.
    bool is_usable() const;
    bool has_room() const { return line_.empty() && session_.has_room(); }

    void join(H2Exchange& exchange);
    void leave(H2Exchange& exchange);
    void line_up(H2Exchange& exchange) { line_.push_back(&exchange); }
    void line_up_first(H2Exchange& exchange) { line_.push_front(&exchange); }

    // Memory for content, used again and again: what one exchange gives back the next one takes.
    std::string take_buffer();
    void give_buffer(std::string buffer);

    // Ends it from our side: exchanges under way fail.
    void shut();

    // After anything that the session was given: what it wants to say goes out, whom it makes room
    // for is told.
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
    std::string sending_;
    std::vector<std::string> buffers_;
    std::vector<H2Exchange*> exchanges_;
    std::deque<H2Exchange*> line_;
    std::uint64_t written_total_ = 0;
    TimePoint now_{};
    TimePoint idle_since_{};
    TimePoint room_at_{};
    std::optional<H2ChannelEnd> end_;
    bool is_write_broken_ = false;
    int task_count_ = 2;
};

}  // namespace weft::http
