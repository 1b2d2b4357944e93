#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

// The date formats of the web. Dates are whole seconds (or milliseconds) in 64 bits: a date from
// outside may be anywhere in the years 0 to 9999, and WallTime's nanoseconds do not reach that far.
namespace weft::web {

using DateSeconds = std::chrono::sys_seconds;
using DateMilliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

enum class [[nodiscard]] DateError { malformed, out_of_range };
std::string_view describe(DateError error);

// 1 to 12 if the first three letters of `text` are those of an English month, in any case.
std::optional<int> month_from_name(std::string_view text);

// An HTTP date in any of its three forms (RFC 9110 section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT",
// "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994". The case, the name of the day and
// the text after the date are not checked. A two-digit year means a year at most 50 years after
// `now`.
std::expected<DateSeconds, DateError> parse_http_date(std::string_view text, WallTime now);

// "Sun, 06 Nov 1994 08:49:37 GMT".
std::string format_http_date(DateSeconds date);

// The date of a cookie's Expires attribute, parsed by the lenient algorithm of RFC 6265bis section
// 5.1.1.
std::expected<DateSeconds, DateError> parse_cookie_date(std::string_view text);

// A W3C date: "2026", "2026-03", "2026-03-01", "2026-03-01T12:00Z", also with seconds, a fraction
// and any offset. For a sitemap's lastmod and Atom's updated. Without an offset it is UTC. A space
// may replace the T, and white space around the date is ignored.
std::expected<DateMilliseconds, DateError> parse_w3c_date(std::string_view text);

// A mail date (RFC 5322), for RSS's pubDate. The name of the day, the seconds or the whole time may
// be missing, and the year may have two digits. A zone is an offset, GMT, UTC, UT, Z or one of the
// North American names; an unknown name counts as UTC.
std::expected<DateSeconds, DateError> parse_mail_date(std::string_view text);

// The wait that a Retry-After field asks for, as seconds or as an HTTP date, clamped to between
// kRetryAfterMin and kRetryAfterMax. Nothing if the value is neither.
std::optional<Duration> parse_retry_after(std::string_view value, WallTime now);

}  // namespace weft::web
