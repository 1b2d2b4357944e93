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

// A longer step noticeably delays every other task.
inline constexpr Duration kSlowStep = std::chrono::milliseconds(10);

// How long a closing loop waits for cancelled tasks to end before it cancels them again, and how
// long it waits after that before it gives them up.
inline constexpr Duration kClosingPatience = std::chrono::seconds(10);

// A callback given to the loop. It can be cancelled until it has run. Destroying the handle does
// not cancel it.
class Handle {
public:
    explicit Handle(CallbackRunnable* callback) noexcept;
    Handle(const Handle& other) noexcept;
    Handle(Handle&& other) noexcept;
    Handle& operator=(Handle other) noexcept;
    ~Handle();

    void cancel() const noexcept;
    bool cancelled() const noexcept;
    TimePoint when() const noexcept;  // The time of call_at() or call_later().

private:
    CallbackRunnable* callback_;
};

// The event loop: one thread that runs many tasks.
//
// One round, as in asyncio:
//
// 1. Wait in the selector for readiness: not at all if something is ready to run, otherwise until
//    the next timer. While tasks are ready, this is done only every 64 steps or every millisecond.
// 2. Take the calls of other threads, and fire the timers that are due.
// 3. Run the steps and callbacks that are ready, at most 64. What they make ready runs in the next
//    round.
//
// Between two co_awaits of a task no other task of the loop runs. All functions except
// call_soon_threadsafe() may only be called on the loop's own thread.
class EventLoop {
public:
    explicit EventLoop(Platform platform);
    ~EventLoop();  // REQUIRES: no live task; see shutdown().
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // The loop that runs on this thread; throws NoRunningLoop if there is none.
    static EventLoop& running();
    static EventLoop* running_or_null() noexcept;

    TimePoint time() const { return platform_.clock->now(); }
    WallTime wall_time() const { return platform_.clock->wall(); }
    Network& network() const { return *platform_.network; }
    FileSystem& files() const { return *platform_.files; }
    Executor& executor() const { return *platform_.executor; }
    Random& random() const { return *platform_.random; }
    Selector& selector() const { return *platform_.selector; }

    // Calls `callback` in the next round, in the order of the calls; or at the given time, never
    // before it. The loop owns the callback until it has run. What it throws goes to the exception
    // handler.
    Handle call_soon(Callback callback);
    Handle call_at(TimePoint when, Callback callback);
    Handle call_later(Delay delay, Callback callback);

    // Gives the loop a callback from any thread; a sleeping loop wakes up for it. Callbacks run in
    // the order of the calls. The next poll finds them and puts them before the tasks that are
    // ready; if there are very many, only some of them, so that tasks get their turn too. If the
    // loop is closed before, they are destroyed without being run. REQUIRES: the loop lives during
    // the call.
    void call_soon_threadsafe(Callback callback);

    // Runs until `future` is done (returns true) or stop() is called (returns false).
    bool run_until_done(FutureBase& future);

    // Runs until stop() is called or nothing is left that could make the loop run something.
    void run_forever();
    void stop() noexcept { stopping_ = true; }

    // Closes the loop: cancels every live task, runs until all are done, and until the work given
    // to other threads has ended. What the tasks throw goes to the exception handler.
    //
    // Tasks that a clean-up creates may run until the earlier tasks have ended; then they are
    // cancelled too. From then on only tasks may create tasks: create_task() in a callback throws
    // InvalidStateError. Tasks that have not ended after the closing patience are cancelled once
    // more. After the same time again they are given up: the exception handler gets their names,
    // and they stay in memory and never run again. Callbacks that schedule themselves again and
    // again are dropped.
    void shutdown();
    void set_closing_patience(Duration patience) noexcept { closing_patience_ = patience; }

    // Live tasks, oldest first.
    std::vector<TaskBase*> all_tasks() const;
    std::size_t task_count() const { return task_count_; }
    TaskBase* current_task() const { return current_; }

    // Debug mode logs steps that hold the loop up longer than the limit, and tasks that swallowed a
    // cancellation; see debug.h. Off unless WEFT_AIO_DEBUG=1 is set.
    bool debug() const { return debug_; }
    void set_debug(bool on) noexcept { debug_ = on; }
    void set_slow_step(Duration limit) noexcept { slow_step_ = limit; }

    // Gets the exceptions that no code can catch: those of callbacks, and those of tasks whose
    // result was never asked for. The default writes them to the log.
    using ExceptionHandler = std::function<void(const std::string& what, std::exception_ptr)>;
    void set_exception_handler(ExceptionHandler handler) { on_exception_ = std::move(handler); }
    void report_exception(const std::string& what, std::exception_ptr exception) noexcept;

    // The rest is for the primitives of aio.
    //
    // In debug mode: reports a call from a thread other than the loop's, and wakes the loop, which
    // may be asleep.
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

    // Throws InvalidStateError if the loop is closing and takes no new task.
    void require_open() const;

    // Takes a reference to the task. Schedules its first step, or (`eager`) runs it at once.
    void adopt(TaskBase& task, bool eager = false);

    // The descriptors that aio does not own and that tasks wait for; see descriptor_ready.h.
    OutsideDescriptors& outside_descriptors();

    // Announces that another thread will call call_soon_threadsafe(). shutdown() waits for that
    // call, so that the loop outlives it.
    void expect_call() noexcept { ++expected_calls_; }
    void expected_call_came() noexcept {
        WEFT_ASSERT(expected_calls_ > 0);
        --expected_calls_;
    }

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
    Chain<TaskBase> tasks_;  // The live ones, oldest first.
    std::size_t task_count_ = 0;
    const std::uint64_t serial_;            // Unique among the loops of the process.
    std::atomic<std::thread::id> runs_on_;  // The thread that runs it now.
    std::uint64_t task_id_ = 0;
    std::size_t watch_count_ = 0;
    std::size_t expected_calls_ = 0;
    unsigned steps_since_poll_ = 0;
    TimePoint last_poll_{};
    bool stopping_ = false;
    bool debug_;
    bool closing_ = false;  // shutdown() has ended the tasks that it found.
    Duration slow_step_ = kSlowStep;
    Duration closing_patience_ = kClosingPatience;
    ExceptionHandler on_exception_;
    std::unique_ptr<OutsideDescriptors> outside_;
    std::deque<Callback> arrived_calls_;  // Calls from threadsafe_calls_ that wait for their turn.

    std::mutex threadsafe_mutex_;
    std::vector<Callback> threadsafe_calls_;  // Guarded by threadsafe_mutex_, like is_asleep_.
    bool is_asleep_ = true;  // In select(), about to enter it, or stopped: a call must wake it.
};

// The loop that runs on this thread; throws NoRunningLoop if there is none.
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
