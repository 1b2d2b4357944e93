#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "aio/task/task_base.h"

namespace weft::aio {

// A value that each task has for itself, as Python's contextvars: a new task starts with those of
// the task that made it, and what it sets is not seen outside it.
//
//     TaskLocal<std::string> request_id("none");   // lives as long as any task
//
//     auto scope = request_id.scoped("r-17");      // for this scope and the tasks made in it
//     log(request_id.get());
//
// Reading costs a search through the few values that the task has; outside a task get() gives the
// initial value and set() is an InvalidStateError.
template <class T>
class TaskLocal {
public:
    explicit TaskLocal(T initial = T()) : initial_(std::move(initial)) {}
    TaskLocal(const TaskLocal&) = delete;
    TaskLocal& operator=(const TaskLocal&) = delete;

    // Valid until the next set() of the task.
    const T& get() const noexcept {
        const auto* value = static_cast<const T*>(find_task_local(this).get());
        return value ? *value : initial_;
    }

    void set(T value) const { set_task_local(this, std::make_shared<const T>(std::move(value))); }

    // Puts the earlier value back. Belongs to the task that made it; ended elsewhere, it does
    // nothing.
    class [[nodiscard]] Scope {
    public:
        Scope(const TaskLocal& local, T value) : key_(&local), before_(find_task_local(key_)) {
            local.set(std::move(value));
            task_id_ = current_task_id();
        }
        // In a generator's frame it may end where another task runs, or none.
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
