#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "aio/event.h"
#include "base/clock.h"
#include "http/answer.h"
#include "http/failure.h"
#include "http/h2_stream.h"

namespace weft::http {

// How an HTTP/2 connection came to its end.
struct H2ConnectionEnd {
    enum class Kind { closed, failed, broken_off };  // By the server; by its fault; by the network.

    Kind kind;
    Failure failure;
    std::string what;
};

// One request and its answer on an H2Connection: takes what its stream hears, and says until when
// to wait for more.
class H2Exchange final : public H2Stream {
public:
    // `now` is the connection's, brought up to date before the stream hears anything.
    H2Exchange(H2Session& session, Answer& answer, const TimePoint& now, std::string_view peer)
        : session_(session), answer_(answer), now_(now), peer_(peer), progress_(now) {}
    ~H2Exchange() = default;

    // Set when there is something to do.
    aio::Event& changed() { return changed_; }

    // Nothing more will come.
    bool is_over() const { return is_over_ || (end_ && !busy_); }

    // The sink wants no more until this is set; what comes meanwhile waits here.
    aio::Event* busy() const { return busy_; }
    void go_on(TimePoint now);

    // If nothing has come further by then, time is up.
    TimePoint deadline() const;
    [[noreturn]] void fail_late() const;

    // The whole request has been written.
    bool is_sent() const { return sent_at_.has_value(); }
    void note_sent(TimePoint when) { sent_at_ = progress_ = when; }
    std::optional<TimePoint> sent_at() const { return sent_at_; }
    std::optional<TimePoint> first_byte_at() const { return first_byte_at_; }

    void end_with(const H2ConnectionEnd& end);

    // Puts the ends of the answer together, or throws what went wrong. REQUIRES: is_over()
    void finish();

    // Its place among the connection's exchanges.
    std::size_t index = 0;

private:
    void on_progress() override { progress_ = now_; }
    void on_interim(int status) override;
    void on_head(int status, Headers& headers) override;
    bool on_content(std::string_view piece) override;
    void on_end(H2End end) override;

    template <class Body>
    void guard(Body body) noexcept;
    void note_first_byte();
    void take(std::string_view piece);
    void stop();
    [[noreturn]] void fail_end(H2End end) const;

    H2Session& session_;
    Answer& answer_;
    const TimePoint& now_;
    std::string_view peer_;
    aio::Event changed_;
    aio::Event* busy_ = nullptr;
    std::string held_;
    std::optional<H2End> end_;
    bool is_over_ = false;
    std::exception_ptr error_;
    TimePoint progress_;
    std::optional<TimePoint> sent_at_;
    std::optional<TimePoint> first_byte_at_;
};

}  // namespace weft::http
