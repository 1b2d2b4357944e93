#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "aio/co.h"
#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/task.h"

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

    // From any loop. Throws QueueShutDown once closed. Cancelled, nothing was sent.
    Co<> send(std::vector<T> batch) {
        while (!try_send(batch)) {
            const Registration place(*this, senders_);
            if (has_room_now(batch.size())) continue;
            co_await place.signal->wait();
        }
    }

    // From any thread. False if it is full; else `batch` is empty after. Throws QueueShutDown.
    bool try_send(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        if (closed_) throw QueueShutDown();
        if (!fits(batch.size())) return false;
        std::ranges::move(batch, std::back_inserter(values_));
        batch.clear();
        give_all(receivers_);
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
        give_all(senders_);
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

    bool fits(std::size_t count) const {
        return values_.empty() || values_.size() + count <= count_max_;
    }
    bool has_room_now(std::size_t count) const {
        const std::lock_guard lock(mutex_);
        return closed_ || fits(count);
    }
    bool has_news() const {
        const std::lock_guard lock(mutex_);
        return closed_ || !values_.empty();
    }

    // True when nothing will ever come.
    bool take(std::vector<T>& batch) {
        const std::lock_guard lock(mutex_);
        batch.swap(values_);
        give_all(senders_);
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
    Signals senders_;
    Signals receivers_;
    bool closed_ = false;
};

}  // namespace weft::aio
