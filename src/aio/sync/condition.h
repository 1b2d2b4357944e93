#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "aio/sync/lock.h"
#include "aio/sync/waiter_list.h"
#include "aio/task/co.h"

namespace weft::aio {

// A lock and the news about what it guards: wait() gives the lock up until somebody who holds it
// calls notify().
//
//     auto guard = co_await condition.acquire();
//     co_await condition.wait_for([&] { return !items.empty(); });
//
// wait() holds the lock again when it ends, also when it ends in CancelledError, so the guard is
// right in every case. A task that was notified and is then cancelled passes the news on.
class Condition {
public:
    Condition() : lock_(own_lock_) {}
    explicit Condition(Lock& lock) noexcept : lock_(lock) {}  // Shared with others; outlives this.
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    Lock::Acquire acquire() noexcept { return lock_.acquire(); }
    bool locked() const { return lock_.locked(); }

    // These throw InvalidStateError if the lock is not held.
    Co<> wait();
    void notify(std::size_t count = 1);
    void notify_all();

    // Waits until `predicate` holds; asked under the lock, first before any wait.
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
