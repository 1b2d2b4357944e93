#pragma once

#include <utility>

#include "aio/task/co.h"
#include "aio/task/task.h"
#include "aio/task/wait.h"

namespace weft::aio {

// Runs `co` to its end even if the waiting task is cancelled: for a clean-up that must not be cut
// short. It runs in its own task, which a cancellation of the waiting task does not reach and which
// the end of run() waits for; deadlines inside it work. The cancellation is thrown when the
// clean-up is done. If the clean-up fails, its error is thrown, and the cancellation at the next
// await.
template <class T>
Co<T> shielded(Co<T> co) {
    Task<T> task = create_task(std::move(co), "clean-up");
    task.base().spare_at_shutdown();
    bool was_cancelled = false;
    while (!task.done()) {
        try {
            co_await wait_futures({task.state()});
        } catch (const CancelledError&) {
            was_cancelled = true;
        }
    }
    if (was_cancelled) {
        if (!task.state()->failed()) throw CancelledError();
        TaskBase& self = *current_task();
        // The request was consumed by the catch above: this makes it pending again, with the same
        // count.
        self.uncancel();
        self.cancel();
    }
    co_return task.state()->take();
}

}  // namespace weft::aio
