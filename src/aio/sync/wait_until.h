#pragma once

#include <optional>

#include "aio/loop/loop.h"
#include "aio/sync/event.h"
#include "base/clock.h"

namespace weft::aio {

// Waits until `event` is set or the time point is reached, whichever comes first; event.is_set()
// says which. Unlike wait_for() it throws nothing when the time has passed, so it is the cheaper
// way to wait for an event that often does not come. A cancelled wait leaves neither waiter nor
// timer behind.
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

// In the line of the event and in the timer queue at once; the first of the two wakes it.
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
        if (!is_waiting()) return;  // The event or a cancellation came earlier in this round.
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
