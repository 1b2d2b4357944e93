#pragma once

#include <algorithm>

#include "base/clock.h"

namespace weft::crawl {

// How long a host has kept the crawl waiting by Retry-After. A host that answers well in between
// earns time again, so that one with a rate of its own is crawled to its end, and one that only
// asks to come later is not.
class Hold {
public:
    static constexpr Duration kPerAnswer = 1min;

    // The longest wait from `now` that the host may still ask for, if all of them may take
    // `together`. Waits that overlap count once.
    Duration left(Duration together, TimePoint now) const {
        return std::max(together - held_, Duration::zero()) + (std::max(until_, now) - now);
    }

    void wait(TimePoint until, TimePoint now) {
        held_ += std::max(until - std::max(until_, now), Duration::zero());
        until_ = std::max(until_, until);
    }

    void on_good_answer() { held_ -= std::min(held_, kPerAnswer); }

private:
    Duration held_{};
    TimePoint until_{};
};

}  // namespace weft::crawl
