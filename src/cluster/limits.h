#pragma once

#include <cstddef>

#include "base/clock.h"

// The bounds of one call of a function of frontier.lua, which refuses more. The caller divides what
// is longer.
namespace weft::cluster {

inline constexpr std::size_t kUrlsPerCallMax = 500;
inline constexpr std::size_t kHostsPerCallMax = 256;
inline constexpr std::size_t kCompletionsPerCallMax = 256;

// A worker owns a shard for this long, unless it renews its term.
inline constexpr Duration kLease = 15s;
inline constexpr Duration kRenewEvery = 5s;

// No fetch starts in the last part of a term: the next owner may start when the term has ended, and
// the clocks of the two run at different speeds.
inline constexpr Duration kLeaseMargin = 3s;

// A worker that was not heard for this long owns nothing new.
inline constexpr Duration kHeardWithin = 10s;
inline constexpr Duration kBeatEvery = 1s;

}  // namespace weft::cluster
