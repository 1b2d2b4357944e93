#pragma once

#include <cstdint>

#include "base/clock.h"
#include "http/client/fetch_limits.h"

namespace weft::http {

// Checks that a peer sends at the minimum rate. Each window is judged by itself, so that a fast
// start does not excuse an endless trickle later (H03).
class Pace {
public:
    void start(TimePoint now) {
        window_start_ = now;
        window_bytes_ = 0;
    }

    // Reports received bytes. False: a window has passed with too few of them.
    bool keeps(std::uint64_t bytes, TimePoint now, const FetchLimits& limits) {
        window_bytes_ += bytes;
        const Duration elapsed = now - window_start_;
        if (elapsed < limits.rate_window) return true;
        const double seconds = in_seconds(elapsed);
        const double needed = static_cast<double>(limits.rate_bytes_per_second_min) * seconds;
        const bool is_fast_enough = static_cast<double>(window_bytes_) >= needed;
        start(now);
        return is_fast_enough;
    }

private:
    TimePoint window_start_{};
    std::uint64_t window_bytes_ = 0;
};

}  // namespace weft::http
