#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "aio/sync/event.h"
#include "aio/sync/waiter_list.h"
#include "aio/task/errors.h"
#include "base/assert.h"

namespace weft::aio {

// First in, first out.
template <class T>
class FifoStorage {
public:
    std::size_t size() const { return items_.size(); }
    void push(T item) { items_.push_back(std::move(item)); }
    T pop() {
        T item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

private:
    std::deque<T> items_;
};

// Last in, first out.
template <class T>
class LifoStorage {
public:
    std::size_t size() const { return items_.size(); }
    void push(T item) { items_.push_back(std::move(item)); }
    T pop() {
        T item = std::move(items_.back());
        items_.pop_back();
        return item;
    }

private:
    std::vector<T> items_;
};

// The smallest item first, by `Less`.
template <class T, class Less>
class PriorityStorage {
public:
    std::size_t size() const { return items_.size(); }
    void push(T item) {
        items_.push_back(std::move(item));
        std::ranges::push_heap(items_, is_later);
    }
    T pop() {
        std::ranges::pop_heap(items_, is_later);
        T item = std::move(items_.back());
        items_.pop_back();
        return item;
    }

private:
    static bool is_later(const T& a, const T& b) { return Less()(b, a); }
    std::vector<T> items_;
};

// Passes items from tasks to tasks, like asyncio.Queue. With a maximum size, put() waits while the
// queue is full. join() waits until task_done() was called for every item that was put.
//
// Waiting is first come, first served and allocates nothing. A woken getter has an item reserved
// for it, a woken putter a place; the loop resumes it in its next round. If it is cancelled before
// it runs, the next in line gets the reservation. So a cancelled get() loses no item, and a
// cancelled put() has put nothing. The queue must outlive its waiters; all on one loop's thread.
template <class T, class Storage>
class BasicQueue {
public:
    // `size_max` 0: no limit.
    explicit BasicQueue(std::size_t size_max = 0) : size_max_(size_max) { all_done_.set(); }
    BasicQueue(const BasicQueue&) = delete;
    BasicQueue& operator=(const BasicQueue&) = delete;

    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.size() == 0; }
    bool full() const { return size_max_ > 0 && items_.size() >= size_max_; }

    class GetAwaiter;
    class PutAwaiter;
    struct [[nodiscard("an item is got only with co_await")]] Get {
        BasicQueue& queue;
        GetAwaiter operator co_await() const noexcept { return GetAwaiter(queue); }
    };
    struct [[nodiscard("an item is put only with co_await")]] Put {
        BasicQueue& queue;
        T item;
        PutAwaiter operator co_await() && noexcept { return PutAwaiter(queue, std::move(item)); }
    };

    // Awaiting it gives the next item. Throws QueueShutDown once the queue is shut down and empty.
    Get get() noexcept { return {*this}; }

    // Awaiting it waits for a free place and puts the item. Throws QueueShutDown.
    Put put(T item) { return {*this, std::move(item)}; }

    T get_nowait() {
        if (!has_free_item()) {
            if (shut_down_) throw QueueShutDown();
            throw QueueEmpty();
        }
        return take();
    }

    void put_nowait(T item) {
        if (shut_down_) throw QueueShutDown();
        if (!has_free_place()) throw QueueFull();
        store(std::move(item));
    }

    // Marks one item from the queue as done. Throws InvalidStateError if it is called too often.
    void task_done() {
        if (unfinished_ == 0) throw InvalidStateError("task_done() was called too often");
        if (--unfinished_ == 0) all_done_.set();
    }

    // Waits until every item that was put is marked as done. The queue can be used again
    // afterwards.
    Event::Wait join() noexcept { return all_done_.wait(); }

    // Forbids further puts. Getters still get the items that are there, then QueueShutDown. With
    // `immediately` the items are dropped and count as done.
    void shutdown(bool immediately = false) {
        shut_down_ = true;
        if (immediately) {
            // Drops the items reserved for getters that have not run yet too, as asyncio does.
            while (items_.size() > 0) {
                items_.pop();
                if (unfinished_ > 0) task_done();
            }
        }
        if (!has_free_item()) getters_.wake_all();
        putters_.wake_all();
    }

private:
    static void give_back(std::size_t& reserved) noexcept {
        WEFT_ASSERT(reserved > 0);
        --reserved;
    }
    bool has_free_item() const { return items_.size() > reserved_items_; }
    bool has_free_place() const {
        return size_max_ == 0 || items_.size() + reserved_places_ < size_max_;
    }

    void store(T item) {
        items_.push(std::move(item));
        WEFT_ASSERT(size_max_ == 0 || items_.size() + reserved_places_ <= size_max_);
        ++unfinished_;
        all_done_.clear();
        offer_item();
    }

    T take() {
        T item = items_.pop();
        offer_place();
        return item;
    }

    // Reserves the free item (or place) for the first in line and wakes it.
    void offer_item() noexcept {
        if (!has_free_item()) return;
        if (auto* getter = static_cast<GetAwaiter*>(getters_.pop())) {
            ++reserved_items_;
            getter->accept();
        }
    }
    void offer_place() noexcept {
        if (shut_down_ || !has_free_place()) return;
        if (auto* putter = static_cast<PutAwaiter*>(putters_.pop())) {
            ++reserved_places_;
            putter->accept();
        }
    }

    Storage items_;
    WaiterList getters_;
    WaiterList putters_;
    Event all_done_;
    std::size_t size_max_;
    std::size_t unfinished_ = 0;
    std::size_t reserved_items_ = 0;   // For getters that were woken and have not run yet.
    std::size_t reserved_places_ = 0;  // For putters that were woken and have not run yet.
    bool shut_down_ = false;
};

template <class T, class Storage>
class BasicQueue<T, Storage>::GetAwaiter final : public LinedWaiter {
public:
    explicit GetAwaiter(BasicQueue& queue) noexcept : queue_(queue) {}

    bool await_ready() const noexcept { return queue_.has_free_item() || queue_.shut_down_; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        queue_.getters_.push(*this);
        suspend(caller);
    }
    T await_resume() {
        if (has_reservation_) give_back(queue_.reserved_items_);
        if (take_cancellation()) {
            queue_.offer_item();
            throw CancelledError();
        }
        return queue_.get_nowait();
    }

    void accept() noexcept {
        has_reservation_ = true;
        wake();
    }
    bool cancel() noexcept override {
        queue_.getters_.remove(*this);
        mark_cancelled();
        wake();
        return true;
    }

private:
    BasicQueue& queue_;
    bool has_reservation_ = false;
};

template <class T, class Storage>
class BasicQueue<T, Storage>::PutAwaiter final : public LinedWaiter {
public:
    PutAwaiter(BasicQueue& queue, T item) noexcept : queue_(queue), item_(std::move(item)) {}

    bool await_ready() const noexcept { return queue_.has_free_place() || queue_.shut_down_; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        queue_.putters_.push(*this);
        suspend(caller);
    }
    void await_resume() {
        if (has_reservation_) give_back(queue_.reserved_places_);
        if (take_cancellation()) {
            queue_.offer_place();
            throw CancelledError();
        }
        queue_.put_nowait(std::move(item_));
    }

    void accept() noexcept {
        has_reservation_ = true;
        wake();
    }
    bool cancel() noexcept override {
        queue_.putters_.remove(*this);
        mark_cancelled();
        wake();
        return true;
    }

private:
    BasicQueue& queue_;
    T item_;
    bool has_reservation_ = false;
};

template <class T>
using Queue = BasicQueue<T, FifoStorage<T>>;
template <class T>
using LifoQueue = BasicQueue<T, LifoStorage<T>>;
template <class T, class Less = std::less<T>>
using PriorityQueue = BasicQueue<T, PriorityStorage<T, Less>>;

}  // namespace weft::aio
