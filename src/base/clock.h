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

// The moment `by` after `time`. A sum out of range becomes the last (or first) TimePoint, so that
// "for ever" can be added to.
constexpr TimePoint saturating_add(TimePoint time, Duration by) noexcept {
    Duration::rep sum = 0;
    if (!__builtin_add_overflow(time.time_since_epoch().count(), by.count(), &sum)) {
        return TimePoint(Duration(sum));
    }
    return by > Duration::zero() ? TimePoint::max() : TimePoint::min();
}

// A parameter type for a length of time: it accepts every unit of std::chrono, fractions too. A
// length that a Duration cannot hold (over 292 years, such as std::chrono::hours::max()) becomes
// the longest Duration.
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

// A date, for what people and protocols read: logs, WARC-Date, cookies. The wall clock may jump,
// so no timer uses it.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

// The source of time. All code that waits or writes a date asks a Clock, so that a simulation can
// use its own clock instead.
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

// Reads what to_iso8601() writes. Any other text gives nothing.
std::optional<WallTime> parse_iso8601(std::string_view text);

// "20260301120000", the time stamp of archive file names and CDX lines (UTC).
std::string to_timestamp14(WallTime time);

}  // namespace weft
