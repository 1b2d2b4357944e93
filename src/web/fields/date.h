#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

// Dates as the web writes them. Whole seconds (or milliseconds) in 64 bits: a date from outside may
// lie anywhere in the years 0 to 9999, more than WallTime's nanoseconds reach.
namespace weft::web {

using DateSeconds = std::chrono::sys_seconds;
using DateMilliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

enum class [[nodiscard]] DateError { malformed, out_of_range };
std::string_view describe(DateError error);

// 1 to 12 when `text` starts like an English month's name, in any case.
std::optional<int> month_from_name(std::string_view text);

// An HTTP date in any of its three forms (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT",
// "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994". Case, the day's name and what
// stands behind the time are not looked at. A two-digit year is at most 50 years after `now`.
std::expected<DateSeconds, DateError> parse_http_date(std::string_view text, WallTime now);

// "Sun, 06 Nov 1994 08:49:37 GMT".
std::string format_http_date(DateSeconds date);

// The date of a cookie's Expires, read as leniently as RFC 6265bis, 5.1.1 wants it.
std::expected<DateSeconds, DateError> parse_cookie_date(std::string_view text);

// A W3C date ("2026", "2026-03", "2026-03-01", "2026-03-01T12:00Z", with seconds, a fraction and
// any offset): a sitemap's lastmod, Atom's updated. A missing offset is UTC, a space may stand for
// the T, white space around is passed over.
std::expected<DateMilliseconds, DateError> parse_w3c_date(std::string_view text);

// A mail date (RFC 5322): RSS's pubDate. The day's name, the seconds or the whole time may be
// missing, the year may have two digits; zones are offsets, GMT, UT, Z and the North American
// names.
std::expected<DateSeconds, DateError> parse_mail_date(std::string_view text);

// How long a Retry-After asks to wait: seconds or an HTTP date, clamped to between kRetryAfterMin
// and kRetryAfterMax. Nothing when it is neither.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

}  // namespace weft::web
