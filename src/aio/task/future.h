#pragma once

#include <type_traits>
#include <utility>

#include "aio/task/future_base.h"
#include "aio/task/promise.h"

namespace weft::aio {

// The shared state behind Future<T>: the value or exception, and whether it was asked for. Owned by
// the handles, on the loop's thread.
template <class T>
class FutureState : public FutureBase {
public:
    explicit FutureState(EventLoop& loop) noexcept : FutureBase(loop) {}

    template <class... U>
    void set_result(U&&... value) {
        require_pending();
        cell_.set_value(std::forward<U>(value)...);
        finish();
    }
    void set_exception(std::exception_ptr exception) {
        require_pending();
        cell_.set_exception(std::move(exception));
        finish();
    }

    // Copies the value. A value that cannot be copied is moved out, once.
    T get() {
        require_there();
        if constexpr (kMovesOut && !std::is_copy_constructible_v<T>) taken_ = cell_.has_value();
        return cell_.get();
    }
    // Moves the value out, once.
    T take() {
        require_there();
        if constexpr (kMovesOut) taken_ = cell_.has_value();
        return cell_.take();
    }
    std::exception_ptr exception() {
        this->require_done();
        retrieved_ = true;
        return cell_.has_exception() ? cell_.exception() : nullptr;
    }

    std::exception_ptr retrieve_exception() noexcept override {
        retrieved_ = true;
        return cell_.exception();
    }

protected:
    bool has_exception() const noexcept override { return cell_.has_exception(); }

    std::exception_ptr unretrieved_exception() noexcept override {
        return cell_.has_exception() && !retrieved_ ? cell_.exception() : nullptr;
    }

    ResultCell<T> cell_;
    bool retrieved_ = false;

private:
    static constexpr bool kMovesOut = !std::is_void_v<T> && !std::is_reference_v<T>;

    // Notes that the result was asked for, so that an exception is not reported as lost.
    void require_there() {
        this->require_done();
        retrieved_ = true;
        if (taken_) throw_taken();
    }

    bool taken_ = false;
};

// An eventual result, shared by a producer and any number of waiters, as in asyncio. Future is a
// handle; copies share one state. It is used only on its loop's thread; other threads complete it
// through call_soon_threadsafe().
//
// Awaiting gives the value or throws the exception: at once if the future is done, otherwise the
// task is suspended until it is. Cancelling a task that awaits a plain future cancels the future,
// as in asyncio; shield() prevents that. The awaited value is copied; if the last handle is awaited
// as an rvalue, it is moved out. A value that cannot be copied is moved out the first time, and
// every later request throws InvalidStateError. A task that awaits itself gets InvalidStateError
// too.
//
// The loop resumes the waiters in the round after the result is set, in the order in which they
// began to wait. A handle may outlive the loop; then it may only be asked for its result or
// destroyed.
template <class T = void>
class [[nodiscard("a future gives its result only if it is awaited: co_await it")]] Future {
public:
    using value_type = T;

    Future() = default;  // Empty: only assignment and destruction are allowed.
    explicit Future(FutureState<T>* state) noexcept : state_(state) {}  // Takes over one reference.
    Future(const Future& other) noexcept : state_(other.state_) {
        if (state_) state_->retain();
    }
    Future(Future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    Future& operator=(Future other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~Future() {
        if (state_) state_->release();
    }

    explicit operator bool() const { return state_ != nullptr; }
    bool done() const { return state_->done(); }
    bool cancelled() const { return state_->cancelled(); }
    bool cancel() const noexcept { return state_->cancel(); }

    // Throws InvalidStateError if it is not done, CancelledError if it was cancelled; otherwise
    // returns the value or throws the exception.
    T result() const { return state_->get(); }
    std::exception_ptr exception() const { return state_->exception(); }

    // Throws InvalidStateError if it is done already.
    template <class... U>
    void set_result(U&&... value) const {
        state_->set_result(std::forward<U>(value)...);
    }
    void set_exception(std::exception_ptr exception) const {
        state_->set_exception(std::move(exception));
    }

    CallbackId add_done_callback(std::move_only_function<void()> callback) const {
        return state_->add_done_callback(std::move(callback));
    }
    bool remove_done_callback(CallbackId id) const { return state_->remove_done_callback(id); }

    FutureState<T>* state() const { return state_; }

    class Awaiter;
    Awaiter operator co_await() const&;
    Awaiter operator co_await() &&;

protected:
    FutureState<T>* state_ = nullptr;
};

// Holds a handle, so the state lives while a task waits for it.
template <class T>
class Future<T>::Awaiter final : public Waiter, public DoneListener {
public:
    Awaiter(Future future, bool moves) noexcept : future_(std::move(future)), moves_(moves) {}

    bool await_ready() const noexcept { return future_.done(); }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
        require_other(*caller.promise().task(), *future_.state());
        future_.state()->add_listener(*this);
        suspend(caller);
    }
    T await_resume() {
        check();
        const bool moves = moves_ && !future_.state()->is_shared();
        return moves ? future_.state()->take() : future_.state()->get();
    }

    void on_done() noexcept override { wake(); }
    bool cancel() noexcept override {
        // A plain future takes the cancellation itself and wakes its listeners, this one included.
        // A task is only left here to break a circle of tasks that await each other (see
        // CancelBatch).
        if (!awaited_task()) return future_.cancel();
        if (future_.done()) return false;
        future_.state()->remove_listener(*this);
        mark_cancelled();
        wake();
        return true;
    }
    TaskBase* awaited_task() noexcept override { return future_.state()->as_task(); }

private:
    Future future_;
    bool moves_;
};

template <class T>
Future<T>::Awaiter Future<T>::operator co_await() const& {
    return Awaiter(*this, false);
}

template <class T>
Future<T>::Awaiter Future<T>::operator co_await() && {
    return Awaiter(std::move(*this), true);
}

}  // namespace weft::aio
