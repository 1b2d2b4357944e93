#include "aio/timeout.h"

namespace weft::aio {

Timeout::Timeout(PromiseBase& promise, std::optional<TimePoint> when)
    : promise_(promise), task_(*promise.task()), cancelling_before_(task_.cancelling()) {
    reschedule_at(when);
}

Timeout::~Timeout() {
    task_.loop().disarm(*this);
    if (!expired_) return;
    const bool is_ours_alone = task_.uncancel() <= cancelling_before_;
    if (is_ours_alone && std::uncaught_exceptions() > 0) promise_.set_timed_out();
}

void Timeout::reschedule(Duration from_now) {
    reschedule_at(task_.loop().time() + from_now);
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
