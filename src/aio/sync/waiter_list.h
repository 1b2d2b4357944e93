#pragma once

#include "aio/task/task_base.h"
#include "base/chain.h"

namespace weft::aio {

// An awaiter in the waiting line of a lock, an event or a queue.
class LinedWaiter : public Waiter, public ChainLink<LinedWaiter> {
protected:
    ~LinedWaiter() = default;
};

// A line of waiting tasks, first come, first served. Whoever takes a waiter out wakes it.
class WaiterList : public Chain<LinedWaiter> {
public:
    void wake_all() noexcept {
        while (LinedWaiter* waiter = pop()) waiter->wake();
    }
};

}  // namespace weft::aio
