#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/task/co.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "base/chain.h"

namespace weft::aio {

// Lets a task wait on its own loop for a signal from another thread.
//
// Owned by the waiting task and, until the signal is given, by the other side. The future inside is
// used only on the task's thread.
class LoopSignal {
public:
    LoopSignal() : loop_(EventLoop::running()), given_(create_future()) {}

    Co<> wait() { co_await given_; }

    // Gives the signal, from any thread. REQUIRES: the task still waits, so that its loop is alive.
    static void give(std::shared_ptr<LoopSignal> signal) {
        EventLoop& loop = signal->loop_;
        loop.call_soon_threadsafe([held = std::move(signal)] {
            if (!held->given_.done()) held->given_.set_result();
        });
    }

private:
    EventLoop& loop_;
    Future<> given_;
};

// Carries values from any loop to one loop, in batches: how shards communicate.
//
// Bounded: send() waits while the mailbox is full. Only the sending task waits; its loop runs on.
// That cannot deadlock as long as one rule is kept: *the task that receives never waits for a
// send()*. Then a full mailbox is always emptied by a task that waits only for mail (and its own
// loop's work), so every send() ends, even if shards send to each other in a circle. A receiver
// that has something to send gives it to another task, or uses try_send().
//
// A batch arrives whole, and the batches of one sender arrive in order. The receiver is woken
// through its loop's selector, once for any number of waiting batches. The mailbox must outlive the
// loops that use it.
template <class T>
class Mailbox {
public:
    // The mailbox holds at most `count_max` values, or one larger batch.
    explicit Mailbox(std::size_t count_max) : count_max_(count_max) {}
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // From any loop; waiting senders are served in order. Throws QueueShutDown once the mailbox is
    // closed. If it is cancelled, nothing was sent.
    Co<> send(std::vector<T> batch) {
        if (try_send(batch)) co_return;
        WaitingPost place(*this, batch.size());
        while (!place.try_send(batch)) co_await place.wait();
    }

    // From any thread. Returns false if the mailbox is full or other senders wait; otherwise
    // `batch` is empty afterwards. Throws QueueShutDown.
    bool try_send(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        if (closed_) throw QueueShutDown();
        if (!line_.empty() || !fits(batch.size())) return false;
        store(batch);
        return true;
    }

    // Gives everything that has arrived, at least one value. An empty vector means that the mailbox
    // is closed and empty. Only one task may receive. If it is cancelled, nothing was taken.
    Co<std::vector<T>> receive() {
        for (;;) {
            std::vector<T> batch;
            const bool over = take(batch);
            if (over || !batch.empty()) co_return batch;
            const Registration place(*this, receivers_);
            // A batch may have arrived between take() and the registration.
            if (has_news()) continue;
            co_await place.signal->wait();
        }
    }

    // Ends the mail: senders throw QueueShutDown, the receiver gets the rest. From any thread.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        while (WaitingPost* first = line_.first()) first->let_in();
        give_all(receivers_);
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return values_.size();
    }

private:
    using Signals = std::vector<std::shared_ptr<LoopSignal>>;

    // Adds a signal to a list for the time of a scope.
    struct Registration {
        Registration(Mailbox& owner, Signals& line) : mailbox(owner), signals(line) {
            const std::lock_guard lock(mailbox.mutex_);
            signals.push_back(signal);
        }
        ~Registration() {
            const std::lock_guard lock(mailbox.mutex_);
            std::erase(signals, signal);
        }
        Registration(const Registration&) = delete;
        Registration& operator=(const Registration&) = delete;

        Mailbox& mailbox;
        Signals& signals;
        std::shared_ptr<LoopSignal> signal = std::make_shared<LoopSignal>();
    };

    // A sender's place in the line. When there is room, the first in line is let in, and the room
    // is reserved for it until it has sent or given up. So a woken sender always succeeds, however
    // many wait.
    class WaitingPost : public ChainLink<WaitingPost> {
    public:
        WaitingPost(Mailbox& mailbox, std::size_t count) : mailbox_(mailbox), count_(count) {
            const std::lock_guard lock(mailbox_.mutex_);
            mailbox_.line_.push(*this);
            mailbox_.let_in_those_who_fit();
        }
        ~WaitingPost() {
            const std::lock_guard lock(mailbox_.mutex_);
            if (state_ == State::in_line) mailbox_.line_.remove(*this);
            if (state_ == State::let_in) give_room_back();
            mailbox_.let_in_those_who_fit();
        }
        WaitingPost(const WaitingPost&) = delete;
        WaitingPost& operator=(const WaitingPost&) = delete;

        // Returns true if it was let in and has now sent. Throws QueueShutDown.
        bool try_send(std::vector<T>& batch) {
            const std::lock_guard lock(mailbox_.mutex_);
            if (mailbox_.closed_) throw QueueShutDown();
            if (state_ != State::let_in) return false;
            state_ = State::done;
            give_room_back();
            mailbox_.store(batch);
            return true;
        }

        [[clang::coro_wrapper]] Co<> wait() { return signal_->wait(); }

        // REQUIRES: the caller holds the mutex.
        void let_in() {
            mailbox_.line_.remove(*this);
            state_ = State::let_in;
            mailbox_.reserved_ += count_;
            LoopSignal::give(signal_);
        }
        std::size_t count() const { return count_; }

    private:
        // in_line: waits for room. let_in: room is reserved. done: has sent.
        enum class State { in_line, let_in, done };

        void give_room_back() noexcept {
            WEFT_ASSERT(mailbox_.reserved_ >= count_);
            mailbox_.reserved_ -= count_;
        }

        Mailbox& mailbox_;
        const std::size_t count_;
        const std::shared_ptr<LoopSignal> signal_ = std::make_shared<LoopSignal>();
        State state_ = State::in_line;
    };

    // An empty mailbox takes any batch, even one larger than its bound.
    bool fits(std::size_t count) const {
        const std::size_t taken = values_.size() + reserved_;
        return taken == 0 || taken + count <= count_max_;
    }
    void let_in_those_who_fit() {
        while (!line_.empty() && fits(line_.first()->count())) line_.first()->let_in();
    }
    void store(std::vector<T>& batch) {
        std::ranges::move(batch, std::back_inserter(values_));
        batch.clear();
        give_all(receivers_);
    }
    bool has_news() const {
        const std::lock_guard lock(mutex_);
        return closed_ || !values_.empty();
    }

    // Returns true if the mailbox is closed and empty: nothing will come any more.
    bool take(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        batch.swap(values_);
        let_in_those_who_fit();
        return closed_ && batch.empty();
    }

    // Called under the mutex. A task whose signal is in the list still waits, so its loop is alive.
    static void give_all(Signals& signals) {
        for (std::shared_ptr<LoopSignal>& signal : signals) LoopSignal::give(std::move(signal));
        signals.clear();
    }

    const std::size_t count_max_;
    mutable std::mutex mutex_;
    std::vector<T> values_;
    std::size_t reserved_ = 0;  // Room for senders that were let in.
    Chain<WaitingPost> line_;   // The waiting senders.
    Signals receivers_;
    bool closed_ = false;
};

}  // namespace weft::aio
