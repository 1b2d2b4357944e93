#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aio/sync/event.h"
#include "aio/sync/wait_until.h"
#include "base/clock.h"
#include "http/client/conversation.h"
#include "http/client/failure.h"
#include "http/connect/pace.h"
#include "http/h2/h2_stream.h"

namespace weft::http {

class H2Channel;

// The exchange ended before any byte of the response came. The request may be sent again on another
// connection.
class UnansweredError final : public FetchError {
public:
    enum class Reason {
        refused,         // The server did not process the request: safe for every method.
        http1_required,  // The same, and the server wants HTTP/1.1.
        closed,          // The connection broke: safe only for idempotent methods (H09).
    };

    UnansweredError(Reason reason, const FetchError& error) : FetchError(error), why_(reason) {}

    Reason why() const { return why_; }

private:
    Reason why_;
};

// One request and its response as a stream of an H2Connection. Throws the same FetchErrors as an
// HTTP/1.1 connection, and UnansweredError if the request may be sent on another connection.
//
// The sink gets the bytes of an HTTP/1.1 message with the same head (without a reason, which HTTP/2
// does not have) and with the content as sent. Interim responses and trailers are left out.
//
// The reader task of the connection resumes the waits of start() and read(). Destroying the
// exchange before its end, also by cancellation, resets its stream; the connection goes on.
class H2Exchange final : public HttpExchange, public H2Stream {
public:
    explicit H2Exchange(std::shared_ptr<H2Channel> channel);
    ~H2Exchange() override;

    aio::Co<> start(Conversation& conversation) override;
    aio::Co<std::string_view> read(Conversation& conversation) override;
    bool has_received() const override { return H2Stream::has_received(); }

    // For the channel. The event is set when something has arrived or changed.
    aio::Event& changed() { return changed_; }

    // For the channel: `total` bytes of output have been written to the socket.
    void note_written(std::uint64_t total, TimePoint now);
    std::size_t index = 0;  // Among the channel's exchanges.

private:
    void on_progress() override { changed_.set(); }
    void on_interim(int status) override;
    void on_head(int status) override;
    bool on_content(std::string_view piece) override;
    void on_end(H2End end) override;

    aio::Co<> wait_turn(Conversation& conversation);
    void submit_request(Conversation& conversation);
    aio::Co<> send_body(Conversation& conversation);
    aio::WaitUntil change(const Conversation& conversation, Duration limit);
    void describe_peer(Response& response);
    void take_head(Conversation& conversation);
    void check_pace(Conversation& conversation);
    bool is_over() const;
    [[noreturn]] void fail(const Conversation& conversation) const;
    [[noreturn]] void fail_end(const Conversation& conversation) const;

    std::shared_ptr<H2Channel> channel_;
    aio::Event changed_;
    int head_status_ = 0;
    std::string arrived_;  // Content that read() has not returned yet.
    std::string given_;    // The piece that read() returned last.
    std::optional<H2End> end_;
    std::optional<TimePoint> sent_at_;
    std::optional<TimePoint> first_byte_at_;

    // The minimum rate is demanded of the server, so time spent by our reader is not counted.
    Pace pace_;
    Duration away_{};      // Time between calls of read(), in all.
    TimePoint left_at_{};  // When the last call of read() returned.
};

}  // namespace weft::http
