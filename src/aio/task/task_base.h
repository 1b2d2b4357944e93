#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "aio/task/errors.h"
#include "aio/task/promise.h"
#include "base/chain.h"

namespace weft::aio {

class EventLoop;
class FutureBase;

// Something the loop runs when its turn comes: a task's next step, or a callback. Intrusive: it is
// in at most one ReadyQueue at a time.
class Runnable {
public:
    virtual void run() noexcept = 0;

    // The loop is closed before its turn came; it will not run.
    virtual void abandon() noexcept {}

    // The task of this step; nullptr for a callback.
    virtual TaskBase* as_task() noexcept { return nullptr; }

protected:
    ~Runnable() = default;

private:
    friend class ReadyQueue;
    Runnable* next_ready_ = nullptr;
};

// Runnables in the order in which they became ready. The links are in the runnables, so adding
// allocates nothing. Does not own them.
class ReadyQueue {
public:
    bool empty() const { return head_ == nullptr; }
    std::size_t size() const { return size_; }

    void push(Runnable& runnable) noexcept {
        WEFT_ASSERT(!runnable.next_ready_);
        (head_ ? tail_->next_ready_ : head_) = &runnable;
        tail_ = &runnable;
        ++size_;
    }

    // Queues it before all others, but behind the runnables that were added by push_first() before
    // it.
    void push_first(Runnable& runnable) noexcept {
        WEFT_ASSERT(!runnable.next_ready_);
        Runnable*& place = last_first_ ? last_first_->next_ready_ : head_;
        if (!place) tail_ = &runnable;
        runnable.next_ready_ = place;
        place = &runnable;
        last_first_ = &runnable;
        ++size_;
    }

    // REQUIRES: !empty()
    Runnable& pop() noexcept {
        WEFT_ASSERT(size_ > 0);
        Runnable& first = *head_;
        head_ = std::exchange(first.next_ready_, nullptr);
        if (&first == last_first_) last_first_ = nullptr;
        --size_;
        return first;
    }

private:
    Runnable* head_ = nullptr;
    Runnable* tail_ = nullptr;
    Runnable* last_first_ = nullptr;  // The last one of push_first() that is still queued.
    std::size_t size_ = 0;
};

// The place where a task is suspended: the base of every awaiter that really waits (a sleep, a
// lock, a socket). It lives in the frame of the waiting coroutine, so waiting allocates nothing.
//
// A new primitive derives from it. await_suspend() links the awaiter where the waking side finds
// it, then calls suspend(). The waking side unlinks it and calls wake(). await_resume() calls
// check().
class Waiter {
public:
    Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    // The task is to be cancelled. Returns true if the request was taken: the awaiter unlinked
    // itself, called mark_cancelled() and woke the task, or it passed the request on and will be
    // woken later. Returns false if the awaiter was woken already; then the task throws when it
    // resumes.
    virtual bool cancel() noexcept = 0;

    // The task that this awaiter waits for, to which requests are passed on; nullptr for other
    // waits. If there is one, cancel() is called only to break a circle of tasks that wait for each
    // other.
    virtual TaskBase* awaited_task() noexcept { return nullptr; }

    // Resumes the coroutine in the loop's next round. REQUIRES: the awaiter is unlinked, and wake()
    // was not called before.
    void wake() noexcept;

    TaskBase* task() const { return task_; }

protected:
    ~Waiter() = default;

    // REQUIRES: the awaiter is linked. A pending cancellation is delivered at once, by calling
    // cancel().
    template <class Promise>
    void suspend(std::coroutine_handle<Promise> caller) noexcept {
        suspend_in(caller.promise(), caller);
    }

    // Whether it has not been woken yet. For awaiters that two events can wake: the second event
    // may come before the task has run.
    bool is_waiting() const noexcept;

    // For cancel(): the resumed await will throw CancelledError.
    void mark_cancelled() noexcept { cancelled_ = true; }

    // Returns true if the await must end in CancelledError, and clears the task's pending request,
    // so that several requests of one round are thrown once. For primitives that must pass on what
    // they were given before they throw.
    bool take_cancellation() noexcept;

    // Throws CancelledError if the await was cancelled.
    void check() {
        if (take_cancellation()) throw CancelledError();
    }

private:
    friend class TaskBase;
    void suspend_in(PromiseBase& promise, std::coroutine_handle<> caller) noexcept;
    void deliver_cancellation() noexcept;

    TaskBase* task_ = nullptr;
    std::coroutine_handle<> caller_;
    bool cancelled_ = false;
};

// Where an exception came from: the awaits that it passed through, innermost first.
struct ExceptionTrace {
    std::vector<std::source_location> locations;
    const PromiseBase* next = nullptr;  // The coroutine that would add the next line.
};

// A task's values of TaskLocals. Immutable: tasks share it with the tasks they create until one of
// them sets a value.
struct TaskLocals {
    std::vector<std::pair<const void*, std::shared_ptr<const void>>> values;
};

// A coroutine that the loop runs step by step: the untyped part of Task<T>.
//
// Owned by the loop from create_task() until it is done, and by every handle. Used only on the
// loop's thread.
class TaskBase : public Runnable, public ChainLink<TaskBase> {
public:
    TaskBase(const TaskBase&) = delete;
    TaskBase& operator=(const TaskBase&) = delete;

    // Requests that CancelledError be thrown where the task waits, or at its next wait. Returns
    // false if the task is done already.
    bool cancel() noexcept;

    // Takes one request back, as in asyncio: code that swallows a cancellation on purpose calls it.
    // Returns how many requests are left.
    int uncancel() noexcept;
    int cancelling() const { return cancel_requests_; }

    virtual FutureBase& future() noexcept = 0;
    EventLoop& loop() const { return *loop_; }

    // "Task-7" unless a name was given.
    std::string name() const;
    void set_name(std::string name) { extras().name = std::move(name); }

    // For clean-ups: when the loop shuts down, it waits for this task instead of cancelling it.
    void spare_at_shutdown() noexcept { spared_ = true; }

    // From its next wait on, this task runs before other ready tasks, and so do the tasks that it
    // creates. For tasks that others wait for and that do little at a time: a task that is always
    // ready would keep all others from running.
    void go_first() noexcept { goes_first_ = true; }

    // The awaits at which the task is suspended, innermost first. Empty before its first step.
    std::vector<std::source_location> stack() const;

    // The awaits that the current exception passed through, then those still pending above the
    // handler: one chain, innermost first.
    std::vector<std::source_location> exception_stack() const;

    void run() noexcept override;
    TaskBase* as_task() noexcept override { return this; }

protected:
    TaskBase(EventLoop& loop, PromiseBase& root, std::coroutine_handle<> start) noexcept;
    ~TaskBase() = default;

    // The root coroutine has ended, or was cancelled before its start (`started` is false): stores
    // its result in the future.
    virtual void complete(bool started) noexcept = 0;

    // A request came during the last step, after the last wait at which it could have been thrown.
    bool is_cancelled_late() const noexcept { return must_cancel_; }

private:
    friend class CancelBatch;
    friend class EventLoop;
    friend class PromiseBase;
    friend class Waiter;
    friend std::shared_ptr<const void> find_task_local(const void* key) noexcept;
    friend void set_task_local(const void* key, std::shared_ptr<const void> value);
    friend std::uint64_t current_task_id() noexcept;

    // What few tasks need; allocated when it is first used.
    struct Extras {
        std::string name;
        ExceptionTrace trace;
        std::shared_ptr<const TaskLocals> locals;
    };
    Extras& extras() {
        if (!extras_) extras_ = std::make_unique<Extras>();
        return *extras_;
    }

    void report_eaten_cancellation() noexcept;

    void wake(const Waiter& waiter) noexcept;

    EventLoop* loop_;
    std::coroutine_handle<> top_;   // What the running step resumes next.
    std::coroutine_handle<> next_;  // Where the next step starts.
    PromiseBase* leaf_;             // The innermost suspended coroutine.
    Waiter* waiting_ = nullptr;     // Where it is suspended; nullptr while it runs or is ready.
    std::unique_ptr<Extras> extras_;
    // The coroutine whose CancelledError its caller sees as TimeoutError.
    const PromiseBase* timed_out_ = nullptr;
    std::uint64_t id_ = 0;
    int cancel_requests_ = 0;   // Made and not taken back by uncancel().
    bool must_cancel_ = false;  // A request is still to be thrown, at the next wait.
    bool started_ = false;
    bool root_done_ = false;
    bool spared_ = false;
    bool goes_first_ = false;
    // For CancelBatch: the number of the last walk that visited this task.
    std::uint32_t cancel_walk_ = 0;
};

// Cancels several tasks. A request passes on to the task that is awaited, and so on to the end of
// the chain. A batch walks down each chain once, however many tasks of the chain are in the batch.
class CancelBatch {
public:
    CancelBatch() noexcept;

    // Returns false if the task is done already.
    bool cancel(TaskBase& task) noexcept;

private:
    std::uint32_t first_walk_;
};

// For TaskLocal: the current task's value under `key`, or nullptr. Setting nullptr removes the
// value.
std::shared_ptr<const void> find_task_local(const void* key) noexcept;
void set_task_local(const void* key, std::shared_ptr<const void> value);

// The current task's id, unique among the tasks of this thread; 0 outside a task.
std::uint64_t current_task_id() noexcept;

inline void PromiseBase::enter(PromiseBase& parent, std::coroutine_handle<> self,
                               std::coroutine_handle<> continuation) noexcept {
    parent_ = &parent;
    task_ = parent.task_;
    continuation_ = continuation;
    task_->leaf_ = this;
    task_->top_ = self;
}

inline void PromiseBase::set_timed_out() noexcept {
    task_->timed_out_ = this;
}

inline void PromiseBase::leave() noexcept {
    task_->leaf_ = parent_;
    task_->top_ = continuation_;
    if (!continuation_) task_->root_done_ = true;
}

inline void Waiter::suspend_in(PromiseBase& promise, std::coroutine_handle<> caller) noexcept {
    task_ = promise.task();
    caller_ = caller;
    task_->waiting_ = this;
    if (task_->must_cancel_) [[unlikely]]
        deliver_cancellation();
}

inline void Waiter::wake() noexcept {
    task_->wake(*this);
}

inline bool Waiter::is_waiting() const noexcept {
    return task_->waiting_ == this;
}

inline bool Waiter::take_cancellation() noexcept {
    if (!task_) return false;  // It never suspended: the result was ready at once.
    return std::exchange(task_->must_cancel_, false) || cancelled_;
}

}  // namespace weft::aio
