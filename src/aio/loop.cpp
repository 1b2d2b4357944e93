#include "aio/loop.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aio/debug.h"
#include "aio/frame_pool.h"
#include "aio/network.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/log.h"

namespace weft::aio {
namespace {

// tidy: allow shared-state: which loop a thread runs; set and reset by the loop itself.
thread_local EventLoop* running_loop = nullptr;

// Makes a loop the running one of this thread, for a scope.
class RunningScope {
public:
    explicit RunningScope(EventLoop& loop) : outer_(std::exchange(running_loop, &loop)) {}
    ~RunningScope() { running_loop = outer_; }
    RunningScope(const RunningScope&) = delete;
    RunningScope& operator=(const RunningScope&) = delete;

private:
    EventLoop* outer_;
};

void refuse_nested_run() {
    if (!running_loop) return;
    misuse("a loop was started inside a running loop: co_await the coroutine instead of run()");
}

constexpr unsigned kStepsPerPoll = 64;
constexpr unsigned kStepsPerClockReading = 8;
constexpr Duration kPollInterval = 1ms;

}  // namespace

NoRunningLoop::NoRunningLoop()
    : Error(
          "there is no running loop on this thread: call this from a coroutine that aio::run() "
          "or a task runs") {}

// A callback in the ready queue or behind a timer. Owned by its handles and by the loop while it is
// queued.
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
    std::uint32_t references_ = 1;  // The loop's.
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

EventLoop::EventLoop(Platform platform) : platform_(platform), debug_(debug_by_default()) {}

EventLoop::~EventLoop() {
    WEFT_ASSERT(task_count_ == 0);
    while (!ready_.empty()) ready_.pop().run();
    timers_.abandon_all();
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

Handle EventLoop::call_soon(Callback callback) {
    auto* runnable = new CallbackRunnable(*this, std::move(callback));
    Handle handle(runnable);
    ready_.push(*runnable);
    return handle;
}

Handle EventLoop::call_at(TimePoint when, Callback callback) {
    auto* runnable = new CallbackRunnable(*this, std::move(callback));
    Handle handle(runnable);
    arm(*runnable, when);
    return handle;
}

Handle EventLoop::call_later(Duration delay, Callback callback) {
    return call_at(time() + delay, std::move(callback));
}

// A loop that does not wait finds the call by itself: between two busy loops no system call is
// made. Under the lock, so that the loop cannot take the call, run it and be gone before it was
// woken.
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
               expected_calls_ > 0;
    };
    while (!stopping_ && has_work()) run_once();
}

void EventLoop::shutdown() {
    const RunningScope scope(*this);
    std::vector<TaskBase*> tasks = all_tasks();
    for (TaskBase* task : tasks) task->future().retain();
    for (TaskBase* task : tasks) {
        if (!task->spared_) task->cancel();
    }
    while (task_count_ > 0 || expected_calls_ > 0) run_once();
    if (platform_.network) platform_.network->on_shutdown();
    while (!ready_.empty()) run_once();
    for (TaskBase* task : tasks) task->future().release();
}

std::vector<TaskBase*> EventLoop::all_tasks() const {
    std::vector<TaskBase*> tasks;
    for (TaskBase* task = first_task_; task; task = task->next_task_) tasks.push_back(task);
    return tasks;
}

void EventLoop::report_exception(const std::string& what, std::exception_ptr exception) noexcept {
    if (on_exception_) {
        on_exception_(what, std::move(exception));
    } else {
        log(LogLevel::error, "{}: {}", what, escape_for_terminal(describe(exception)));
    }
}

void EventLoop::watch(int fd, Interest interest, IoHandler& handler) {
    platform_.selector->add(fd, interest, handler);
    ++watch_count_;
}

void EventLoop::unwatch(int fd) noexcept {
    platform_.selector->remove(fd);
    --watch_count_;
}

void EventLoop::adopt(TaskBase& task, bool eager) {
    task.future().retain();
    task.id_ = ++task_id_;
    task.previous_task_ = last_task_;
    (last_task_ ? last_task_->next_task_ : first_task_) = &task;
    last_task_ = &task;
    ++task_count_;
    if (current_ && current_->extras_ && current_->extras_->locals) {
        task.extras().locals = current_->extras_->locals;
    }
    task.goes_first_ = current_ && current_->goes_first_;
    if (eager) {
        task.run();
    } else if (task.goes_first_) {
        ready_.push_first(task);
    } else {
        ready_.push(task);
    }
}

void EventLoop::forget(TaskBase& task) noexcept {
    (task.previous_task_ ? task.previous_task_->next_task_ : first_task_) = task.next_task_;
    (task.next_task_ ? task.next_task_->previous_task_ : last_task_) = task.previous_task_;
    --task_count_;
    task.future().release();
}

void EventLoop::run_once() {
    if (ready_.empty() || is_poll_due()) poll();
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
    } else if (!timers_.empty()) {
        timeout = std::max(Duration::zero(), timers_.next() - time());
    }
    if (timeout != Duration::zero() && !fall_asleep()) timeout = Duration::zero();
    platform_.selector->select(timeout);
    take_threadsafe_calls();
    last_poll_ = time();
    timers_.fire_due(last_poll_);
    steps_since_poll_ = 0;
}

// False if there are calls already. From here on each call wakes the selector.
bool EventLoop::fall_asleep() {
    const std::lock_guard lock(threadsafe_mutex_);
    return is_asleep_ = threadsafe_calls_.empty();
}

void EventLoop::take_threadsafe_calls() {
    std::vector<Callback> calls;
    {
        const std::lock_guard lock(threadsafe_mutex_);
        is_asleep_ = stopping_;  // For whoever runs it again.
        calls.swap(threadsafe_calls_);
    }
    for (Callback& callback : calls) {
        auto* const runnable = new CallbackRunnable(*this, std::move(callback));
        ready_.push_first(*runnable);
    }
}

}  // namespace weft::aio
