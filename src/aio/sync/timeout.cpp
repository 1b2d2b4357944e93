#include "aio/sync/timeout.h"

namespace weft::aio {

Timeout::Timeout(PromiseBase& promise, std::optional<TimePoint> when, int* open_deadlines)
    : promise_(promise),
      task_(*promise.task()),
      open_deadlines_(open_deadlines),
      cancelling_before_(task_.cancelling()) {
    reschedule_at(when);
    if (open_deadlines_) ++*open_deadlines_;
}

Timeout::~Timeout() {
    if (open_deadlines_) --*open_deadlines_;
    task_.loop().disarm(*this);
    if (!expired_) return;
    // As in asyncio: if there are more requests than before the scope, someone else cancelled the
    // task too, and the cancellation stays one.
    const bool is_ours_alone = task_.uncancel() <= cancelling_before_;
    // Without an exception in flight the body caught the cancellation, or ended before it was
    // thrown.
    if (is_ours_alone && std::uncaught_exceptions() > 0) promise_.set_timed_out();
}

void Timeout::reschedule(Delay from_now) {
    reschedule_at(saturating_add(task_.loop().time(), from_now));
}

void Timeout::reschedule_at(std::optional<TimePoint> when) {
    if (expired_) return;
    if (when) {
        task_.loop().arm(*this, *when);
    } else {
        task_.loop().disarm(*this);
    }
}

std::optional<TimePoint> Timeout::deadline() const {
    return is_armed() ? std::optional(when()) : std::nullopt;
}

void Timeout::fire() noexcept {
    expired_ = true;
    task_.cancel();
}

}  // namespace weft::aio
