#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "aio/sync/event.h"
#include "aio/task/co.h"
#include "aio/task/task.h"

namespace weft::aio {

// Tasks that live and die together. Made by task_group(); its tasks are all done when that returns.
//
//     co_await task_group([&](TaskGroup& group) -> Co<> {
//         for (int i = 0; i < 8; ++i) group.create_task(work(queue), "worker");
//         co_await queue.join();
//         group.cancel();
//     });
//
// When a task fails, the others and the body are cancelled, and task_group() throws an
// ExceptionGroup once all have ended. When the waiting task is cancelled, so are all, and the
// cancellation goes on. The body may capture: task_group() keeps it in its own frame.
class TaskGroup {
public:
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    // A task created while the group is ending is cancelled at once.
    template <class T>
    Task<T> create_task(Co<T> co, std::string name = {}) {
        Task<T> task = aio::create_task(std::move(co), std::move(name));
        add(task.base());
        return task;
    }

    // What else can be awaited, as a task: group.create_task(queue.join()).
    template <Awaitable A>
        requires(!AnyCo<A> && !FutureLike<A>)
    Task<AwaitResult<A>> create_task(A awaitable, std::string name = {}) {
        return create_task(as_co(std::move(awaitable)), std::move(name));
    }

    // Cancels the tasks (not the body). Being cancelled so is no failure; a task that fails all the
    // same ends the group as ever.
    void cancel() noexcept;

    std::size_t size() const { return pending_; }

private:
    template <class Body>
        requires std::is_invocable_v<Body&, TaskGroup&>
    friend std::invoke_result_t<Body&, TaskGroup&> task_group(Body body);
    struct Member;

    // Only task_group() makes one: nobody else could wait for its tasks.
    explicit TaskGroup(TaskBase& parent) noexcept : parent_(&parent) {}

    // The body has ended, with this exception or none: waits for the tasks.
    Co<> finish(std::exception_ptr body_exception);

    void add(TaskBase& task);
    void on_done(Member& member) noexcept;

    TaskBase* parent_;
    Member* first_ = nullptr;
    std::size_t pending_ = 0;
    Event empty_;
    std::vector<std::exception_ptr> errors_;
    bool aborting_ = false;
    bool body_failed_ = false;  // Or was cancelled: it needs no waking.
    bool parent_cancel_requested_ = false;
};

template <class Body>
    requires std::is_invocable_v<Body&, TaskGroup&>
std::invoke_result_t<Body&, TaskGroup&> task_group(Body body) {
    using T = typename std::invoke_result_t<Body&, TaskGroup&>::value_type;
    TaskGroup group(*current_task());
    std::exception_ptr exception;
    ResultCell<T> result;
    try {
        if constexpr (std::is_void_v<T>) {
            co_await body(group);
            result.set_value();
        } else {
            T value = co_await body(group);
            result.set_value(std::forward<T>(value));
        }
    } catch (...) {  // tidy: allow catch-all: finish() rethrows it
        exception = std::current_exception();
    }
    co_await group.finish(std::move(exception));
    co_return result.take();
}

}  // namespace weft::aio
