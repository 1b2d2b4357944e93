#include "aio/gather.h"

#include <algorithm>

namespace weft::aio::detail {

Co<FutureBase*> join_all(std::vector<FutureBase*> futures) {
    bool was_cancelled = false;
    try {
        co_await wait_futures(futures, ReturnWhen::first_exception);
    } catch (const CancelledError&) {
        was_cancelled = true;
    }
    const auto failed = std::ranges::find_if(futures, [](FutureBase* f) { return f->failed(); });
    if (failed == futures.end() && !was_cancelled) co_return nullptr;

    FutureBase* first_failed = was_cancelled ? nullptr : *failed;
    co_await cancel_and_wait(std::move(futures));
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
    co_await cancel_and_wait(std::move(futures));
    throw CancelledError();
}

}  // namespace weft::aio::detail
