#include "aio/task/future_base.h"

#include "aio/loop/loop.h"
#include "base/escape.h"
#include "base/log.h"

namespace weft::aio {
namespace {

// A done callback. Owned by the future's list; deletes itself when it has been scheduled.
class CallbackListener final : public DoneListener {
public:
    CallbackListener(EventLoop& loop, Callback callback, CallbackId id)
        : loop_(loop), callback_(std::move(callback)), id_(id) {}

    void on_done() noexcept override {
        loop_.call_soon(std::move(callback_));
        delete this;
    }

    CallbackId id() const { return id_; }

private:
    EventLoop& loop_;
    Callback callback_;
    CallbackId id_;
};

}  // namespace

void require_other(TaskBase& waiting, const FutureBase& awaited) {
    if (&waiting.future() != &awaited) return;
    throw InvalidStateError("a task awaits itself: it would wait for ever");
}

bool FutureBase::cancel() noexcept {
    if (done()) return false;
    finish_cancelled();
    return true;
}

CallbackId FutureBase::add_done_callback(Callback callback) {
    // tidy: allow shared-state: only counts.
    static thread_local CallbackId last_id = 0;
    auto* listener = new CallbackListener(*loop_, std::move(callback), ++last_id);
    if (done()) {
        listener->on_done();
    } else {
        add_listener(*listener);
    }
    return last_id;
}

bool FutureBase::remove_done_callback(CallbackId id) {
    for (DoneListener* listener = listeners_.first(); listener;
         listener = listeners_.next(*listener)) {
        // The list also holds suspended tasks.
        auto* callback = dynamic_cast<CallbackListener*>(listener);
        if (!callback || callback->id() != id) continue;
        remove_listener(*callback);
        delete callback;
        return true;
    }
    return false;
}

FutureBase::~FutureBase() {
    // Only callbacks are left, as a suspended task holds a reference.
    while (DoneListener* left = listeners_.pop()) delete static_cast<CallbackListener*>(left);
}

void FutureBase::require_pending() const {
    if (done()) throw InvalidStateError("the future has its result already");
}

void FutureBase::require_done() const {
    if (!done()) throw InvalidStateError("the future has no result yet: await it");
    if (cancelled()) throw CancelledError();
}

void FutureBase::throw_taken() {
    throw InvalidStateError(
        "the result was given away already, and cannot be copied: ask for it once");
}

void FutureBase::end(State state) noexcept {
    WEFT_ASSERT(!done());
    state_ = state;
    // A listener may remove others from the list, so each round starts at the head.
    while (DoneListener* listener = listeners_.pop()) listener->on_done();
}

void FutureBase::destroy() noexcept {
    if (std::exception_ptr exception = unretrieved_exception()) {
        // A handle may outlive its loop. Only the running loop is known to be alive.
        const bool loop_lives = EventLoop::running_or_null() == loop_;
        constexpr auto what = "an exception was never retrieved";
        if (loop_lives) {
            loop_->report_exception(what, std::move(exception));
        } else {
            log(LogLevel::error, "{}: {}", what, escape_for_terminal(describe(exception)));
        }
    }
    delete this;
}

}  // namespace weft::aio
