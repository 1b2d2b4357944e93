#pragma once

#include <optional>
#include <utility>

#include "aio/sync/waiter_list.h"
#include "aio/task/errors.h"

namespace weft::aio {

// A number of permits. acquire() waits for one, first come, first served; the Permit's destructor
// returns it. A returned permit goes directly to the first waiter, which the loop resumes in its
// next round, so no other task can take it in between. A waiter that is cancelled after it was
// given a permit passes it on. The semaphore must outlive its permits; all on one loop's thread.
class Semaphore {
public:
    explicit Semaphore(std::size_t permits) : free_(permits) {}
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    // One permit; the destructor returns it. May be moved, also out of the acquiring task.
    class [[nodiscard]] Permit {
    public:
        Permit() = default;
        explicit Permit(Semaphore& semaphore) noexcept : semaphore_(&semaphore) {}
        Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
        Permit& operator=(Permit&& other) noexcept {
            std::swap(semaphore_, other.semaphore_);
            return *this;
        }
        ~Permit() {
            if (semaphore_) semaphore_->release();
        }

    private:
        Semaphore* semaphore_ = nullptr;
    };

    class Awaiter;
    struct [[nodiscard("a permit is acquired only with co_await")]] Acquire {
        Semaphore& semaphore;
        Awaiter operator co_await() const noexcept;
    };

    // Awaiting it gives a Permit.
    Acquire acquire() noexcept { return {*this}; }

    // Gives a Permit if one is free, without waiting.
    std::optional<Permit> try_acquire() noexcept {
        if (free_ == 0) return std::nullopt;
        --free_;
        return Permit(*this);
    }

    bool locked() const { return free_ == 0; }
    std::size_t free_count() const { return free_; }

    // Adds one permit, or gives it to the first waiter. The destructor of Permit calls it.
    void release() noexcept {
        if (LinedWaiter* waiter = waiters_.pop()) {
            WEFT_ASSERT(free_ == 0);
            waiter->wake();
        } else {
            ++free_;
        }
    }

private:
    WaiterList waiters_;
    std::size_t free_;
};

// Woken by release() as the owner of a permit.
class Semaphore::Awaiter final : public LinedWaiter {
public:
    explicit Awaiter(Semaphore& semaphore) noexcept : semaphore_(semaphore) {}

    bool await_ready() noexcept {
        if (semaphore_.free_ == 0) return false;
        --semaphore_.free_;
        return true;
    }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        semaphore_.waiters_.push(*this);
        is_in_line_ = true;
        suspend(caller);
    }
    Permit await_resume() {
        if (take_cancellation()) {
            // It was given a permit before the cancellation came.
            if (is_in_line_) semaphore_.release();
            throw CancelledError();
        }
        return Permit(semaphore_);
    }

    bool cancel() noexcept override {
        semaphore_.waiters_.remove(*this);
        is_in_line_ = false;
        mark_cancelled();
        wake();
        return true;
    }

private:
    Semaphore& semaphore_;
    // True from await_suspend() on, unless a cancellation took it out of the line.
    bool is_in_line_ = false;
};

// A Semaphore that knows how many permits there are. Calling release() too often is a mistake of
// the caller and throws InvalidStateError.
class BoundedSemaphore : public Semaphore {
public:
    explicit BoundedSemaphore(std::size_t permits) : Semaphore(permits), permits_(permits) {}

    void release() {
        if (free_count() >= permits_) {
            throw InvalidStateError("a bounded semaphore was released more often than acquired");
        }
        Semaphore::release();
    }

private:
    std::size_t permits_;
};

inline Semaphore::Awaiter Semaphore::Acquire::operator co_await() const noexcept {
    return Awaiter(semaphore);
}

}  // namespace weft::aio
