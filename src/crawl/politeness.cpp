#include "crawl/politeness.h"

#include <algorithm>

namespace weft::crawl {

Duration Politeness::pause(Duration answer_time, std::optional<Duration> crawl_delay) const {
    const Duration ours = wait_ ? *wait_ : std::clamp(answer_time, kPauseMin, kPauseMax);
    return std::max(ours, crawl_delay.value_or(Duration::zero()));
}

Duration retry_pause(unsigned attempt, double chance) {
    constexpr Duration kMax = 5min;
    Duration pause = 1s;
    for (unsigned i = 1; i < attempt && pause < kMax; ++i) pause *= 4;
    pause = std::min(pause, kMax);
    return pause + std::chrono::duration_cast<Duration>(pause * chance);
}

}  // namespace weft::crawl
