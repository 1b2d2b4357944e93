#include "crawl/politeness/politeness.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr Duration kRetryPauseMax = 10min;

Duration first_pause(Trouble trouble) {
    switch (trouble) {
        case Trouble::none:
        case Trouble::robots:
        case Trouble::exchange: return 1s;
        case Trouble::connection: return 5s;
        case Trouble::name: return 10s;
        case Trouble::overload: return 12s;  // Three tries outlast a minute.
        case Trouble::ours: return 2s;
    }
    std::unreachable();
}

// The random part keeps many URLs that failed together from being tried again together.
Duration with_jitter(Duration pause, double chance) {
    return pause + std::chrono::duration_cast<Duration>(pause * chance);
}

}  // namespace

Duration Politeness::pause(Duration answer_time, std::optional<Duration> crawl_delay) const {
    const Duration ours = wait_ ? *wait_ : std::clamp(answer_time, kPauseMin, kPauseMax);
    return std::max(ours, crawl_delay.value_or(Duration::zero()));
}

Trouble trouble_of(http::Failure failure) {
    using http::Failure;
    if (!http::is_transient(failure)) return Trouble::none;  // Another try would fail the same way.
    switch (failure) {
        case Failure::connect_refused:
        case Failure::connect_unreachable:
        case Failure::connect_failed:
        case Failure::connect_timeout:
        case Failure::tls_failed:
        case Failure::tls_timeout: return Trouble::connection;
        case Failure::dns_failed:
        case Failure::dns_timeout: return Trouble::name;
        case Failure::no_resources: return Trouble::ours;
        default: return Trouble::exchange;
    }
}

bool is_about_host(http::Failure failure) {
    using http::Failure;
    const Trouble trouble = trouble_of(failure);
    return trouble == Trouble::connection || trouble == Trouble::name ||
           failure == Failure::closed_early || failure == Failure::first_byte_timeout ||
           failure == Failure::no_such_host;
}

Duration retry_pause(Trouble trouble, unsigned attempt, double chance) {
    Duration pause = first_pause(trouble);
    for (unsigned i = 1; i < attempt && pause < kRetryPauseMax; ++i) pause *= 4;
    return with_jitter(std::min(pause, kRetryPauseMax), chance);
}

Duration overload_pause(unsigned streak, double chance) {
    Duration pause = 1s;
    for (unsigned i = 1; i < streak && pause < kRetryPauseMax; ++i) pause *= 2;
    return with_jitter(std::min(pause, kRetryPauseMax), chance);
}

}  // namespace weft::crawl
