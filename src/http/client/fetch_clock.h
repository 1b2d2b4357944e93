#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/sync/timeout.h"
#include "aio/task/co.h"
#include "aio/task/errors.h"
#include "base/clock.h"
#include "http/client/failure.h"

namespace weft::http {

// The time of one fetch: when it began, when it must be over, and what it is doing. Every wait of a
// fetch goes through it, so that each ends at its own limit or at that of the whole, whichever
// comes first, with the failure of that limit.
//
// Waits are bounded one by one, not by one timer around all: a body that its reader takes in its
// own time is not cut off while the reader is busy elsewhere.
class FetchClock {
public:
    // `host` outlives the clock.
    FetchClock(std::string_view host, Duration total)
        : host_(host), total_(total), start_(aio::EventLoop::running().time()) {}

    void enter(Phase phase) { phase_ = phase; }
    Phase phase() const { return phase_; }
    std::string_view host() const { return host_; }

    Duration elapsed() const { return aio::EventLoop::running().time() - start_; }

    // We have waited of our own will: that time does not count.
    void excuse(Duration pause) { start_ += pause; }

    // Throws when the whole has taken too long: for loops that need not wait for anything.
    void check() const {
        if (elapsed() >= total_) fail_late();
    }

    // Awaits `co` for at most `limit` and never past the end of the whole. Throws FetchError with
    // `failure`, or total_timeout.
    template <class T>
    aio::Co<T> wait(aio::Co<T> co, Duration limit, Failure failure) {
        const Duration left = total_ - elapsed();
        try {
            co_return co_await aio::wait_for(std::move(co), std::min(limit, left));
        } catch (const aio::TimeoutError&) {
            if (left <= limit) fail_late();
            fail_slow(limit, failure);
        }
    }

    // For waits that need no coroutine of their own: until when, and what follows if nothing came.
    TimePoint until(Duration limit) const {
        return std::min(aio::EventLoop::running().time() + limit, start_ + total_);
    }
    [[noreturn]] void fail_waited(Duration limit, Failure failure) const {
        check();
        fail_slow(limit, failure);
    }

    // Throws FetchError with the host and the phase.
    [[noreturn]] void fail(Failure failure, std::string reason) const;

private:
    [[noreturn]] void fail_late() const;
    [[noreturn]] void fail_slow(Duration limit, Failure failure) const;

    std::string_view host_;
    Duration total_;
    TimePoint start_;
    Phase phase_ = Phase::waiting;
};

}  // namespace weft::http
