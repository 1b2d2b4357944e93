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

// The time of one fetch: when it began, when it must end, and its current phase. Every wait of a
// fetch goes through it. A wait ends at its own limit or at the limit of the whole fetch, whichever
// comes first, with the failure of that limit.
//
// Each wait has its own timer; there is no timer around the whole fetch. So a body is not cut off
// while its reader is busy with something else. Owned by the Fetch, on its loop's thread.
class FetchClock {
public:
    // `host` outlives the clock.
    FetchClock(std::string_view host, Duration total)
        : host_(host), total_(total), start_(aio::EventLoop::running().time()) {}

    void enter(Phase phase) { phase_ = phase; }
    Phase phase() const { return phase_; }
    std::string_view host() const { return host_; }

    Duration elapsed() const { return aio::EventLoop::running().time() - start_; }

    // Does not count `pause`, a wait that we chose ourselves (rate limit).
    void excuse(Duration pause) { start_ += pause; }

    // Throws FetchError if the whole fetch has taken too long. For loops that never wait.
    void check() const {
        if (elapsed() >= total_) fail_late();
    }

    // Awaits `co` for at most `limit`, and never past the end of the whole fetch. Throws FetchError
    // with `failure` or with total_timeout; `co` is then cancelled. Other exceptions pass through.
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

    // For waits without a coroutine of their own: the time at which to give up, and the error to
    // throw then.
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
