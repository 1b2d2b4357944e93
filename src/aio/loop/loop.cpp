#include "aio/loop/loop.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/debug.h"
#include "aio/loop/descriptor_ready.h"
#include "aio/net/network.h"
#include "aio/task/frame_pool.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/log.h"

namespace weft::aio {
namespace {

// tidy: allow shared-state: which loop a thread runs; set and reset by the loop itself.
constinit thread_local EventLoop* running_loop = nullptr;

void refuse_nested_run() {
    if (!running_loop) return;
    throw InvalidStateError(
        "a loop was started inside a running loop: co_await the coroutine instead of run()");
}

// Polling the selector costs a system call, so a busy loop does it rarely. The clock is read more
// often, as a few long steps can take a millisecond too.
constexpr unsigned kStepsPerPoll = 64;
constexpr unsigned kStepsPerClockReading = 8;
constexpr Duration kPollInterval = 1ms;

// How many calls of other threads may go first after one poll. While tasks are ready, that is half
// of the steps until the next poll.
constexpr std::size_t kFirstCallsMax = kStepsPerPoll / 2;
constexpr std::size_t kCallsPerPollMax = 1024;

// How often a closing loop cancels the tasks that clean-ups created, and how many rounds it runs
// the remaining callbacks.
constexpr int kClosingPassesMax = 8;
constexpr int kLastRoundsMax = 64;

// In virtual time no time passes while a task is ready, so a task that is always ready would keep
// the closing patience from ever running out. This bounds the rounds instead.
constexpr std::uint64_t kRoundsAtOneMomentMax = 100'000;

std::uint64_t next_serial() noexcept {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

// Tasks of closed loops that would not end. They are kept for ever, so that what they refer to
// stays in place.
class GivenUpTasks {
public:
    static GivenUpTasks& get() {
        static auto* const all = new GivenUpTasks;
        return *all;
    }
    void add(TaskBase& task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(&task);
    }

private:
    std::mutex mutex_;
    std::vector<TaskBase*> tasks_;
};

}  // namespace

// Makes a loop the running loop of this thread for a scope.
class RunningScope {
public:
    explicit RunningScope(EventLoop& loop)
        : loop_(loop), outer_(std::exchange(running_loop, &loop)) {
        loop_.runs_on_ = std::this_thread::get_id();
    }
    ~RunningScope() {
        loop_.runs_on_ = std::thread::id();
        running_loop = outer_;
    }
    RunningScope(const RunningScope&) = delete;
    RunningScope& operator=(const RunningScope&) = delete;

private:
    EventLoop& loop_;
    EventLoop* outer_;
};

NoRunningLoop::NoRunningLoop()
    : Error(
          "there is no running loop on this thread: call this from a coroutine that aio::run() "
          "or a task runs") {}

// A callback in the ready queue or behind a timer. Owned by its handles, and by the loop while it
// is queued.
class CallbackRunnable final : public Runnable, public Timer {
public:
    CallbackRunnable(EventLoop& loop, Callback callback)
        : loop_(loop), callback_(std::move(callback)) {}

    void run() noexcept override {
        if (callback_) {
            try {
                std::exchange(callback_, nullptr)();
            } catch (...) {  // tidy: allow catch-all: reported
                loop_.report_exception("a callback failed", std::current_exception());
            }
        }
        release();
    }

    void fire() noexcept override { loop_.push_ready(*this); }

    void abandon() noexcept override {
        callback_ = nullptr;
        release();
    }

    void cancel() noexcept {
        callback_ = nullptr;
        cancelled_ = true;
        // Disarmed, it will never run: drop the loop's reference here. A callback in the ready
        // queue keeps it until its turn.
        if (is_armed()) {
            loop_.disarm(*this);
            release();
        }
    }

    bool cancelled() const { return cancelled_; }
    void retain() noexcept { ++references_; }
    void release() noexcept {
        if (--references_ == 0) delete this;
    }

private:
    EventLoop& loop_;
    Callback callback_;
    std::uint32_t references_ = 1;  // The loop's reference.
    bool cancelled_ = false;
};

Handle::Handle(CallbackRunnable* callback) noexcept : callback_(callback) {
    callback_->retain();
}
Handle::Handle(const Handle& other) noexcept : callback_(other.callback_) {
    if (callback_) callback_->retain();
}
Handle::Handle(Handle&& other) noexcept : callback_(std::exchange(other.callback_, nullptr)) {}
Handle& Handle::operator=(Handle other) noexcept {
    std::swap(callback_, other.callback_);
    return *this;
}
Handle::~Handle() {
    if (callback_) callback_->release();
}
void Handle::cancel() const noexcept {
    callback_->cancel();
}
bool Handle::cancelled() const noexcept {
    return callback_->cancelled();
}
TimePoint Handle::when() const noexcept {
    return callback_->when();
}

EventLoop::EventLoop(Platform platform)
    : platform_(platform), serial_(next_serial()), debug_(debug_by_default()) {}

// The callbacks that are left hold references of their own; abandoning frees them.
EventLoop::~EventLoop() {
    WEFT_ASSERT(task_count_ == 0);
    timers_.abandon_all();
    while (!ready_.empty()) ready_.pop().abandon();
    frame_pool::trim();
}

EventLoop& EventLoop::running() {
    if (!running_loop) throw NoRunningLoop();
    return *running_loop;
}

EventLoop* EventLoop::running_or_null() noexcept {
    return running_loop;
}

TaskBase* current_task() noexcept {
    return running_loop ? running_loop->current_task() : nullptr;
}

std::uint64_t current_task_id() noexcept {
    // Loops of one thread may follow each other, and each counts its tasks from 1.
    constexpr int kTaskBits = 40;
    const TaskBase* task = current_task();
    return task ? running_loop->serial_ << kTaskBits | task->id_ : 0;
}

void EventLoop::report_wrong_thread() noexcept {
    const std::thread::id runs_on = runs_on_;
    if (runs_on == std::thread::id() || runs_on == std::this_thread::get_id()) return;
    log(LogLevel::error,
        "a loop was used from another thread: only call_soon_threadsafe() and "
        "run_coroutine_threadsafe() may be called there; put put_nowait(), set(), cancel() and "
        "the like into a callback of the first");
    platform_.selector->wake();
}

Handle EventLoop::call_soon(Callback callback) {
    check_thread();
    auto* runnable = new CallbackRunnable(*this, std::move(callback));
    Handle handle(runnable);
    ready_.push(*runnable);
    return handle;
}

Handle EventLoop::call_at(TimePoint when, Callback callback) {
    check_thread();
    auto* runnable = new CallbackRunnable(*this, std::move(callback));
    Handle handle(runnable);
    arm(*runnable, when);
    return handle;
}

Handle EventLoop::call_later(Delay delay, Callback callback) {
    return call_at(saturating_add(time(), delay), std::move(callback));
}

// A loop that is not asleep finds the call at its next poll, so calls between two busy loops need
// no system call. The wake-up is under the lock, so that the loop cannot take the call, run it and
// be destroyed before it is woken.
void EventLoop::call_soon_threadsafe(Callback callback) {
    const std::lock_guard lock(threadsafe_mutex_);
    threadsafe_calls_.push_back(std::move(callback));
    if (std::exchange(is_asleep_, false)) platform_.selector->wake();
}

bool EventLoop::run_until_done(FutureBase& future) {
    refuse_nested_run();
    const RunningScope scope(*this);
    stopping_ = false;
    while (!future.done() && !stopping_) run_once();
    return future.done();
}

void EventLoop::run_forever() {
    refuse_nested_run();
    const RunningScope scope(*this);
    stopping_ = false;
    const auto has_work = [this] {
        return !ready_.empty() || !timers_.empty() || task_count_ > 0 || watch_count_ > 0 ||
               expected_calls_ > 0 || !arrived_calls_.empty();
    };
    while (!stopping_ && has_work()) run_once();
}

void EventLoop::shutdown() {
    const RunningScope scope(*this);
    struct Closing {
        EventLoop& loop;
        ~Closing() { loop.closing_ = false; }
    } const closing{*this};
    stopping_ = false;
    // Clean-ups may create tasks, so one pass is not enough. After the first pass callbacks may
    // create none; see require_open().
    for (int pass = 0; task_count_ > 0; ++pass) {
        if (pass == kClosingPassesMax || !end_tasks()) give_up_tasks();
        closing_ = true;
    }
    closing_ = true;
    // A job on another thread refers to this loop until it has called back.
    while (expected_calls_ > 0) run_once();
    if (platform_.network) platform_.network->on_shutdown();
    // Callbacks that the tasks left behind, and what destroying the resolver scheduled.
    for (int round = 0; round < kLastRoundsMax && !ready_.empty(); ++round) run_once();
    while (!ready_.empty()) ready_.pop().abandon();
}

// Cancels the existing tasks and runs until they have ended. Returns false if some do not end.
bool EventLoop::end_tasks() {
    // Holds a reference to each task, as a task that ends is released by the loop.
    struct Kept {
        explicit Kept(std::vector<TaskBase*> the_tasks) : tasks(std::move(the_tasks)) {
            for (TaskBase* task : tasks) task->future().retain();
        }
        ~Kept() {
            for (TaskBase* task : tasks) task->future().release();
        }
        Kept(const Kept&) = delete;
        Kept& operator=(const Kept&) = delete;

        const std::vector<TaskBase*> tasks;
    } const kept(all_tasks());
    CancelBatch first;
    for (TaskBase* task : kept.tasks) {
        // Clean-ups (see shielded()) get the whole patience before they are cancelled too.
        if (!task->spared_) first.cancel(*task);
    }
    if (run_until_ended(kept.tasks)) return true;
    CancelBatch second;
    for (TaskBase* task : kept.tasks) second.cancel(*task);
    return run_until_ended(kept.tasks);
}

// Returns false if they have not ended within the patience.
bool EventLoop::run_until_ended(std::span<TaskBase* const> tasks) {
    struct Patience final : Timer {
        explicit Patience(EventLoop& the_loop) : loop(the_loop) {}
        ~Patience() { loop.disarm(*this); }
        void fire() noexcept override { is_over = true; }

        EventLoop& loop;
        bool is_over = false;
    } patience(*this);
    arm(patience, saturating_add(time(), closing_patience_));
    TimePoint moment = time();
    std::uint64_t rounds = 0;
    for (TaskBase* task : tasks) {
        while (!task->future().done()) {
            if (patience.is_over || rounds > kRoundsAtOneMomentMax) return false;
            stopping_ = false;  // Set by an earlier run, or by a clean-up.
            run_once();
            rounds = moment == time() ? rounds + 1 : 0;
            moment = time();
        }
    }
    return true;
}

// Given-up tasks stay in memory, as others may refer to them. They move to a loop that never runs,
// so that waking one has no effect.
void EventLoop::give_up_tasks() noexcept {
    report_exception(
        fmt::format("the loop was closed over {} tasks that would not end", task_count_),
        std::make_exception_ptr(Error(dump_tasks(*this))));
    auto* const nowhere = new EventLoop(Platform{});
    timers_.abandon_all();
    while (TaskBase* task = tasks_.pop()) {
        task->loop_ = nowhere;
        GivenUpTasks::get().add(*task);
    }
    task_count_ = 0;
    // Only callbacks stay in the ready queue.
    for (std::size_t n = ready_.size(); n > 0; --n) {
        Runnable& next = ready_.pop();
        if (!next.as_task()) ready_.push(next);
    }
    frame_pool::note_given_up();
}

std::vector<TaskBase*> EventLoop::all_tasks() const {
    std::vector<TaskBase*> tasks;
    for (TaskBase* task = tasks_.first(); task; task = tasks_.next(*task)) tasks.push_back(task);
    return tasks;
}

void EventLoop::report_exception(const std::string& what, std::exception_ptr exception) noexcept {
    const auto write = [](const std::string& text, const std::exception_ptr& cause) {
        log(LogLevel::error, "{}: {}", text, escape_for_terminal(describe(cause)));
    };
    if (!on_exception_) return write(what, exception);
    try {
        on_exception_(what, exception);
    } catch (...) {  // tidy: allow catch-all: written to the log
        write(what, exception);
        write("the exception handler failed", std::current_exception());
    }
}

OutsideDescriptors& EventLoop::outside_descriptors() {
    if (!outside_) outside_ = std::make_unique<OutsideDescriptors>(*this);
    return *outside_;
}

void EventLoop::watch(int fd, Interest interest, IoHandler& handler) {
    if (fd < 0) {
        throw IoError(fmt::format("cannot watch descriptor {}", fd),
                      std::make_error_code(std::errc::bad_file_descriptor));
    }
    platform_.selector->add(fd, interest, handler);
    ++watch_count_;
}

void EventLoop::unwatch(int fd) noexcept {
    WEFT_ASSERT(watch_count_ > 0);
    platform_.selector->remove(fd);
    --watch_count_;
}

void EventLoop::require_open() const {
    if (!closing_ || current_) return;
    throw InvalidStateError("the loop is closing: it takes no new tasks");
}

void EventLoop::adopt(TaskBase& task, bool is_eager) {
    task.future().retain();
    task.id_ = ++task_id_;
    tasks_.push(task);
    ++task_count_;
    // A new task inherits the task locals and the priority of the task that creates it.
    if (current_ && current_->extras_ && current_->extras_->locals) {
        task.extras().locals = current_->extras_->locals;
    }
    task.goes_first_ = current_ && current_->goes_first_;
    if (is_eager) {
        task.run();
    } else if (task.goes_first_) {
        ready_.push_first(task);
    } else {
        ready_.push(task);
    }
}

void EventLoop::forget(TaskBase& task) noexcept {
    tasks_.remove(task);
    --task_count_;
    task.future().release();
}

void EventLoop::run_once() {
    if (ready_.empty() || is_poll_due()) poll();
    // The number of steps is fixed here: what becomes ready meanwhile waits for the next round, so
    // that timers and I/O get their turn.
    for (std::size_t n = std::min<std::size_t>(ready_.size(), kStepsPerPoll); n > 0; --n) {
        ++steps_since_poll_;
        Runnable& next = ready_.pop();
        if (debug_) [[unlikely]] {
            run_measured(next);
        } else {
            next.run();
        }
    }
}

void EventLoop::run_measured(Runnable& runnable) {
    const StepWatch watch(runnable, slow_step_);
    runnable.run();
}

bool EventLoop::is_poll_due() {
    if (steps_since_poll_ >= kStepsPerPoll) return true;
    return steps_since_poll_ % kStepsPerClockReading == 0 && time() - last_poll_ >= kPollInterval;
}

void EventLoop::poll() {
    std::optional<Duration> timeout;
    if (!ready_.empty() || stopping_) {
        timeout = Duration::zero();
    } else if (!timers_.empty() && timers_.next() != TimePoint::max()) {  // max(): never.
        const TimePoint now = time();
        timeout = timers_.next() > now ? timers_.next() - now : Duration::zero();
    }
    if (timeout != Duration::zero() && !fall_asleep()) timeout = Duration::zero();
    platform_.selector->select(timeout);
    take_threadsafe_calls();
    last_poll_ = time();
    timers_.fire_due(last_poll_);
    steps_since_poll_ = 0;
}

// Returns false if calls are waiting already. After it returned true, each call wakes the selector.
bool EventLoop::fall_asleep() {
    const std::lock_guard lock(threadsafe_mutex_);
    return is_asleep_ = threadsafe_calls_.empty() && arrived_calls_.empty();
}

void EventLoop::take_threadsafe_calls() {
    std::vector<Callback> calls;
    {
        const std::lock_guard lock(threadsafe_mutex_);
        is_asleep_ = stopping_;  // A stopped loop may be run again, and a call must wake it then.
        calls.swap(threadsafe_calls_);
    }
    const auto go_first = [this](Callback& callback) {
        // Without a handle, so the loop has the only reference.
        ready_.push_first(*new CallbackRunnable(*this, std::move(callback)));
    };
    const std::size_t limit = ready_.empty() ? kCallsPerPollMax : kFirstCallsMax;
    if (arrived_calls_.empty() && calls.size() <= limit) {
        std::ranges::for_each(calls, go_first);
        return;
    }
    std::ranges::move(calls, std::back_inserter(arrived_calls_));
    for (std::size_t n = std::min(limit, arrived_calls_.size()); n > 0; --n) {
        go_first(arrived_calls_.front());
        arrived_calls_.pop_front();
    }
}

}  // namespace weft::aio
