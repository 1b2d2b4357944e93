#include "web/fields/date.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

struct Fields {
    int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
};

std::expected<DateSeconds, DateError> to_date(const Fields& f) {
    const year_month_day date{std::chrono::year(f.year),
                              std::chrono::month(static_cast<unsigned>(f.month)),
                              std::chrono::day(static_cast<unsigned>(f.day))};
    // Second 60, a leap second, counts as the first second of the next minute.
    if (!date.ok() || f.hour > 23 || f.minute > 59 || f.second > 60) {
        return std::unexpected(DateError::out_of_range);
    }
    return sys_days(date) + std::chrono::hours(f.hour) + std::chrono::minutes(f.minute) +
           std::chrono::seconds(f.second);
}

// Reads a text from the front.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    // A whole number of `min` to `max` digits. Nothing, and nothing is read, if it has more or
    // fewer.
    std::optional<int> number(std::size_t min, std::size_t max) {
        std::size_t count = 0;
        while (count < rest_.size() && is_digit(rest_[count])) ++count;
        if (count < min || count > max) return std::nullopt;
        int value = 0;
        std::from_chars(rest_.data(), rest_.data() + count, value);
        rest_.remove_prefix(count);
        return value;
    }

    std::string_view word() {
        std::size_t count = 0;
        while (count < rest_.size() && is_alpha(rest_[count])) ++count;
        const std::string_view out = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return out;
    }

    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // Any number of the given characters.
    void skip(std::string_view set) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(set), rest_.size()));
    }

    char front() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool is_done() const { return rest_.empty(); }
    std::size_t digit_count() const {
        return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    }

private:
    std::string_view rest_;
};

// Reads "08:49:37", or "8:49" if the seconds may be missing.
bool scan_time(Scanner& scanner, Fields& fields, bool needs_seconds) {
    const auto hour = scanner.number(1, 2);
    if (!hour || !scanner.take(':')) return false;
    const auto minute = scanner.number(1, 2);
    if (!minute) return false;
    fields.hour = *hour;
    fields.minute = *minute;
    if (!scanner.take(':')) return !needs_seconds;
    const auto second = scanner.number(1, 2);
    if (!second) return false;
    fields.second = *second;
    return true;
}

// The century of a two-digit year in a mail date, with the same cut as in cookie dates.
int full_year(int two_digits) {
    return two_digits < 70 ? two_digits + 2000 : two_digits + 1900;
}

// Reads a zone: the offset to subtract from the time to get UTC. Nothing if it is not a zone.
std::optional<std::chrono::minutes> scan_offset(Scanner& scanner) {
    const bool is_negative = scanner.front() == '-';
    if (scanner.take('+') || scanner.take('-')) {
        int hours = 0, minutes = 0;
        if (scanner.digit_count() == 4) {
            const int both = scanner.number(4, 4).value_or(0);
            hours = both / 100;
            minutes = both % 100;
        } else {
            const auto first = scanner.number(1, 2);
            if (!first) return std::nullopt;
            hours = *first;
            if (scanner.take(':')) {
                const auto second = scanner.number(2, 2);
                if (!second) return std::nullopt;
                minutes = *second;
            }
        }
        if (hours > 24 || minutes > 59) return std::nullopt;
        const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
        return is_negative ? -offset : offset;
    }
    static constexpr std::array<std::pair<std::string_view, int>, 12> kZones = {{
        {"gmt", 0},
        {"utc", 0},
        {"ut", 0},
        {"z", 0},
        {"est", -5},
        {"edt", -4},
        {"cst", -6},
        {"cdt", -5},
        {"mst", -7},
        {"mdt", -6},
        {"pst", -8},
        {"pdt", -7},
    }};
    const std::string_view name = scanner.word();
    const auto found = std::ranges::find_if(
        kZones, [&](const auto& zone) { return equals_ignore_case(zone.first, name); });
    if (found == kZones.end()) return std::nullopt;
    return std::chrono::hours(found->second);
}

}  // namespace

std::string_view describe(DateError error) {
    switch (error) {
        case DateError::malformed: return "not a date";
        case DateError::out_of_range: return "no such day or time";
    }
    std::unreachable();
}

std::optional<int> month_from_name(std::string_view text) {
    const auto found = std::ranges::find_if(kMonths, [&](std::string_view name) {
        return equals_ignore_case(text.substr(0, 3), name);
    });
    if (found == kMonths.end()) return std::nullopt;
    return static_cast<int>(found - kMonths.begin()) + 1;
}

std::expected<DateSeconds, DateError> parse_http_date(std::string_view text, WallTime now) {
    const auto malformed = std::unexpected(DateError::malformed);
    Scanner scanner(trim(text));
    Fields fields;
    // The asctime form has no comma after the name of the day.
    scanner.word();
    const bool is_asctime = scanner.front() == ' ';
    if (!is_asctime && !scanner.take(',')) return malformed;
    scanner.skip(" ");
    if (is_asctime) {
        fields.month = month_from_name(scanner.word()).value_or(0);
        scanner.skip(" ");
        fields.day = scanner.number(1, 2).value_or(0);
        scanner.skip(" ");
        if (fields.month == 0 || !scan_time(scanner, fields, true)) return malformed;
        scanner.skip(" ");
        const auto year = scanner.number(4, 4);
        if (!year) return malformed;
        fields.year = *year;
        return to_date(fields);
    }
    fields.day = scanner.number(1, 2).value_or(0);
    scanner.skip(" -");
    fields.month = month_from_name(scanner.word()).value_or(0);
    scanner.skip(" -");
    const bool has_short_year = scanner.digit_count() == 2;
    const auto year = scanner.number(2, 4);
    scanner.skip(" ");
    if (fields.month == 0 || !year || !scan_time(scanner, fields, true)) return malformed;
    fields.year = *year;
    // RFC 9110 section 5.6.7: a year that seems more than 50 years in the future is in the past.
    if (has_short_year) {
        const year_month_day today(std::chrono::floor<std::chrono::days>(now));
        const int this_year = static_cast<int>(today.year());
        fields.year += this_year / 100 * 100;
        if (fields.year > this_year + 50) fields.year -= 100;
    }
    return to_date(fields);
}

std::string format_http_date(DateSeconds date) {
    const auto day = std::chrono::floor<std::chrono::days>(date);
    const year_month_day ymd(day);
    const std::chrono::hh_mm_ss time(date - day);
    std::string month(kMonths[static_cast<unsigned>(ymd.month()) - 1]);
    month[0] = static_cast<char>(month[0] - 32);
    return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                       kDays[std::chrono::weekday(day).c_encoding()],
                       static_cast<unsigned>(ymd.day()), month, static_cast<int>(ymd.year()),
                       time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::expected<DateMilliseconds, DateError> parse_w3c_date(std::string_view text) {
    const auto malformed = std::unexpected(DateError::malformed);
    Scanner scanner(trim(text));
    Fields fields;
    const auto year = scanner.number(4, 4);
    if (!year) return malformed;
    fields.year = *year;
    for (int* field : {&fields.month, &fields.day}) {
        if (!scanner.take('-')) break;
        const auto number = scanner.number(1, 2);
        if (!number) return malformed;
        *field = *number;
    }
    int milliseconds = 0;
    std::chrono::minutes offset{};
    if (scanner.take('T') || scanner.take('t') || scanner.front() == ' ') {
        scanner.skip(" ");
        if (!scan_time(scanner, fields, false)) return malformed;
        if (scanner.take('.') || scanner.take(',')) {
            const std::size_t digit_count = scanner.digit_count();
            if (digit_count == 0) return malformed;
            for (int unit = 100; is_digit(scanner.front()); unit /= 10) {
                milliseconds += (scanner.front() - '0') * unit;
                scanner.take(scanner.front());
            }
        }
        scanner.skip(" ");
        if (!scanner.is_done()) {
            const auto zone = scan_offset(scanner);
            if (!zone) return malformed;
            offset = *zone;
        }
    } else if (scanner.take('Z')) {
        // "2026-03-01Z" is not a W3C date, but a date of XML Schema.
    }
    if (!scanner.is_done()) return malformed;
    const auto date = to_date(fields);
    if (!date) return std::unexpected(date.error());
    return DateMilliseconds(*date - offset) + std::chrono::milliseconds(milliseconds);
}

std::expected<DateSeconds, DateError> parse_mail_date(std::string_view text) {
    const auto malformed = std::unexpected(DateError::malformed);
    Scanner scanner(trim(text));
    Fields fields;
    scanner.word();
    scanner.skip(".,\t ");
    const auto day = scanner.number(1, 2);
    scanner.skip(" -\t");
    fields.month = month_from_name(scanner.word()).value_or(0);
    scanner.skip(" -.,\t");
    const bool has_short_year = scanner.digit_count() == 2;
    const auto year = scanner.number(2, 4);
    if (!day || !year || fields.month == 0) return malformed;
    fields.day = *day;
    fields.year = has_short_year ? full_year(*year) : *year;
    scanner.skip(" \t");
    if (scanner.is_done()) return to_date(fields);
    if (!scan_time(scanner, fields, false)) return malformed;
    scanner.skip(" \t");
    if (scanner.is_done()) return malformed;
    // RFC 5322 section 4.3: an unknown zone name means that the offset is not known. It counts as
    // UTC.
    const std::chrono::minutes offset = scan_offset(scanner).value_or(0min);
    const auto date = to_date(fields);
    if (!date) return date;
    return *date - offset;
}

std::optional<Duration> parse_retry_after(std::string_view value, WallTime now) {
    value = trim(value);
    // The inner clamp keeps the conversion to nanoseconds from overflowing.
    const auto clamp = [](std::chrono::seconds wait) {
        return std::clamp<Duration>(std::clamp<std::chrono::seconds>(wait, -24h, 24h * 365),
                                    limits::kRetryAfterMin, limits::kRetryAfterMax);
    };
    // RFC 9110 section 10.2.3 has no negative seconds. They mean the shortest wait here.
    const bool is_negative = value.starts_with('-');
    const std::string_view digits = value.substr(is_negative ? 1 : 0);
    std::int64_t seconds = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    const bool is_whole = end == digits.data() + digits.size() && !digits.empty();
    if (is_whole && error != std::errc::invalid_argument) {
        if (is_negative) return clamp(-1s);
        return clamp(error == std::errc() ? std::chrono::seconds(seconds)
                                          : std::chrono::seconds::max());
    }
    const auto date = parse_http_date(value, now);
    if (!date) return std::nullopt;
    return clamp(*date - std::chrono::floor<std::chrono::seconds>(now));
}

}  // namespace weft::web
