#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

using namespace std::chrono_literals;

using Duration = std::chrono::nanoseconds;

// A moment on the loop's own monotonic clock, counted from an arbitrary start (in a simulation:
// from the simulation's start). Never a date.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// The moment `by` after `time`, or the last (first) one there is: "for ever" may be added to.
constexpr TimePoint saturating_add(TimePoint time, Duration by) noexcept {
    Duration::rep sum = 0;
    if (!__builtin_add_overflow(time.time_since_epoch().count(), by.count(), &sum)) {
        return TimePoint(Duration(sum));
    }
    return by > Duration::zero() ? TimePoint::max() : TimePoint::min();
}

// A length of time as a caller gives it, in any unit of std::chrono, fractions too. What is longer
// than a Duration can say (292 years: std::chrono::hours::max()) is as long as it can.
class Delay {
public:
    template <class Rep, class Period>
    // NOLINTNEXTLINE(google-explicit-constructor): a parameter that takes every duration.
    constexpr Delay(std::chrono::duration<Rep, Period> length) noexcept : length_(clamp(length)) {}

    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr operator Duration() const noexcept { return length_; }

private:
    template <class Rep, class Period>
    static constexpr Duration clamp(std::chrono::duration<Rep, Period> length) noexcept {
        if constexpr (std::is_same_v<std::chrono::duration<Rep, Period>, Duration>) {
            return length;
        } else {
            using Wide = std::chrono::duration<long double, std::nano>;
            const long double wide = Wide(length).count();
            if (!(wide < static_cast<long double>(Duration::max().count()))) return Duration::max();
            if (wide <= static_cast<long double>(Duration::min().count())) return Duration::min();
            return std::chrono::duration_cast<Duration>(length);
        }
    }

    Duration length_;
};

constexpr double in_seconds(Duration length) noexcept {
    return std::chrono::duration<double>(length).count();
}

// A date, for what people and protocols read: logs, WARC-Date, cookies. It may jump; nothing
// waits on it.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

// Where time comes from. Everything that waits or writes a date asks a Clock, so that a simulation
// can put its own in place.
class Clock {
public:
    virtual ~Clock() = default;
    virtual TimePoint now() const = 0;
    virtual WallTime wall() const = 0;
};

// The machine's clocks.
class SystemClock final : public Clock {
public:
    TimePoint now() const override;
    WallTime wall() const override;
};

// "2026-03-01T12:00:00Z"; with `fraction_digits` up to 9 also "…12:00:00.123456Z".
std::string to_iso8601(WallTime time, int fraction_digits = 0);

// Reads what to_iso8601() writes; nothing for anything else.
std::optional<WallTime> parse_iso8601(std::string_view text);

// "20260301120000", the time stamp of archive file names and CDX lines (UTC).
std::string to_timestamp14(WallTime time);

}  // namespace weft
