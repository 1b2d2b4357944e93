#pragma once

#include <optional>

#include "base/clock.h"

namespace weft::crawl {

inline constexpr Duration kPauseMin = 100ms;
inline constexpr Duration kPauseMax = 10s;

// How long a host is left alone after an answer: as long as the answer took, within kPauseMin and
// kPauseMax, so that a struggling server gets more air; or what the user says; or what robots.txt
// asks for, if that is more.
class Politeness {
public:
    explicit Politeness(std::optional<Duration> wait) : wait_(wait) {}

    Duration pause(Duration answer_time, std::optional<Duration> crawl_delay) const;

private:
    std::optional<Duration> wait_;
};

// Before the next try of a failed fetch: 1 s, 4 s, 16 s, ... within 5 minutes, each a random part
// more. `chance` is in [0, 1).
Duration retry_pause(unsigned attempt, double chance);

}  // namespace weft::crawl
