#include "aio/wait.h"

#include <algorithm>

#include "aio/event.h"
#include "aio/timeout.h"

namespace weft::aio {
namespace {

// Listens to many futures and opens when enough are done.
class Gate {
public:
    Gate(std::span<FutureBase* const> futures, ReturnWhen when) : when_(when) {
        listeners_.reserve(futures.size());
        for (FutureBase* future : futures) {
            if (future->done()) {
                note(*future);
            } else {
                ++pending_;
                future->add_listener(listeners_.emplace_back(*this, *future));
            }
        }
        if (pending_ == 0) open_.set();
    }

    ~Gate() {
        for (Listener& listener : listeners_) {
            if (!listener.heard) listener.future->remove_listener(listener);
        }
    }

    Event::Wait wait() { return open_.wait(); }

    FutureBase* first_failed() const { return first_failed_; }

private:
    struct Listener final : DoneListener {
        Listener(Gate& the_gate, FutureBase& the_future) : gate(&the_gate), future(&the_future) {}
        void on_done() noexcept override {
            heard = true;
            gate->note(*future);
            if (--gate->pending_ == 0) gate->open_.set();
        }
        Gate* gate;
        FutureBase* future;
        bool heard = false;
    };

    void note(FutureBase& future) noexcept {
        if (!first_failed_ && future.failed()) first_failed_ = &future;
        const bool is_enough = when_ == ReturnWhen::first_completed ||
                               (when_ == ReturnWhen::first_exception && future.failed());
        if (is_enough) open_.set();
    }

    std::vector<Listener> listeners_;
    Event open_;
    FutureBase* first_failed_ = nullptr;
    std::size_t pending_ = 0;
    ReturnWhen when_;
};

}  // namespace

Co<> wait_futures(std::vector<FutureBase*> futures, ReturnWhen when) {
    Gate gate(futures, when);
    co_await gate.wait();
}

Co<FutureBase*> wait_for_failure(std::vector<FutureBase*> futures) {
    Gate gate(futures, ReturnWhen::first_exception);
    co_await gate.wait();
    co_return gate.first_failed();
}

Co<> cancel_and_wait(std::vector<FutureBase*> futures) {
    CancelBatch batch;
    for (FutureBase* future : futures) {
        if (TaskBase* task = future->as_task()) {
            batch.cancel(*task);
        } else {
            future->cancel();
        }
    }
    bool was_cancelled = false;
    while (!std::ranges::all_of(futures, [](FutureBase* future) { return future->done(); })) {
        Gate gate(futures, ReturnWhen::all_completed);
        try {
            co_await gate.wait();
        } catch (const CancelledError&) {
            was_cancelled = true;
        }
    }
    if (was_cancelled) throw CancelledError();
}

Co<> detail::wait_until(std::vector<FutureBase*> futures, ReturnWhen when,
                        std::optional<Duration> limit) {
    if (!limit) {
        co_await wait_futures(std::move(futures), when);
        co_return;
    }
    try {
        co_await wait_for(wait_futures(std::move(futures), when), *limit);
    } catch (const TimeoutError&) {
        // What is not done is in the result's `pending`.
    }
}

}  // namespace weft::aio
