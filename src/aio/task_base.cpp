#include "aio/task_base.h"

#include <fmt/format.h>

#include "aio/future_base.h"
#include "aio/loop.h"
#include "base/assert.h"

namespace weft::aio {

TaskBase::TaskBase(EventLoop& loop, PromiseBase& root, std::coroutine_handle<> start) noexcept
    : loop_(&loop), next_(start), leaf_(&root) {
    root.task_ = this;
}

void TaskBase::run() noexcept {
    TaskBase* const outer = std::exchange(loop_->current_, this);
    if (!std::exchange(started_, true) && std::exchange(must_cancel_, false)) {
        complete(false);
        root_done_ = true;
    } else {
        // The trampoline: a coroutine that awaits or ends names the next one and returns to here,
        // so a million ready awaits use no stack.
        top_ = std::exchange(next_, nullptr);
        while (top_) std::exchange(top_, nullptr).resume();
        if (root_done_) complete(true);
    }
    loop_->current_ = outer;
    if (root_done_) loop_->forget(*this);
}

void TaskBase::wake(std::coroutine_handle<> at) noexcept {
    WEFT_ASSERT(!next_);
    next_ = at;
    waiting_ = nullptr;
    loop_->push_ready(*this);
}

bool TaskBase::cancel() noexcept {
    if (future().done()) return false;
    ++cancel_requests_;
    if (waiting_ && waiting_->cancel()) return true;
    must_cancel_ = true;
    return true;
}

int TaskBase::uncancel() noexcept {
    if (cancel_requests_ > 0) --cancel_requests_;
    if (cancel_requests_ == 0) must_cancel_ = false;
    return cancel_requests_;
}

std::string TaskBase::name() const {
    return name_ ? *name_ : fmt::format("Task-{}", id_);
}

std::vector<std::source_location> TaskBase::stack() const {
    std::vector<std::source_location> locations;
    if (!started_ || root_done_) return locations;
    for (const PromiseBase* promise = leaf_; promise; promise = promise->parent()) {
        locations.push_back(promise->location());
    }
    return locations;
}

std::vector<std::source_location> TaskBase::exception_stack() const {
    std::vector<std::source_location> locations;
    if (trace_) locations = trace_->locations;
    const std::vector<std::source_location> pending = stack();
    locations.insert(locations.end(), pending.begin(), pending.end());
    return locations;
}

std::exception_ptr PromiseBase::leaving_exception() noexcept {
    if (task_) {
        if (!task_->trace_) task_->trace_ = std::make_unique<ExceptionTrace>();
        ExceptionTrace& trace = *task_->trace_;
        if (trace.next != this) trace.locations.clear();
        trace.locations.push_back(location_);
        trace.next = parent_;
    }
    if (!task_ || task_->timed_out_ != this) return std::current_exception();
    task_->timed_out_ = nullptr;
    try {
        throw;
    } catch (const CancelledError&) {
        return std::make_exception_ptr(TimeoutError());
    } catch (...) {  // tidy: allow catch-all: handed to the caller
        return std::current_exception();
    }
}

std::string format_stack(const std::vector<std::source_location>& stack) {
    std::string out;
    for (const std::source_location& location : stack) {
        const std::string_view path = location.file_name();
        out += fmt::format("  {}:{} in {}\n", path.substr(path.rfind('/') + 1), location.line(),
                           location.function_name());
    }
    return out;
}

}  // namespace weft::aio
