#include "aio/task/wait.h"

#include "aio/sync/event.h"
#include "aio/sync/timeout.h"

namespace weft::aio {
namespace {

// Listens to many futures and opens when enough of them are done. Stops listening when destroyed.
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
        // Nothing to wait for: all were done, or there are none.
        if (pending_ == 0) open_.set();
    }

    ~Gate() {
        for (Listener& listener : listeners_) {
            if (!listener.heard) listener.future->remove_listener(listener);
        }
    }

    Event::Wait wait() { return open_.wait(); }

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
        const bool is_exception = future.failed() && !future.cancelled();
        const bool is_enough = when_ == ReturnWhen::first_completed ||
                               (when_ == ReturnWhen::first_exception && is_exception);
        if (is_enough) open_.set();
    }

    std::vector<Listener> listeners_;
    Event open_;
    std::size_t pending_ = 0;
    ReturnWhen when_;
};

}  // namespace

Co<> wait_futures(std::vector<FutureBase*> futures, ReturnWhen when) {
    Gate gate(futures, when);
    co_await gate.wait();
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
        // Not an error: the tasks that are not done are in the result's `pending`.
    }
}

}  // namespace weft::aio
