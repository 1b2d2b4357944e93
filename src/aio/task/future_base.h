#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include "aio/task/task_base.h"

namespace weft::aio {

// One who waits for a Future: a suspended task or a callback. Linked into the future's list.
class DoneListener {
public:
    // The future is done and the listener unlinked. Only schedules; never runs user code.
    virtual void on_done() noexcept = 0;

protected:
    ~DoneListener() = default;

private:
    friend class FutureBase;
    DoneListener* previous_ = nullptr;
    DoneListener* next_ = nullptr;
};

using CallbackId = std::uint64_t;

class FutureBase;

// Throws InvalidStateError if `awaited` is the future of the task that is about to await it.
void require_other(TaskBase& waiting, const FutureBase& awaited);

// The untyped part of Future<T> and Task<T>: state, exception, listeners. Reference-counted by its
// handles, on one loop's thread.
class FutureBase {
public:
    FutureBase(const FutureBase&) = delete;
    FutureBase& operator=(const FutureBase&) = delete;

    bool done() const { return state_ != State::pending; }
    bool cancelled() const { return state_ == State::cancelled; }

    // Done, and awaiting it throws.
    bool failed() const noexcept { return cancelled() || (done() && has_exception()); }

    // The exception of a future that failed() and was not cancelled; it counts as asked for.
    virtual std::exception_ptr retrieve_exception() noexcept = 0;

    // The task whose future this is; nullptr of a plain one.
    virtual TaskBase* as_task() noexcept { return nullptr; }

    // A plain future becomes cancelled; a task's coroutine is told to stop. False if done already.
    virtual bool cancel() noexcept;

    // Called through the loop (call_soon) once the future is done; at once scheduled if it is.
    CallbackId add_done_callback(std::move_only_function<void()> callback);
    bool remove_done_callback(CallbackId id);

    void add_listener(DoneListener& listener) noexcept;
    void remove_listener(DoneListener& listener) noexcept;

    EventLoop& loop() const { return *loop_; }
    bool is_shared() const { return references_ > 1; }  // There are other handles.
    void retain() noexcept { ++references_; }
    void release() noexcept {
        if (--references_ == 0) destroy();
    }

protected:
    explicit FutureBase(EventLoop& loop) noexcept : loop_(&loop) {}
    virtual ~FutureBase();

    // REQUIRES: !done()
    void finish() noexcept { end(State::finished); }
    void finish_cancelled() noexcept { end(State::cancelled); }

    void require_pending() const;  // Throws InvalidStateError.
    void require_done() const;     // Throws InvalidStateError; CancelledError if cancelled.
    [[noreturn]] static void throw_taken();

    virtual bool has_exception() const noexcept = 0;

    // For the report of an exception that nobody asked for, when the last handle goes.
    virtual std::exception_ptr unretrieved_exception() noexcept { return nullptr; }

private:
    enum class State : std::uint8_t { pending, finished, cancelled };

    void end(State state) noexcept;
    void destroy() noexcept;

    EventLoop* loop_;
    DoneListener* first_ = nullptr;
    DoneListener* last_ = nullptr;
    std::uint32_t references_ = 1;
    State state_ = State::pending;
};

}  // namespace weft::aio
