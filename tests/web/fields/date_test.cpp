#include "web/fields/date.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

const WallTime kMarch2026 = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1));
const DateSeconds kNovember1994{784111777s};

std::optional<Duration> retry_after(std::string_view value) {
    return parse_retry_after(value, kMarch2026);
}

std::int64_t w3c(std::string_view text) {
    const auto date = parse_w3c_date(text);
    return date ? date->time_since_epoch().count() : -1;
}

}  // namespace

TEST(Date, HttpDateHasThreeForms) {
    EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", kMarch2026), kNovember1994);
    EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kMarch2026), kNovember1994);
    EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", kMarch2026), kNovember1994);
    EXPECT_EQ(format_http_date(kNovember1994), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Date, TwoDigitYearIsAtMostFiftyYearsAhead) {
    const auto year_of = [](std::string_view text) {
        return format_http_date(parse_http_date(text, kMarch2026).value()).substr(12, 4);
    };

    EXPECT_EQ(year_of("Sunday, 01-Mar-76 00:00:00 GMT"), "2076");
    EXPECT_EQ(year_of("Sunday, 01-Mar-77 00:00:00 GMT"), "1977");
}

TEST(Date, HttpDateThatIsNoneIsRefused) {
    for (std::string_view text : {"", "0", "-1", "Sun", "Sun, 06 Foo 1994 08:49:37 GMT",
                                  "Sun, 06 Nov 1994", "yesterday", "Sun, 06 Nov 19944 08:49:37"}) {
        EXPECT_EQ(parse_http_date(text, kMarch2026), std::unexpected(DateError::malformed)) << text;
    }
    EXPECT_EQ(parse_http_date("Sun, 31 Feb 1994 08:49:37 GMT", kMarch2026),
              std::unexpected(DateError::out_of_range));
    EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 24:49:37 GMT", kMarch2026),
              std::unexpected(DateError::out_of_range));
}

TEST(Date, W3cDateHasEveryPrecision) {
    EXPECT_EQ(w3c("1970"), 0);
    EXPECT_EQ(w3c("1970-02"), 31 * 86'400'000LL);
    EXPECT_EQ(w3c(" 1970-01-02\n"), 86'400'000);
    EXPECT_EQ(w3c("1970-01-01T00:01Z"), 60'000);
    EXPECT_EQ(w3c("1970-01-01T01:00:00+01:00"), 0);
    EXPECT_EQ(w3c("1970-01-01T00:00:00.1239-0030"), 1'800'123);
    EXPECT_EQ(w3c("1970-01-01 00:00:01"), 1'000);
    for (std::string_view bad : {"", "19", "1970-13-01", "1970-1-1-1", "1970-01-01T", "now",
                                 "1970-01-01T00:00:00+", "1970-01-01Tx"}) {
        EXPECT_EQ(w3c(bad), -1) << bad;
    }
}

TEST(Date, MailDateIsReadWithItsZone) {
    EXPECT_EQ(parse_mail_date("Sun, 06 Nov 1994 08:49:37 GMT"), kNovember1994);
    EXPECT_EQ(parse_mail_date("6 Nov 94 03:49:37 EST"), kNovember1994);
    EXPECT_EQ(parse_mail_date("Sun, 06 Nov 1994 09:49:37 +0100"), kNovember1994);
    EXPECT_FALSE(parse_mail_date("soon"));
}

TEST(Date, RetryAfterIsClamped_H37) {
    EXPECT_EQ(retry_after("120"), 120s);
    EXPECT_EQ(retry_after("0"), limits::kRetryAfterMin);
    EXPECT_EQ(retry_after("-5"), limits::kRetryAfterMin);
    EXPECT_EQ(retry_after("315360000"), limits::kRetryAfterMax);
    EXPECT_EQ(retry_after("99999999999999999999999"), limits::kRetryAfterMax);
    EXPECT_EQ(retry_after("Sun, 01 Mar 2026 00:01:00 GMT"), 60s);
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), limits::kRetryAfterMin);
    EXPECT_EQ(retry_after("Fri, 31 Dec 9999 23:59:59 GMT"), limits::kRetryAfterMax);
    EXPECT_EQ(retry_after("soon"), std::nullopt);
    EXPECT_EQ(retry_after("12.5"), std::nullopt);
    EXPECT_EQ(retry_after(""), std::nullopt);
    EXPECT_EQ(retry_after("-"), std::nullopt);
}

}  // namespace weft::web
