#pragma once

#include <chrono>
#include <source_location>
#include <string>
#include <vector>

#include "base/clock.h"

// Reports of wrong use. They are on with WEFT_AIO_DEBUG=1 in the environment, or for one loop with
// RunOptions::debug, and go to the log as warnings:
//
// - a coroutine that was created and destroyed without being awaited (only with the environment
//   variable or set_debug_by_default(), as a coroutine does not know its loop);
// - a task that was cancelled, swallowed the cancellation without uncancel() and ended normally;
// - a step of a task or a callback that held the loop up (10 ms and more), with the chain of awaits
//   at which the step began and the one at which it ended;
// - a task that was woken, or a callback that was given to a loop, from a thread other than the
//   loop's without call_soon_threadsafe();
// - and, under run() and Runner, a dump of all tasks on SIGUSR1.
namespace weft::aio {

class EventLoop;
class Runnable;
class TaskBase;

// The default of the whole process, for new loops. From any thread.
bool debug_by_default() noexcept;
void set_debug_by_default(bool on) noexcept;

// A text with the name of each task and, innermost first, the awaits at which it waits.
std::string dump_tasks();
std::string dump_tasks(const EventLoop& loop);

void report_never_awaited(const std::source_location& made_by) noexcept;

// Times one step and reports it if it was slow. Lives on the stack around the step.
class StepWatch {
public:
    StepWatch(Runnable& step, Duration limit);
    ~StepWatch();
    StepWatch(const StepWatch&) = delete;
    StepWatch& operator=(const StepWatch&) = delete;

private:
    void report(Duration taken) const;

    TaskBase* task_;  // Kept alive until the step is over; nullptr for a callback.
    Duration limit_;
    std::vector<std::source_location> began_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace weft::aio
