#include "http/client/bandwidth.h"

#include <algorithm>

#include "base/assert.h"

namespace weft::http {

Bandwidth::Bandwidth(std::uint64_t bytes_per_second)
    : seconds_per_byte_(1 / static_cast<double>(bytes_per_second)) {
    WEFT_ASSERT(bytes_per_second > 0);
}

TimePoint Bandwidth::take(std::uint64_t bytes, TimePoint now) {
    const std::chrono::duration<double> length(static_cast<double>(bytes) * seconds_per_byte_);
    const std::lock_guard lock(mutex_);
    // Time in which nothing came is lost, not saved for a later burst. Rounded up, so that small
    // pieces are not free.
    free_at_ = std::max(free_at_, now) + std::chrono::ceil<Duration>(length);
    return free_at_;
}

TimePoint Bandwidth::free_at() const {
    const std::lock_guard lock(mutex_);
    return free_at_;
}

}  // namespace weft::http
