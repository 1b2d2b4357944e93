#pragma once

#include <utility>

#include "aio/sync/waiter_list.h"
#include "aio/task/errors.h"

namespace weft::aio {

// A lock that one task at a time holds. acquire() waits for it, first come, first served.
//
//     auto guard = co_await lock.acquire();   // given back at the end of the scope
//
// A released lock goes directly to the first waiter, which resumes in the loop's next round, so no
// other task can take it in between. A waiter that is cancelled after it was given the lock passes
// it on. The lock must outlive its guards. It is needed only around code that contains a co_await:
// between two co_awaits no other task runs.
class Lock {
public:
    Lock() = default;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

    // Holds the lock; the destructor releases it. May be moved, also out of the acquiring task.
    class [[nodiscard]] Guard {
    public:
        Guard() = default;
        explicit Guard(Lock& lock) noexcept : lock_(&lock) {}
        Guard(Guard&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)) {}
        Guard& operator=(Guard&& other) noexcept {
            std::swap(lock_, other.lock_);
            return *this;
        }
        ~Guard() {
            if (lock_) lock_->hand_on();
        }

        // Releases the lock before the end of the scope.
        void release() noexcept {
            if (lock_) std::exchange(lock_, nullptr)->hand_on();
        }

        // Keeps the lock held; the caller must call Lock::release() later.
        void detach() noexcept { lock_ = nullptr; }

    private:
        Lock* lock_ = nullptr;
    };

    class Awaiter;
    struct [[nodiscard("a lock is acquired only with co_await")]] Acquire {
        Lock& lock;
        Awaiter operator co_await() const noexcept;
    };

    // Awaiting it gives a Guard.
    Acquire acquire() noexcept { return {*this}; }

    bool locked() const { return locked_; }

    // Releases a lock whose guard was detached. Throws InvalidStateError if it is not held.
    void release() {
        if (!locked_) throw InvalidStateError("a lock was released that nobody holds");
        hand_on();
    }

private:
    // The lock stays locked when it goes to the next waiter.
    void hand_on() noexcept {
        WEFT_ASSERT(locked_);
        if (LinedWaiter* waiter = waiters_.pop()) {
            waiter->wake();
        } else {
            locked_ = false;
        }
    }

    WaiterList waiters_;
    bool locked_ = false;
};

// Woken by hand_on() as the owner of the lock.
class Lock::Awaiter final : public LinedWaiter {
public:
    explicit Awaiter(Lock& lock) noexcept : lock_(lock) {}

    bool await_ready() noexcept { return !std::exchange(lock_.locked_, true); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        lock_.waiters_.push(*this);
        suspend(caller);
    }
    Guard await_resume() {
        if (take_cancellation()) {
            // It was given the lock before the cancellation came.
            if (!left_line_) lock_.hand_on();
            throw CancelledError();
        }
        return Guard(lock_);
    }

    bool cancel() noexcept override {
        lock_.waiters_.remove(*this);
        left_line_ = true;
        mark_cancelled();
        wake();
        return true;
    }

private:
    Lock& lock_;
    bool left_line_ = false;
};

inline Lock::Awaiter Lock::Acquire::operator co_await() const noexcept {
    return Awaiter(lock);
}

}  // namespace weft::aio
