#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "aio/loop/platform.h"
#include "aio/loop/selector.h"
#include "aio/loop/timers.h"
#include "aio/task/future_base.h"
#include "aio/task/task_base.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"

namespace weft::aio {

using Callback = std::move_only_function<void()>;

// A function that needs a running loop was called outside one.
class NoRunningLoop : public Error {
public:
    NoRunningLoop();
};

class CallbackRunnable;
class OutsideDescriptors;

// A step that takes longer holds up every other task noticeably.
inline constexpr Duration kSlowStep = std::chrono::milliseconds(10);

// How long a closing loop waits for cancelled tasks to end, before it cancels them again; and then
// once more, before it gives them up.
inline constexpr Duration kClosingPatience = std::chrono::seconds(10);

// A callback given to the loop, which can be taken back until it has run. Dropping the handle does
// not take it back.
class Handle {
public:
    explicit Handle(CallbackRunnable* callback) noexcept;
    Handle(const Handle& other) noexcept;
    Handle(Handle&& other) noexcept;
    Handle& operator=(Handle other) noexcept;
    ~Handle();

    void cancel() const noexcept;
    bool cancelled() const noexcept;
    TimePoint when() const noexcept;  // Of call_at() and call_later().

private:
    CallbackRunnable* callback_;
};

// The event loop: one thread weaving through many tasks.
//
// A round, as in asyncio: wait for readiness (not at all if something is ready, else until the next
// timer), fire the timers that are due, then run exactly the steps and callbacks that were ready at
// the start. While work is ready, the selector is asked only every 64 steps or 1 ms. What happens
// between two co_awaits is atomic for all tasks of the loop.
//
// Everything but call_soon_threadsafe() is for the loop's own thread.
class EventLoop {
public:
    explicit EventLoop(Platform platform);
    ~EventLoop();  // REQUIRES: no live task; see shutdown().
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // The loop that runs on this thread; throws NoRunningLoop where there is none.
    static EventLoop& running();
    static EventLoop* running_or_null() noexcept;

    TimePoint time() const { return platform_.clock->now(); }
    WallTime wall_time() const { return platform_.clock->wall(); }
    Network& network() const { return *platform_.network; }
    FileSystem& files() const { return *platform_.files; }
    Executor& executor() const { return *platform_.executor; }
    Random& random() const { return *platform_.random; }
    Selector& selector() const { return *platform_.selector; }

    // In the next round, in the order of the calls; at that time, never before it. The loop owns
    // the callback until it has run; what it throws goes to the exception handler.
    Handle call_soon(Callback callback);
    Handle call_at(TimePoint when, Callback callback);
    Handle call_later(Delay delay, Callback callback);

    // From any thread, also while the loop waits; it wakes up for it. In the order of the calls.
    // Found at the next poll, it runs before what is ready then; of very many only some, so that
    // tasks get their turns too. The caller sees to it that the loop still lives. A callback that a
    // closed loop never came to is dropped unrun.
    void call_soon_threadsafe(Callback callback);

    // Runs until `future` is done, or stop() was called (then false).
    bool run_until_done(FutureBase& future);
    void run_forever();
    void stop() noexcept { stopping_ = true; }

    // Closes: cancels every live task and runs until all are done, and until the work given to
    // other threads has ended. What the tasks throw goes to the exception handler.
    //
    // Tasks that a clean-up makes may run until those there were have ended; then they are
    // cancelled too. From then on only tasks can make tasks: in a callback create_task() throws
    // InvalidStateError. Tasks that have not ended after the patience are cancelled once more, and
    // after that patience given up: the exception handler is told which, and they stay in memory,
    // never to run again. Callbacks that always come again are dropped.
    void shutdown();
    void set_closing_patience(Duration patience) noexcept { closing_patience_ = patience; }

    // Live tasks, oldest first.
    std::vector<TaskBase*> all_tasks() const;
    std::size_t task_count() const { return task_count_; }
    TaskBase* current_task() const { return current_; }

    // Debug mode: steps that hold the loop up longer than the limit and tasks that ate a
    // cancellation are written to the log; see debug.h. Off unless WEFT_AIO_DEBUG=1 is set.
    bool debug() const { return debug_; }
    void set_debug(bool on) noexcept { debug_ = on; }
    void set_slow_step(Duration limit) noexcept { slow_step_ = limit; }

    // Told of exceptions nobody can catch: of callbacks, and of tasks whose result nobody asked
    // for. The default writes them to the log.
    using ExceptionHandler = std::function<void(const std::string& what, std::exception_ptr)>;
    void set_exception_handler(ExceptionHandler handler) { on_exception_ = std::move(handler); }
    void report_exception(const std::string& what, std::exception_ptr exception) noexcept;

    // For the primitives of aio.
    // In debug mode: reports a call from another thread than the one that runs the loop, which may
    // be asleep, and wakes it.
    void check_thread() noexcept {
        if (debug_) [[unlikely]]
            report_wrong_thread();
    }
    void push_ready(Runnable& runnable) noexcept { ready_.push(runnable); }
    void push_first(Runnable& runnable) noexcept { ready_.push_first(runnable); }
    void arm(Timer& timer, TimePoint when) { timers_.arm(timer, when); }
    void disarm(Timer& timer) noexcept { timers_.disarm(timer); }
    void watch(int fd, Interest interest, IoHandler& handler);
    void unwatch(int fd) noexcept;
    // Throws InvalidStateError where the closing loop takes no new task.
    void require_open() const;
    // Takes a reference to the task; its first step is scheduled, or (`eager`) run here and now.
    void adopt(TaskBase& task, bool eager = false);

    // The descriptors of others that tasks wait for; see descriptor_ready.h.
    OutsideDescriptors& outside_descriptors();

    // Another thread will call call_soon_threadsafe(): shutdown() waits for it, so that the loop
    // outlives the call.
    void expect_call() noexcept { ++expected_calls_; }
    void expected_call_came() noexcept { --expected_calls_; }

private:
    friend class RunningScope;
    friend class TaskBase;
    friend std::uint64_t current_task_id() noexcept;

    void run_once();
    bool end_tasks();
    bool run_until_ended(std::span<TaskBase* const> tasks);
    void give_up_tasks() noexcept;
    void run_measured(Runnable& runnable);
    void report_wrong_thread() noexcept;
    void poll();
    bool is_poll_due();
    bool fall_asleep();
    void take_threadsafe_calls();
    void forget(TaskBase& task) noexcept;

    Platform platform_;
    ReadyQueue ready_;
    TimerQueue timers_;
    TaskBase* current_ = nullptr;
    TaskBase* first_task_ = nullptr;
    TaskBase* last_task_ = nullptr;
    std::size_t task_count_ = 0;
    const std::uint64_t serial_;            // Among the loops of the process.
    std::atomic<std::thread::id> runs_on_;  // The thread that runs it now.
    std::uint64_t task_id_ = 0;
    std::size_t watch_count_ = 0;
    std::size_t expected_calls_ = 0;
    unsigned steps_since_poll_ = 0;
    TimePoint last_poll_{};
    bool stopping_ = false;
    bool debug_;
    bool closing_ = false;  // The tasks that there were have ended.
    Duration slow_step_ = kSlowStep;
    Duration closing_patience_ = kClosingPatience;
    ExceptionHandler on_exception_;
    std::unique_ptr<OutsideDescriptors> outside_;
    std::deque<Callback> arrived_calls_;  // Taken from the next, not yet due.

    std::mutex threadsafe_mutex_;
    std::vector<Callback> threadsafe_calls_;  // Guarded by threadsafe_mutex_, as is the next.
    bool is_asleep_ = true;  // In select() or on the way there, or stopped: a call wakes it.
};

// The loop that runs on this thread; throws NoRunningLoop where there is none.
inline EventLoop& get_running_loop() {
    return EventLoop::running();
}

// The live tasks of the running loop, oldest first.
inline std::vector<TaskBase*> all_tasks() {
    return EventLoop::running().all_tasks();
}

// One line per location: "  fetch.cpp:212 in Co<Response> fetch(Url)".
std::string format_stack(const std::vector<std::source_location>& stack);

}  // namespace weft::aio
