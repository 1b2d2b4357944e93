#pragma once

#include "aio/sync/waiter_list.h"

namespace weft::aio {

// A flag that tasks wait for. set() resumes all waiters in the loop's next round, in the order in
// which they began to wait. A cancelled wait leaves nothing behind. The event must outlive its
// waiters; all on one loop's thread.
class Event {
public:
    bool is_set() const { return set_; }
    void set() noexcept {
        set_ = true;
        waiters_.wake_all();
    }
    void clear() noexcept { set_ = false; }

    class Awaiter;
    struct [[nodiscard("an event is waited for only with co_await")]] Wait {
        Event& event;
        Awaiter operator co_await() const noexcept;
    };
    Wait wait() noexcept { return {*this}; }

    // For awaiters that wait for more than this event. set() wakes them like any other.
    void line_up(LinedWaiter& waiter) noexcept {
        WEFT_ASSERT(!set_);  // Nothing would wake it.
        waiters_.push(waiter);
    }
    void leave_line(LinedWaiter& waiter) noexcept { waiters_.remove(waiter); }

private:
    WaiterList waiters_;
    bool set_ = false;
};

class Event::Awaiter final : public LinedWaiter {
public:
    explicit Awaiter(Event& event) noexcept : event_(event) {}

    bool await_ready() const noexcept { return event_.set_; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        event_.line_up(*this);
        suspend(caller);
    }
    void await_resume() { check(); }

    bool cancel() noexcept override {
        event_.leave_line(*this);
        mark_cancelled();
        wake();
        return true;
    }

private:
    Event& event_;
};

inline Event::Awaiter Event::Wait::operator co_await() const noexcept {
    return Awaiter(event);
}

}  // namespace weft::aio
