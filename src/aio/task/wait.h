#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/task.h"
#include "base/clock.h"

namespace weft::aio {

// When a wait is over. first_exception: also when all are done without one.
enum class ReturnWhen { all_completed, first_completed, first_exception };

// Suspends until enough of `futures` are done. A cancelled wait leaves them as they are. The loop
// resumes the waiter.
// REQUIRES: the futures live until the wait is over.
Co<> wait_futures(std::vector<FutureBase*> futures, ReturnWhen when = ReturnWhen::all_completed);

template <class T>
std::vector<FutureBase*> futures_of(std::span<const Task<T>> tasks) {
    std::vector<FutureBase*> futures;
    for (const Task<T>& task : tasks) futures.push_back(task.state());
    return futures;
}

template <class T>
struct WaitResult {
    std::vector<Task<T>> done;
    std::vector<Task<T>> pending;
};

// Like asyncio.wait(): a task's failure is not thrown, no task is cancelled, and a timeout only
// ends the wait. For first_exception, a cancelled task does not count as an exception.
template <class T>
Co<WaitResult<T>> wait(std::vector<Task<T>> tasks, ReturnWhen when = ReturnWhen::all_completed,
                       std::optional<Duration> limit = std::nullopt);

namespace detail {
Co<> wait_until(std::vector<FutureBase*> futures, ReturnWhen when, std::optional<Duration> limit);
}

template <class T>
Co<WaitResult<T>> wait(std::vector<Task<T>> tasks, ReturnWhen when, std::optional<Duration> limit) {
    co_await detail::wait_until(futures_of(std::span<const Task<T>>(tasks)), when, limit);
    WaitResult<T> result;
    for (Task<T>& task : tasks) {
        (task.done() ? result.done : result.pending).push_back(std::move(task));
    }
    co_return result;
}

}  // namespace weft::aio
