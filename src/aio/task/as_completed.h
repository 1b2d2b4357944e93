#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "aio/sync/event.h"
#include "aio/sync/timeout.h"
#include "aio/task/async_generator.h"
#include "aio/task/task.h"

namespace weft::aio {

namespace detail {

// Records in which order a number of futures become done. It listens to those that are pending and
// stops listening when it is destroyed. Lives in the frame of as_completed(), on the loop's thread.
// REQUIRES: the futures outlive it.
class DoneOrder {
public:
    explicit DoneOrder(const std::vector<FutureBase*>& futures) {
        for (std::size_t i = 0; i < futures.size(); ++i) {
            if (futures[i]->done()) {
                done_.push_back(i);
            } else {
                futures[i]->add_listener(listeners_.emplace_back(*this, *futures[i], i));
            }
        }
        if (!done_.empty()) news_.set();
    }
    ~DoneOrder() {
        for (Listener& listener : listeners_) {
            if (!listener.heard) listener.future.remove_listener(listener);
        }
    }
    DoneOrder(const DoneOrder&) = delete;
    DoneOrder& operator=(const DoneOrder&) = delete;

    // Suspends until pop() has an index to return. A cancelled wait changes nothing.
    Event::Wait wait() noexcept { return news_.wait(); }

    // The index of the future that became done first among those not popped yet. REQUIRES: wait()
    // was awaited.
    std::size_t pop() noexcept {
        const std::size_t index = done_.front();
        done_.pop_front();
        if (done_.empty()) news_.clear();
        return index;
    }

private:
    struct Listener final : DoneListener {
        Listener(DoneOrder& the_order, FutureBase& the_future, std::size_t the_index)
            : order(the_order), future(the_future), index(the_index) {}
        void on_done() noexcept override {
            heard = true;
            order.done_.push_back(index);
            order.news_.set();
        }
        DoneOrder& order;
        FutureBase& future;
        std::size_t index;
        bool heard = false;
    };

    std::deque<Listener> listeners_;
    std::deque<std::size_t> done_;
    Event news_;
};

inline Co<> wait_news(DoneOrder& order) {
    co_await order.wait();
}

}  // namespace detail

// Gives each task when it is done, in the order in which they finish: asyncio.as_completed(). With
// a limit, next() throws TimeoutError once that much time has passed since the first next().
//
//     AIO_FOR(Task<Page>& task, as_completed(std::move(tasks))) use(task.result());
//
// If the loop over it is left early or cancelled, the tasks run on; nothing is cancelled.
template <class T>
AsyncGenerator<Task<T>> as_completed(std::vector<Task<T>> tasks,
                                     std::optional<Duration> limit = std::nullopt) {
    std::vector<FutureBase*> futures;
    for (const Task<T>& task : tasks) futures.push_back(task.state());
    detail::DoneOrder order(futures);
    std::optional<TimePoint> until;
    if (limit) until = saturating_add(EventLoop::running().time(), *limit);
    for (std::size_t left = tasks.size(); left > 0; --left) {
        if (until) {
            co_await wait_for(detail::wait_news(order), *until - EventLoop::running().time());
        } else {
            co_await order.wait();
        }
        co_yield tasks[order.pop()];
    }
}

}  // namespace weft::aio
