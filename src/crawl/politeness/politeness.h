#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "http/client/failure.h"

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

// Why a fetch is tried again: each kind of failure has a pace of its own.
enum class Trouble : std::uint8_t {
    none,
    exchange,    // The connection broke, the answer was cut: likely to go better soon.
    connection,  // The host could not be reached.
    name,        // Its name could not be resolved.
    overload,    // The server says that it has too much to do.
    ours,        // We are short of something ourselves.
    robots,      // Its robots.txt cannot be had, which has a time of its own.
};
Trouble trouble_of(http::Failure failure);

// Whether the failure says something of the host rather than of one page: what trips the breaker.
bool is_about_host(http::Failure failure);

// Before the next try: grows fourfold with each attempt, within 10 minutes, each time a random part
// more. `chance` is in [0, 1).
Duration retry_pause(Trouble trouble, unsigned attempt, double chance);

// How long a server that says 429 or 503 without a Retry-After is left alone, by how many times in
// a row it has said so.
Duration overload_pause(unsigned streak, double chance);

}  // namespace weft::crawl
