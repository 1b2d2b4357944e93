#include "aio/gather.h"

namespace weft::aio::detail {
namespace {

// At its end, what they threw counts as asked for.
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

}  // namespace

Co<FutureBase*> join_all(std::vector<FutureBase*> futures) {
    bool was_cancelled = false;
    FutureBase* first_failed = nullptr;
    try {
        first_failed = co_await wait_for_failure(futures);
    } catch (const CancelledError&) {
        was_cancelled = true;
    }
    if (!first_failed && !was_cancelled) co_return nullptr;

    const Retrieved retrieved{futures};
    co_await cancel_and_wait(futures);
    if (was_cancelled) throw CancelledError();
    co_return first_failed;
}

Co<> end_all(std::vector<FutureBase*> futures) {
    bool was_cancelled = false;
    try {
        co_await wait_futures(futures);
    } catch (const CancelledError&) {
        was_cancelled = true;
    }
    if (!was_cancelled) co_return;
    const Retrieved retrieved{futures};
    co_await cancel_and_wait(futures);
    throw CancelledError();
}

}  // namespace weft::aio::detail
