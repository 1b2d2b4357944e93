#include "aio/task/gather.h"

namespace weft::aio::detail {
namespace {

// Its destructor marks the futures' exceptions as asked for, so that they are not reported as lost.
struct Retrieved {
    const std::vector<FutureBase*>& futures;
    ~Retrieved() {
        for (FutureBase* future : futures) {
            if (future->done() && future->failed() && !future->cancelled()) {
                future->retrieve_exception();
            }
        }
    }
};

// One batch for all, as several of them may wait for the same task.
void cancel_all(const std::vector<FutureBase*>& futures) noexcept {
    CancelBatch batch;
    for (FutureBase* future : futures) {
        if (TaskBase* task = future->as_task()) {
            batch.cancel(*task);
        } else {
            future->cancel();
        }
    }
}

enum class OnFailure : std::uint8_t { end_the_rest, go_on };

// Waits until all futures are done. Each request to cancel the waiting task is passed on to them at
// once, as in asyncio, so that a second request can end a clean-up that hangs. REQUIRES: every
// future is still pending.
class AllDone final : public Waiter {
public:
    AllDone(const std::vector<FutureBase*>& futures, OnFailure on_failure)
        : futures_(futures), on_failure_(on_failure) {
        listeners_.reserve(futures.size());
        for (FutureBase* future : futures) {
            future->add_listener(listeners_.emplace_back(*this, *future));
        }
        pending_ = futures.size();
    }

    bool await_ready() const noexcept { return pending_ == 0; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        suspend(caller);
    }
    // The future that failed first, or nullptr.
    FutureBase* await_resume() {
        check();
        return first_failed_;
    }

    bool cancel() noexcept override {
        if (pending_ == 0) return false;
        mark_cancelled();
        // One of the futures may wait for this very task: the request would come back here.
        if (!std::exchange(is_passing_on_, true)) {
            cancel_all(futures_);
            is_passing_on_ = false;
        }
        return true;
    }

private:
    struct Listener final : DoneListener {
        Listener(AllDone& the_wait, FutureBase& the_future) : wait(&the_wait), future(the_future) {}
        void on_done() noexcept override { wait->note(future); }
        AllDone* wait;
        FutureBase& future;
    };

    void note(FutureBase& future) noexcept {
        --pending_;
        if (future.failed() && !first_failed_) {
            first_failed_ = &future;
            if (on_failure_ == OnFailure::end_the_rest) cancel_all(futures_);
        }
        // cancel_all() above may have finished the last future and woken the task already.
        if (pending_ == 0 && !std::exchange(is_woken_, true)) wake();
    }

    const std::vector<FutureBase*>& futures_;
    std::vector<Listener> listeners_;
    FutureBase* first_failed_ = nullptr;
    std::size_t pending_ = 0;
    OnFailure on_failure_;
    bool is_passing_on_ = false;
    bool is_woken_ = false;
};

}  // namespace

Co<FutureBase*> join_all(std::vector<FutureBase*> futures) {
    const Retrieved retrieved{futures};
    AllDone all_done(futures, OnFailure::end_the_rest);
    co_return co_await all_done;
}

Co<> end_all(std::vector<FutureBase*> futures) {
    const Retrieved retrieved{futures};
    AllDone all_done(futures, OnFailure::go_on);
    co_await all_done;
}

}  // namespace weft::aio::detail
