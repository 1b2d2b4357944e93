#pragma once

#include <algorithm>

#include "base/clock.h"

namespace weft::crawl {

// How long a host has kept the crawl waiting by Retry-After, all waits added up. Each good response
// takes kPerAnswer off. So a host that limits the rate of requests is crawled to its end, and a
// host that only ever asks to come later is not.
class Hold {
public:
    static constexpr Duration kPerAnswer = 1min;

    // The longest wait from `now` that the host may still ask for, if all its waits may last
    // `together` in sum. Time in which waits overlap counts once.
    Duration left(Duration together, TimePoint now) const {
        return std::max(together - held_, Duration::zero()) + (std::max(until_, now) - now);
    }

    // Adds a wait from `now` to `until`.
    void wait(TimePoint until, TimePoint now) {
        held_ += std::max(until - std::max(until_, now), Duration::zero());
        until_ = std::max(until_, until);
    }

    void on_good_answer() { held_ -= std::min(held_, kPerAnswer); }

private:
    Duration held_{};    // The sum of the waits, less what good responses took off.
    TimePoint until_{};  // The end of the latest wait.
};

}  // namespace weft::crawl
