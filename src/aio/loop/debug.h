#pragma once

#include <chrono>
#include <source_location>
#include <string>
#include <vector>

#include "base/clock.h"

// What the runtime tells about wrong use when it is asked to: with WEFT_AIO_DEBUG=1 in the
// environment, or RunOptions::debug for one loop. Written to the log as warnings:
//
// - a coroutine that was made and dropped without being awaited (the environment variable or
//   set_debug_by_default() only: a coroutine knows no loop);
// - a task that was cancelled, swallowed that without uncancel() and ended as if nothing was;
// - a step of a task or a callback that held the loop up (10 ms and more), with the chain of awaits
//   at which the step began and the one at which it ended;
// - a task that was woken, or a callback that was given to a loop, from another thread than the
//   loop's without call_soon_threadsafe();
// - and, under run() and Runner, a dump of all tasks on SIGUSR1.
namespace weft::aio {

class EventLoop;
class Runnable;
class TaskBase;

// Of the whole process: what new loops start with.
bool debug_by_default() noexcept;
void set_debug_by_default(bool on) noexcept;

// Each task of the running loop: its name and, innermost first, the awaits at which it waits.
std::string dump_tasks();
std::string dump_tasks(const EventLoop& loop);

void report_never_awaited(const std::source_location& made_by) noexcept;

// Times one step and reports it if it was slow.
class StepWatch {
public:
    StepWatch(Runnable& step, Duration limit);
    ~StepWatch();
    StepWatch(const StepWatch&) = delete;
    StepWatch& operator=(const StepWatch&) = delete;

private:
    void report(Duration taken) const;

    TaskBase* task_;  // Kept alive until after its step; nullptr: a callback.
    Duration limit_;
    std::vector<std::source_location> began_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace weft::aio
