#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.h"
#include "web/fields/date.h"

namespace weft::web {
namespace {

// The algorithm of RFC 6265bis section 5.1.1: the text is split into tokens. Each token is tried as
// time, day, month and year in this order, and fills the first one that it fits and that is still
// missing.
bool is_delimiter(char c) {
    return c == '\t' || (c >= ' ' && c <= '/') || (c >= ';' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// The number of `min` to `max` digits at the front. The next character must not be a digit.
std::optional<int> leading_number(std::string_view token, std::size_t min, std::size_t max) {
    std::size_t count = 0;
    int value = 0;
    while (count < token.size() && count <= max && is_digit(token[count])) {
        value = value * 10 + (token[count++] - '0');
    }
    if (count < min || count > max) return std::nullopt;
    return value;
}

struct CookieTime {
    int hour = 0, minute = 0, second = 0;
};

std::optional<CookieTime> time_in(std::string_view token) {
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto number = leading_number(token, 1, 2);
        if (!number) return std::nullopt;
        parts[i] = *number;
        if (i == 2) break;
        const std::size_t digit_count = token.size() > 1 && is_digit(token[1]) ? 2 : 1;
        token.remove_prefix(digit_count);
        if (!token.starts_with(':')) return std::nullopt;
        token.remove_prefix(1);
    }
    return CookieTime{parts[0], parts[1], parts[2]};
}

}  // namespace

std::expected<DateSeconds, DateError> parse_cookie_date(std::string_view text) {
    std::optional<CookieTime> time;
    std::optional<int> day, month, year;
    while (!text.empty()) {
        const auto start = std::ranges::find_if_not(text, is_delimiter);
        text.remove_prefix(static_cast<std::size_t>(start - text.begin()));
        const auto end = std::ranges::find_if(text, is_delimiter);
        const std::string_view token = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(token.size());
        if (const auto found = time_in(token); !time && found) {
            time = found;
        } else if (const auto number = leading_number(token, 1, 2); !day && number) {
            day = number;
        } else if (const auto name = month_from_name(token); !month && name) {
            month = name;
        } else if (!year) {
            year = leading_number(token, 2, 4);
        }
    }
    if (!time || !day || !month || !year) return std::unexpected(DateError::malformed);
    // Steps 3 to 5 of the algorithm; 1601 is its earliest year.
    if (*year >= 70 && *year <= 99) *year += 1900;
    if (*year >= 0 && *year <= 69) *year += 2000;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (*year < 1601 || !date.ok() || time->hour > 23 || time->minute > 59 || time->second > 59) {
        return std::unexpected(DateError::out_of_range);
    }
    return std::chrono::sys_days(date) + std::chrono::hours(time->hour) +
           std::chrono::minutes(time->minute) + std::chrono::seconds(time->second);
}

}  // namespace weft::web
