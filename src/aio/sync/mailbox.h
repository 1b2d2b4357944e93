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

namespace weft::aio {

// A task that waits on its own loop for a word from another thread.
//
// Held by its task and, until given, by whoever gives the word; the future inside is touched on the
// task's thread only.
class LoopSignal {
public:
    LoopSignal() : loop_(EventLoop::running()), given_(create_future()) {}

    Co<> wait() { co_await given_; }

    // From any thread, while the task still waits: so its loop lives. Ends `signal`.
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

// Carries values from any loops to one loop, in batches: the way between shards.
//
// Bounded: send() waits while the mailbox holds too much. It waits as a task, so its loop runs on.
// That cannot deadlock as long as one rule is kept: *the task that receives never waits for a
// send()*. Then a full mailbox is emptied by a task that waits for nothing but mail (and its own
// loop's work), so every send() ends, whatever circle of shards sends to each other at once. A
// receiver with something to send gives it to another task, or uses try_send().
//
// A batch of one sender arrives whole and in order. The receiver is woken through its loop's
// selector, once however many batches wait. Outlives the loops that use it.
template <class T>
class Mailbox {
public:
    // Holds `count_max` values, or a single larger batch.
    explicit Mailbox(std::size_t count_max) : count_max_(count_max) {}
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // From any loop, first come, first served. Throws QueueShutDown once closed. Cancelled, nothing
    // was sent.
    Co<> send(std::vector<T> batch) {
        if (try_send(batch)) co_return;
        Place place(*this, batch.size());
        while (!place.try_send(batch)) co_await place.wait();
    }

    // From any thread. False if it is full, or others wait to send; else `batch` is empty after.
    // Throws QueueShutDown.
    bool try_send(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        if (closed_) throw QueueShutDown();
        if (first_ || !fits(batch.size())) return false;
        store(batch);
        return true;
    }

    // All that is there, at least one value; nothing once the mailbox is closed and empty. For one
    // task of one loop. Cancelled, nothing was taken.
    Co<std::vector<T>> receive() {
        for (;;) {
            std::vector<T> batch;
            const bool over = take(batch);
            if (over || !batch.empty()) co_return batch;
            const Registration place(*this, receivers_);
            if (has_news()) continue;
            co_await place.signal->wait();
        }
    }

    // No more mail: senders throw, the receiver gets the rest. From any thread.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        while (first_) first_->let_in();
        give_all(receivers_);
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return values_.size();
    }

private:
    using Signals = std::vector<std::shared_ptr<LoopSignal>>;

    // A place among those who wait, for a scope.
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

    // A sender's place in the line. The first in line is let in when there is room, which is kept
    // for it until it has sent or gone: so a wake is never in vain, however many wait.
    class Place {
    public:
        Place(Mailbox& mailbox, std::size_t count) : mailbox_(mailbox), count_(count) {
            const std::lock_guard lock(mailbox_.mutex_);
            previous_ = mailbox_.last_;
            (previous_ ? previous_->next_ : mailbox_.first_) = this;
            mailbox_.last_ = this;
            mailbox_.let_in_those_who_fit();
        }
        ~Place() {
            const std::lock_guard lock(mailbox_.mutex_);
            if (state_ == State::in_line) leave_line();
            if (state_ == State::let_in) mailbox_.reserved_ -= count_;
            mailbox_.let_in_those_who_fit();
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        // True if it was let in and has sent. Throws QueueShutDown.
        bool try_send(std::vector<T>& batch) {
            const std::lock_guard lock(mailbox_.mutex_);
            if (mailbox_.closed_) throw QueueShutDown();
            if (state_ != State::let_in) return false;
            state_ = State::done;
            mailbox_.reserved_ -= count_;
            mailbox_.store(batch);
            return true;
        }

        [[clang::coro_wrapper]] Co<> wait() { return signal_->wait(); }

        // Under the lock.
        void let_in() {
            leave_line();
            state_ = State::let_in;
            mailbox_.reserved_ += count_;
            LoopSignal::give(signal_);
        }
        std::size_t count() const { return count_; }

    private:
        enum class State { in_line, let_in, done };

        void leave_line() noexcept {
            (previous_ ? previous_->next_ : mailbox_.first_) = next_;
            (next_ ? next_->previous_ : mailbox_.last_) = previous_;
        }

        Mailbox& mailbox_;
        const std::size_t count_;
        const std::shared_ptr<LoopSignal> signal_ = std::make_shared<LoopSignal>();
        State state_ = State::in_line;
        Place* previous_ = nullptr;
        Place* next_ = nullptr;
    };

    bool fits(std::size_t count) const {
        const std::size_t taken = values_.size() + reserved_;
        return taken == 0 || taken + count <= count_max_;
    }
    void let_in_those_who_fit() {
        while (first_ && fits(first_->count())) first_->let_in();
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

    // True when nothing will ever come.
    bool take(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        batch.swap(values_);
        let_in_those_who_fit();
        return closed_ && batch.empty();
    }

    // Under the lock: who is in the line still waits, so its loop lives.
    static void give_all(Signals& signals) {
        for (std::shared_ptr<LoopSignal>& signal : signals) LoopSignal::give(std::move(signal));
        signals.clear();
    }

    const std::size_t count_max_;
    mutable std::mutex mutex_;
    std::vector<T> values_;
    std::size_t reserved_ = 0;  // For senders that were let in.
    Place* first_ = nullptr;    // Of the line of senders.
    Place* last_ = nullptr;
    Signals receivers_;
    bool closed_ = false;
};

}  // namespace weft::aio
