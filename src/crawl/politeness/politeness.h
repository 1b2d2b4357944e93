#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "http/client/failure.h"

namespace weft::crawl {

inline constexpr Duration kPauseMin = 100ms;
inline constexpr Duration kPauseMax = 10s;

// The polite pause of a host after a response. By default it is as long as the response took,
// within kPauseMin and kPauseMax, so that a struggling server gets more time. The user may set it.
// A longer Crawl-delay of robots.txt always wins. A value, for any thread.
class Politeness {
public:
    // `wait`: the user's pause (Config::wait); empty: the default.
    explicit Politeness(std::optional<Duration> wait) : wait_(wait) {}

    Duration pause(Duration answer_time, std::optional<Duration> crawl_delay) const;

private:
    std::optional<Duration> wait_;
};

// Why a fetch is tried again. Each kind has its own first pause (retry_pause()).
enum class Trouble : std::uint8_t {
    none,        // It is not tried again.
    exchange,    // The connection broke or the response was cut: likely to work soon.
    connection,  // The host could not be reached.
    name,        // Its name could not be resolved.
    overload,    // The response has a status of Config::retry_statuses.
    ours,        // This process lacks a resource.
    robots,      // Its robots.txt is unavailable; RobotsUnavailable has the time of the next try.
};
Trouble trouble_of(http::Failure failure);

// Whether the failure concerns the host rather than one page. Such failures count for the breaker.
bool is_about_host(http::Failure failure);

// The pause before the next try. It grows fourfold with each attempt, up to 10 minutes, and is up
// to doubled at random: `chance` is in [0, 1).
Duration retry_pause(Trouble trouble, unsigned attempt, double chance);

// The pause after a 429 or 503 without a Retry-After, by how many of them came in a row. It doubles
// with each, up to 10 minutes, and is up to doubled at random.
Duration overload_pause(unsigned streak, double chance);

}  // namespace weft::crawl
