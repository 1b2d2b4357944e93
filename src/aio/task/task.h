#pragma once

#include <string>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/task/awaitable.h"
#include "aio/task/co.h"
#include "aio/task/future.h"

namespace weft::aio {

// A task's state: the future of its result and the coroutine that the loop runs, in one allocation.
template <class T>
class TaskState final : public FutureState<T>, public TaskBase, public frame_pool::Pooled {
public:
    TaskState(EventLoop& loop, typename Co<T>::Handle root) noexcept
        : FutureState<T>(loop), TaskBase(loop, root.promise(), root), root_(root) {}

    using frame_pool::Pooled::operator new;
    using frame_pool::Pooled::operator delete;

    bool cancel() noexcept override { return TaskBase::cancel(); }
    FutureBase& future() noexcept override { return *this; }
    TaskBase* as_task() noexcept override { return this; }

protected:
    void complete(bool started) noexcept override {
        if (started) this->cell_.replace(std::move(root_.promise().result()));
        std::exchange(root_, {}).destroy();
        // As in asyncio, a request that arrives too late to be thrown still cancels the task:
        // cancel() returned true, and a task that awaits this one has passed its own request on to
        // it.
        const bool is_cancelled = this->cell_.has_exception()
                                      ? is_cancellation(this->cell_.exception())
                                      : !started || this->is_cancelled_late();
        if (is_cancelled) {
            this->finish_cancelled();
        } else {
            this->finish();
        }
    }

    std::exception_ptr unretrieved_exception() noexcept override {
        return this->cancelled() ? nullptr : FutureState<T>::unretrieved_exception();
    }

private:
    ~TaskState() override = default;

    typename Co<T>::Handle root_;
};

// A Future whose coroutine the loop runs; it is done when the coroutine has ended. Task is a
// handle: destroying it neither stops nor frees the running task, which the loop keeps. If an
// exception was never asked for, it goes to the loop's exception handler when the last handle is
// destroyed.
//
// Cancelling a task that awaits another task cancels that other task; the first one resumes when
// the other has ended. shield() prevents that. A task that is cancelled during its last step ends
// as cancelled, and its value is dropped.
template <class T = void>
class Task : public Future<T> {
public:
    Task() = default;
    explicit Task(TaskState<T>* state) noexcept : Future<T>(state) {}

    int uncancel() const noexcept { return base().uncancel(); }
    int cancelling() const { return base().cancelling(); }
    std::string get_name() const { return base().name(); }
    void set_name(std::string name) const { base().set_name(std::move(name)); }
    std::vector<std::source_location> get_stack() const { return base().stack(); }

    // One line per pending await, innermost first: "fetch.cpp:212 in Co<Response> fetch(Url)".
    std::string print_stack() const { return format_stack(base().stack()); }

    TaskBase& base() const { return static_cast<TaskState<T>&>(*this->state_); }
};

// Gives the coroutine to the running loop; its first step runs in the loop's next round. Throws
// NoRunningLoop outside a loop, InvalidStateError if the loop is closing. The coroutine must own
// its arguments (by value); the compiler warns of references to temporaries of the statement.
template <class T>
Task<T> create_task(Co<T> co [[clang::lifetimebound]], std::string name = {}) {
    return create_task_on(EventLoop::running(), std::move(co), std::move(name));
}

template <class T>
Task<T> create_task_on(EventLoop& loop, Co<T> co [[clang::lifetimebound]], std::string name = {}) {
    loop.require_open();
    auto* state = new TaskState<T>(loop, co.release());
    if (!name.empty()) state->set_name(std::move(name));
    loop.adopt(*state);
    return Task<T>(state);
}

// The same, but the first step runs at once, up to the first await that suspends. For coroutines
// that often have nothing to wait for: asyncio's eager_task_factory, chosen per call.
struct Eager {};
inline constexpr Eager eager;

template <class T>
Task<T> create_task(Eager, Co<T> co [[clang::lifetimebound]], std::string name = {}) {
    EventLoop& loop = EventLoop::running();
    loop.require_open();
    auto* state = new TaskState<T>(loop, co.release());
    Task<T> task(state);
    if (!name.empty()) state->set_name(std::move(name));
    loop.adopt(*state, true);
    return task;
}

// The same for any other awaitable: create_task(queue.get()).
template <Awaitable A>
    requires(!AnyCo<A> && !FutureLike<A>)
Task<AwaitResult<A>> create_task(A awaitable, std::string name = {}) {
    return create_task(as_co(std::move(awaitable)), std::move(name));
}

// Returns a future or task unchanged; makes a task of a coroutine or another awaitable.
template <class T>
Task<T> ensure_future(Co<T> co [[clang::lifetimebound]]) {
    return create_task(std::move(co));
}
template <Awaitable A>
    requires(!AnyCo<A> && !FutureLike<A>)
Task<AwaitResult<A>> ensure_future(A awaitable) {
    return create_task(std::move(awaitable));
}
template <class T>
Task<T> ensure_future(Task<T> task) noexcept {
    return task;
}
template <class T>
Future<T> ensure_future(Future<T> future) noexcept {
    return future;
}

// The task that is running; nullptr in a callback or outside a loop.
TaskBase* current_task() noexcept;

// An unfinished Future of the running loop.
template <class T = void>
Future<T> create_future() {
    return Future<T>(new FutureState<T>(EventLoop::running()));
}

}  // namespace weft::aio
