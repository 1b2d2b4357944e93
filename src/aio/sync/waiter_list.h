#pragma once

#include "aio/task/task_base.h"

namespace weft::aio {

// An awaiter that stands in a line: of a lock, an event, a queue.
class LinedWaiter : public Waiter {
protected:
    ~LinedWaiter() = default;

private:
    friend class WaiterList;
    LinedWaiter* previous_ = nullptr;
    LinedWaiter* next_ = nullptr;
};

// Those who wait, first come, first served. Intrusive: waiting allocates nothing.
class WaiterList {
public:
    bool empty() const { return first_ == nullptr; }

    void push(LinedWaiter& waiter) noexcept {
        waiter.previous_ = last_;
        waiter.next_ = nullptr;
        (last_ ? last_->next_ : first_) = &waiter;
        last_ = &waiter;
    }

    void remove(LinedWaiter& waiter) noexcept {
        (waiter.previous_ ? waiter.previous_->next_ : first_) = waiter.next_;
        (waiter.next_ ? waiter.next_->previous_ : last_) = waiter.previous_;
    }

    // Takes the first out of the line; nullptr if nobody waits.
    LinedWaiter* pop() noexcept {
        LinedWaiter* first = first_;
        if (first) remove(*first);
        return first;
    }

    void wake_all() noexcept {
        while (LinedWaiter* waiter = pop()) waiter->wake();
    }

private:
    LinedWaiter* first_ = nullptr;
    LinedWaiter* last_ = nullptr;
};

}  // namespace weft::aio
