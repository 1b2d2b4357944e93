#include "base/clock.h"

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

// Appends the last `count` digits of the number, then the mark.
void add_digits(std::string& out, std::int64_t number, std::size_t count, char mark) {
    const std::size_t start = out.size();
    out.resize(start + count, '0');
    for (std::size_t i = start + count; i > start; number /= 10) {
        out[--i] = static_cast<char>('0' + number % 10);
    }
    out += mark;
}

}  // namespace

std::string to_iso8601(WallTime time, int fraction_digits) {
    WEFT_ASSERT(fraction_digits >= 0 && fraction_digits <= 9);
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    std::string out;
    add_digits(out, int{date.year()}, 4, '-');
    add_digits(out, unsigned{date.month()}, 2, '-');
    add_digits(out, unsigned{date.day()}, 2, 'T');
    add_digits(out, clock.hours().count(), 2, ':');
    add_digits(out, clock.minutes().count(), 2, ':');
    add_digits(out, clock.seconds().count(), 2, 'Z');
    if (fraction_digits > 0) {
        std::int64_t fraction = clock.subseconds().count();
        for (int i = 9; i > fraction_digits; --i) fraction /= 10;
        out.back() = '.';
        add_digits(out, fraction, static_cast<std::size_t>(fraction_digits), 'Z');
    }
    return out;
}

namespace {

// Takes a number of `digits` digits off the front of `text`; -1 if there are fewer digits.
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

// Takes ".123456789" off the front of `text`, with one to nine digits. No fraction is zero.
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

// The years that a WallTime can hold in full: nanoseconds in 64 bits reach 292 years from 1970.
constexpr int kFirstYear = 1678;
constexpr int kLastYear = 2261;

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
    // Second 60 is a leap second (RFC 3339 section 5.6); it counts as the second after it.
    const bool is_time = h >= 0 && h < 24 && min >= 0 && min < 60 && s >= 0 && s <= 60;
    if (!is_time || !fraction || !date.ok() || text != "Z") return std::nullopt;
    if (y < kFirstYear || y > kLastYear) return std::nullopt;
    return WallTime(sys_days(date)) + hours(h) + minutes(min) + seconds(s) + *fraction;
}

std::string to_timestamp14(WallTime time) {
    std::string out = to_iso8601(time);
    std::erase_if(out, [](char c) { return c < '0' || c > '9'; });
    return out;
}

}  // namespace weft
