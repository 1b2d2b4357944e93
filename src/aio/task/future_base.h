#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include "aio/task/task_base.h"
#include "base/chain.h"

namespace weft::aio {

// A waiter of a Future: a suspended task or a callback. It is linked into the future's list and
// must live until on_done() or remove_listener().
class DoneListener : public ChainLink<DoneListener> {
public:
    // Called when the future is done; the listener is unlinked by then. It may only schedule work,
    // and never runs user code.
    virtual void on_done() noexcept = 0;

protected:
    ~DoneListener() = default;
};

using CallbackId = std::uint64_t;

class FutureBase;

// Throws InvalidStateError if `awaited` is the future of the task that is about to await it.
void require_other(TaskBase& waiting, const FutureBase& awaited);

// The untyped part of Future<T> and Task<T>: state and listeners. Reference-counted by its handles,
// on one loop's thread. It leaves the pending state once.
class FutureBase {
public:
    FutureBase(const FutureBase&) = delete;
    FutureBase& operator=(const FutureBase&) = delete;

    bool done() const { return state_ != State::pending; }
    bool cancelled() const { return state_ == State::cancelled; }

    // Whether it is done and awaiting it would throw.
    bool failed() const noexcept { return cancelled() || (done() && has_exception()); }

    // Returns the exception and marks it as asked for. REQUIRES: failed() && !cancelled().
    virtual std::exception_ptr retrieve_exception() noexcept = 0;

    // The task whose future this is; nullptr for a plain future.
    virtual TaskBase* as_task() noexcept { return nullptr; }

    // Cancels a plain future at once; for a task, requests the cancellation of its coroutine.
    // Returns false if it is done already.
    virtual bool cancel() noexcept;

    // The loop calls `callback` (by call_soon) after the future is done, also if it is done
    // already.
    CallbackId add_done_callback(std::move_only_function<void()> callback);
    bool remove_done_callback(CallbackId id);

    // Listeners hear in the order in which they were added. REQUIRES: !done().
    void add_listener(DoneListener& listener) noexcept {
        WEFT_ASSERT(!done());
        listeners_.push(listener);
    }
    void remove_listener(DoneListener& listener) noexcept { listeners_.remove(listener); }

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

    // The exception to report when the last handle is destroyed and the exception was never asked
    // for.
    virtual std::exception_ptr unretrieved_exception() noexcept { return nullptr; }

private:
    enum class State : std::uint8_t { pending, finished, cancelled };

    void end(State state) noexcept;
    void destroy() noexcept;

    EventLoop* loop_;
    Chain<DoneListener> listeners_;
    std::uint32_t references_ = 1;
    State state_ = State::pending;
};

}  // namespace weft::aio
