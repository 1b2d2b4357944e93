#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "aio/sync/lock.h"
#include "aio/sync/waiter_list.h"
#include "aio/task/co.h"

namespace weft::aio {

// A lock, and a way to wait for a change of what it protects: wait() releases the lock until a task
// that holds it calls notify().
//
//     auto guard = co_await condition.acquire();
//     co_await condition.wait_for([&] { return !items.empty(); });
//
// wait() holds the lock again when it ends, also when it throws CancelledError, so that the guard's
// destructor is always right. A task that is cancelled after it was notified passes the
// notification on. The loop resumes the waiters, in the order in which they began to wait.
class Condition {
public:
    Condition() : lock_(own_lock_) {}
    // Shared with other users; must outlive this.
    explicit Condition(Lock& lock) noexcept : lock_(lock) {}
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    Lock::Acquire acquire() noexcept { return lock_.acquire(); }
    bool locked() const { return lock_.locked(); }

    // All three throw InvalidStateError if the lock is not held.
    Co<> wait();
    void notify(std::size_t count = 1);
    void notify_all();

    // Waits until `predicate` is true. It is called under the lock, the first time before any wait.
    template <std::predicate Predicate>
    Co<> wait_for(Predicate predicate) {
        while (!predicate()) co_await wait();
    }

private:
    class Awaiter;

    void require_lock() const;
    void wake(std::size_t count) noexcept;

    Lock own_lock_;
    Lock& lock_;
    WaiterList waiters_;
};

}  // namespace weft::aio
