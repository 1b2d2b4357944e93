#include "aio/sync/condition.h"

namespace weft::aio {

class Condition::Awaiter final : public LinedWaiter {
public:
    explicit Awaiter(Condition& condition) noexcept : condition_(condition) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        condition_.waiters_.push(*this);
        suspend(caller);
    }
    void await_resume() { check(); }

    // Only cancel() takes it out of the line; notify() pops it.
    bool was_notified() const { return !left_line_; }

    bool cancel() noexcept override {
        condition_.waiters_.remove(*this);
        left_line_ = true;
        mark_cancelled();
        wake();
        return true;
    }

private:
    Condition& condition_;
    bool left_line_ = false;
};

Co<> Condition::wait() {
    require_lock();
    lock_.release();
    bool was_cancelled = false;
    Awaiter news(*this);
    try {
        co_await news;
    } catch (const CancelledError&) {
        was_cancelled = true;
    }
    // The caller's guard expects the lock, so a cancellation must not end this wait. It is thrown
    // below.
    for (bool has_lock = false; !has_lock;) {
        try {
            auto guard = co_await lock_.acquire();
            guard.detach();
            has_lock = true;
        } catch (const CancelledError&) {
            was_cancelled = true;
        }
    }
    if (!was_cancelled) co_return;
    // This task will not act on the notification; another waiter may.
    if (news.was_notified()) wake(1);
    throw CancelledError();
}

void Condition::notify(std::size_t count) {
    require_lock();
    wake(count);
}

void Condition::notify_all() {
    require_lock();
    waiters_.wake_all();
}

void Condition::require_lock() const {
    if (!lock_.locked()) throw InvalidStateError("a condition is used without holding its lock");
}

void Condition::wake(std::size_t count) noexcept {
    for (; count > 0; --count) {
        LinedWaiter* waiter = waiters_.pop();
        if (!waiter) return;
        waiter->wake();
    }
}

}  // namespace weft::aio
