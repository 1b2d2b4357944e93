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

// Tasks that live and die together. Only task_group() creates a group, and it returns when all of
// the group's tasks are done. On the loop's thread; a reference is valid inside the body and the
// group's tasks.
//
//     co_await task_group([&](TaskGroup& group) -> Co<> {
//         for (int i = 0; i < 8; ++i) group.create_task(work(queue), "worker");
//         co_await queue.join();
//         group.cancel();
//     });
//
// When a task fails, the other tasks and the body are cancelled, and task_group() throws an
// ExceptionGroup once all have ended. When the waiting task is cancelled, all are cancelled, and
// the cancellation passes on after they have ended. The body may capture: task_group() keeps it in
// its own frame.
class TaskGroup {
public:
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    // A task that is created while the group is ending is cancelled at once.
    template <class T>
    Task<T> create_task(Co<T> co, std::string name = {}) {
        Task<T> task = aio::create_task(std::move(co), std::move(name));
        add(task.base());
        return task;
    }

    // Makes a task of any other awaitable: group.create_task(queue.join()).
    template <Awaitable A>
        requires(!AnyCo<A> && !FutureLike<A>)
    Task<AwaitResult<A>> create_task(A awaitable, std::string name = {}) {
        return create_task(as_co(std::move(awaitable)), std::move(name));
    }

    // Cancels the tasks, but not the body. A task that ends as cancelled is no failure; a task that
    // fails nevertheless ends the group as usual.
    void cancel() noexcept;

    std::size_t size() const { return pending_; }

private:
    template <class Body>
        requires std::is_invocable_v<Body&, TaskGroup&>
    friend std::invoke_result_t<Body&, TaskGroup&> task_group(Body body);
    struct Member;

    // Private, as only task_group() waits for the tasks.
    explicit TaskGroup(TaskBase& parent) noexcept : parent_(&parent) {}

    // Called when the body has ended, with its exception or nullptr. Waits for the tasks and throws
    // what task_group() throws.
    Co<> finish(std::exception_ptr body_exception);

    void add(TaskBase& task);
    void on_done(Member& member) noexcept;

    TaskBase* parent_;
    Chain<Member> members_;
    std::size_t pending_ = 0;
    Event empty_;
    std::vector<std::exception_ptr> errors_;
    bool aborting_ = false;
    // The body failed or was cancelled, so the parent task need not be cancelled.
    bool body_failed_ = false;
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
