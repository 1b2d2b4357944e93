#pragma once

#include <optional>

#include "aio/loop/loop.h"
#include "aio/sync/event.h"
#include "base/clock.h"

namespace weft::aio {

// Awaited, waits for `event` to be set or for the moment to come, whichever is first; is_set()
// tells. No exception for the time passing, unlike wait_for(): that is the cheaper way to wait for
// what often does not come.
class [[nodiscard("wait_until() waits only if it is awaited: co_await it")]] WaitUntil {
public:
    WaitUntil(Event& event, std::optional<TimePoint> until) noexcept
        : event_(event), until_(until) {}

    class Awaiter;
    Awaiter operator co_await() const noexcept;

private:
    Event& event_;
    std::optional<TimePoint> until_;
};

class WaitUntil::Awaiter final : public LinedWaiter, public Timer {
public:
    Awaiter(Event& event, std::optional<TimePoint> until) noexcept : event_(event), until_(until) {}

    bool await_ready() const noexcept { return event_.is_set(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        EventLoop& loop = caller.promise().task()->loop();
        event_.line_up(*this);
        if (until_) loop.arm(*this, *until_);
        suspend(caller);
    }
    void await_resume() {
        if (task()) task()->loop().disarm(*this);
        check();
    }

    void fire() noexcept override {
        if (!is_waiting()) return;  // The event, or a cancellation, came in the round before.
        event_.leave_line(*this);
        wake();
    }
    bool cancel() noexcept override {
        event_.leave_line(*this);
        mark_cancelled();
        wake();
        return true;
    }

private:
    Event& event_;
    std::optional<TimePoint> until_;
};

inline WaitUntil::Awaiter WaitUntil::operator co_await() const noexcept {
    return Awaiter(event_, until_);
}

inline WaitUntil wait_until(Event& event, std::optional<TimePoint> until) noexcept {
    return WaitUntil(event, until);
}

}  // namespace weft::aio
