#include "base/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/assert.h"

namespace weft {

TimePoint SystemClock::now() const {
    return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall() const {
    return std::chrono::system_clock::now();
}

namespace {

std::tm utc(WallTime time) {
    return fmt::gmtime(std::chrono::system_clock::to_time_t(
        std::chrono::floor<std::chrono::system_clock::duration>(time)));
}

}  // namespace

std::string to_iso8601(WallTime time, int fraction_digits) {
    WEFT_ASSERT(fraction_digits >= 0 && fraction_digits <= 9);
    std::string out = fmt::format("{:%Y-%m-%dT%H:%M:%S}", utc(time));
    if (fraction_digits > 0) {
        const Duration fraction = time - std::chrono::floor<std::chrono::seconds>(time);
        out += '.';
        out += fmt::format("{:09}", fraction.count())
                   .substr(0, static_cast<std::size_t>(fraction_digits));
    }
    return out + "Z";
}

namespace {

// The digits at the front of `text`, which are taken off; -1 if there are not so many.
int take_number(std::string_view& text, std::size_t digits) {
    if (text.size() < digits) return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] < '0' || text[i] > '9') return -1;
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return value;
}

bool take(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<Duration> take_fraction(std::string_view& text) {
    Duration unit = 100ms;
    Duration fraction{};
    if (!take(text, '.')) return fraction;
    std::size_t count = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; ++count) {
        fraction += unit * (text.front() - '0');
        unit /= 10;
        text.remove_prefix(1);
    }
    return count > 0 && count <= 9 ? std::optional(fraction) : std::nullopt;
}

}  // namespace

std::optional<WallTime> parse_iso8601(std::string_view text) {
    using namespace std::chrono;
    const int y = take_number(text, 4);
    if (!take(text, '-')) return std::nullopt;
    const int mon = take_number(text, 2);
    if (!take(text, '-')) return std::nullopt;
    const int d = take_number(text, 2);
    if (y < 0 || mon < 0 || d < 0 || !take(text, 'T')) return std::nullopt;
    const int h = take_number(text, 2);
    if (!take(text, ':')) return std::nullopt;
    const int min = take_number(text, 2);
    if (!take(text, ':')) return std::nullopt;
    const int s = take_number(text, 2);
    const std::optional<Duration> fraction = take_fraction(text);
    const year_month_day date{year(y), month(static_cast<unsigned>(mon)),
                              day(static_cast<unsigned>(d))};
    const bool is_time = h >= 0 && h < 24 && min >= 0 && min < 60 && s >= 0 && s <= 60;
    if (!is_time || !fraction || !date.ok() || text != "Z") return std::nullopt;
    return WallTime(sys_days(date)) + hours(h) + minutes(min) + seconds(s) + *fraction;
}

std::string to_timestamp14(WallTime time) {
    return fmt::format("{:%Y%m%d%H%M%S}", utc(time));
}

}  // namespace weft
