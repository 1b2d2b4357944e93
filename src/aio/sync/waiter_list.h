#pragma once

#include "aio/task/task_base.h"

namespace weft::aio {

// An awaiter in the waiting line of a lock, an event or a queue.
class LinedWaiter : public Waiter {
protected:
    ~LinedWaiter() = default;

private:
    friend class WaiterList;
    LinedWaiter* previous_ = nullptr;
    LinedWaiter* next_ = nullptr;
};

// A line of waiting tasks, first come, first served. The links are in the awaiters, so waiting
// allocates nothing. Does not own them.
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

    // Takes the first waiter out of the line; nullptr if the line is empty. The caller wakes it.
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
