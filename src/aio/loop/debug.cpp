#include "aio/loop/debug.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/future_base.h"
#include "base/log.h"

namespace weft::aio {
namespace {

bool environment_asks() {
    const char* value = std::getenv("WEFT_AIO_DEBUG");
    return value && std::string_view(value) == "1";
}

// A function's static is initialized at its first use, whatever the order of the program's globals.
std::atomic<bool>& by_default() {
    static std::atomic<bool> on = environment_asks();
    return on;
}

}  // namespace

bool debug_by_default() noexcept {
    return by_default().load(std::memory_order_relaxed);
}

void set_debug_by_default(bool on) noexcept {
    by_default() = on;
}

std::string dump_tasks() {
    return dump_tasks(EventLoop::running());
}

std::string dump_tasks(const EventLoop& loop) {
    std::string text = fmt::format("{} tasks\n", loop.task_count());
    for (const TaskBase* task : loop.all_tasks()) {
        const std::string stack = format_stack(task->stack());
        const bool is_running = task == loop.current_task();
        const std::string_view state = is_running      ? " (running)"
                                       : stack.empty() ? " (not started)"
                                                       : "";
        text += fmt::format("{}{}\n{}", task->name(), state, stack);
    }
    return text;
}

void report_never_awaited(const std::source_location& made_by) noexcept {
    log(LogLevel::warning,
        "a coroutine was made and never awaited, so it did not run: co_await it or give it to "
        "create_task()\n{}",
        format_stack({made_by}));
}

StepWatch::StepWatch(Runnable& step, Duration limit) : task_(step.as_task()), limit_(limit) {
    if (task_) {
        // The step may end the task, and the report needs its name afterwards.
        task_->future().retain();
        began_ = task_->stack();
    }
    start_ = std::chrono::steady_clock::now();
}

StepWatch::~StepWatch() {
    const auto taken = std::chrono::steady_clock::now() - start_;
    if (taken >= limit_) [[unlikely]]
        report(taken);
    if (task_) task_->future().release();
}

void StepWatch::report(Duration taken) const {
    const auto taken_ms = std::chrono::duration_cast<std::chrono::milliseconds>(taken).count();
    if (!task_) {
        log(LogLevel::warning, "a callback held the loop up for {} ms", taken_ms);
        return;
    }
    const std::string end = format_stack(task_->stack());  // Empty if it has ended.
    log(LogLevel::warning,
        "{} held the loop up for {} ms: give way with sleep(0s), or use "
        "to_thread()\nfrom\n{}to\n{}",
        task_->name(), taken_ms, began_.empty() ? "  its start\n" : format_stack(began_),
        end.empty() ? "  its end\n" : end);
}

}  // namespace weft::aio
