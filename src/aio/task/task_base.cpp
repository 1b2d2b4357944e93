#include "aio/task/task_base.h"

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/future_base.h"
#include "aio/task/task.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/scratch.h"

namespace weft::aio {

TaskBase::TaskBase(EventLoop& loop, PromiseBase& root, std::coroutine_handle<> start) noexcept
    : loop_(&loop), next_(start), leaf_(&root) {
    root.task_ = this;
}

void TaskBase::run() noexcept {
    // A step can run inside another one: create_task(eager) starts a task from a running task.
    TaskBase* const outer = std::exchange(loop_->current_, this);
    timed_out_ = nullptr;
    if (!std::exchange(started_, true) && std::exchange(must_cancel_, false)) {
        // Cancelled before its first step: the coroutine never runs, as in asyncio.
        complete(false);
        root_done_ = true;
    } else {
        // The trampoline. A coroutine that awaits or ends names the next one and returns to here,
        // so a million ready awaits use no stack.
        top_ = std::exchange(next_, nullptr);
        WEFT_ASSERT(top_);
        do {
            std::exchange(top_, nullptr).resume();
            expect_no_scratch();
        } while (top_);
        if (root_done_) {
            complete(true);
            if (cancel_requests_ > 0 && loop_->debug()) [[unlikely]]
                report_eaten_cancellation();
        } else {
            WEFT_ASSERT(waiting_ || next_);  // Otherwise nothing would ever run it on.
        }
    }
    loop_->current_ = outer;
    if (root_done_) loop_->forget(*this);
}

void TaskBase::wake(const Waiter& waiter) noexcept {
    WEFT_ASSERT(waiting_ == &waiter);
    next_ = waiter.caller_;
    waiting_ = nullptr;
    loop_->check_thread();
    goes_first_ ? loop_->push_first(*this) : loop_->push_ready(*this);
}

bool TaskBase::cancel() noexcept {
    return CancelBatch().cancel(*this);
}

namespace {

// tidy: allow shared-state: a number of walks; tasks are cancelled on their loop's thread.
constinit thread_local std::uint32_t last_cancel_walk = 0;

}  // namespace

CancelBatch::CancelBatch() noexcept : first_walk_(last_cancel_walk + 1) {}

// A loop, not a recursion, as the chain of awaiting tasks may be longer than the stack. The marks
// detect tasks that wait for each other in a circle, which is broken at the task where it closes.
bool CancelBatch::cancel(TaskBase& task) noexcept {
    if (task.future().done()) return false;
    const std::uint32_t walk = ++last_cancel_walk;
    TaskBase* last = &task;
    for (;;) {
        ++last->cancel_requests_;
        // Compares distances, not numbers, as the counter may wrap around.
        const bool was_here = walk - last->cancel_walk_ <= walk - first_walk_;
        if (was_here) return true;
        last->cancel_walk_ = walk;
        TaskBase* next = last->waiting_ ? last->waiting_->awaited_task() : nullptr;
        // The tasks before `last` resume when the task they await has ended.
        if (!next || next->future().done() || next->cancel_walk_ == walk) break;
        last = next;
    }
    // If the request cannot be delivered now, the task throws at its next await.
    if (!last->waiting_ || !last->waiting_->cancel()) last->must_cancel_ = true;
    return true;
}

void Waiter::deliver_cancellation() noexcept {
    TaskBase* awaited = awaited_task();
    if (awaited ? awaited->cancel() : cancel()) task_->must_cancel_ = false;
}

int TaskBase::uncancel() noexcept {
    if (cancel_requests_ > 0) --cancel_requests_;
    if (cancel_requests_ == 0) must_cancel_ = false;
    return cancel_requests_;
}

void TaskBase::report_eaten_cancellation() noexcept {
    // The request is still to be thrown: it came too late, so the task did not swallow it.
    if (must_cancel_ || future().failed()) return;
    log(LogLevel::warning,
        "{} was cancelled but went on to its end: whoever catches CancelledError rethrows it, or "
        "calls uncancel()",
        name());
}

std::string TaskBase::name() const {
    return extras_ && !extras_->name.empty() ? extras_->name : fmt::format("Task-{}", id_);
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
    if (extras_) locations = extras_->trace.locations;
    const std::vector<std::source_location> pending = stack();
    locations.insert(locations.end(), pending.begin(), pending.end());
    return locations;
}

std::shared_ptr<const void> find_task_local(const void* key) noexcept {
    const TaskBase* task = current_task();
    if (!task || !task->extras_ || !task->extras_->locals) return nullptr;
    for (const auto& [known, value] : task->extras_->locals->values) {
        if (known == key) return value;
    }
    return nullptr;
}

void set_task_local(const void* key, std::shared_ptr<const void> value) {
    TaskBase* task = current_task();
    if (!task) throw InvalidStateError("a TaskLocal was set outside a task");
    // A copy, as other tasks may share the old values.
    auto changed = std::make_shared<TaskLocals>();
    std::shared_ptr<const TaskLocals>& locals = task->extras().locals;
    if (locals) changed->values = locals->values;
    std::erase_if(changed->values, [&](const auto& entry) { return entry.first == key; });
    if (value) changed->values.emplace_back(key, std::move(value));
    locals = std::move(changed);
}

std::exception_ptr PromiseBase::leaving_exception() noexcept {
    if (task_) {
        ExceptionTrace& trace = task_->extras().trace;
        // An exception that did not come out of an awaited coroutine starts a new trace.
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
