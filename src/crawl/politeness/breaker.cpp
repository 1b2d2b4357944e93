#include "crawl/politeness/breaker.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr Duration kOpenTimeFirst = 30s;
constexpr Duration kOpenTimeMax = 1h;

}  // namespace

Duration Breaker::on_failure(std::uint32_t failure_count, std::uint32_t opening_max,
                             double chance) {
    if (failure_count == 0) return Duration::zero();  // The user has switched the breaker off.
    if (++failures_ < failure_count) return Duration::zero();
    if (++openings_ > opening_max) {
        is_given_up_ = true;
        return Duration::zero();
    }
    failures_ = failure_count - 1;  // So that a single further failure opens it again.
    Duration open = kOpenTimeFirst;
    for (std::uint32_t i = 1; i < openings_ && open < kOpenTimeMax; ++i) open *= 2;
    open = std::min(open, kOpenTimeMax);
    return open + std::chrono::duration_cast<Duration>(open * chance / 2);
}

}  // namespace weft::crawl
