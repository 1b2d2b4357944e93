#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "aio/task/task_base.h"

namespace weft::aio {

// A value that each task has for itself, like Python's contextvars. A new task starts with the
// values of the task that created it. What it sets is not visible outside it.
//
//     TaskLocal<std::string> request_id("none");   // lives as long as any task
//
//     auto scope = request_id.scoped("r-17");      // for this scope and the tasks made in it
//     log(request_id.get());
//
// Reading searches the few values that the task has. Outside a task, get() gives the initial value
// and set() throws InvalidStateError.
template <class T>
class TaskLocal {
public:
    explicit TaskLocal(T initial = T()) : initial_(std::move(initial)) {}
    TaskLocal(const TaskLocal&) = delete;
    TaskLocal& operator=(const TaskLocal&) = delete;

    // Valid until the task's next set().
    const T& get() const noexcept {
        const auto* value = static_cast<const T*>(find_task_local(this).get());
        return value ? *value : initial_;
    }

    void set(T value) const { set_task_local(this, std::make_shared<const T>(std::move(value))); }

    // Its destructor restores the earlier value. It belongs to the task that created it; if it is
    // destroyed outside that task, it does nothing.
    class [[nodiscard]] Scope {
    public:
        Scope(const TaskLocal& local, T value) : key_(&local), before_(find_task_local(key_)) {
            local.set(std::move(value));
            task_id_ = current_task_id();
        }
        // A scope in a generator's frame may be destroyed while another task runs, or outside any
        // task.
        ~Scope() {
            if (task_id_ == current_task_id()) set_task_local(key_, std::move(before_));
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        const void* key_;
        std::shared_ptr<const void> before_;
        std::uint64_t task_id_ = 0;
    };
    Scope scoped(T value) const { return Scope(*this, std::move(value)); }

private:
    T initial_;
};

}  // namespace weft::aio
