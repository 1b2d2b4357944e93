#include <gtest/gtest.h>

#include "conformance.h"
#include "web/fields/date.h"

namespace weft::suites {

TEST(DateSuite, CookieDates) {
    WEFT_NEED_SUITE("cookies");
    for (const Json& row : suites::rows("cookies/dates.json")) {
        const auto date = web::parse_cookie_date(row["input"].get<std::string>());
        ASSERT_EQ(date.has_value(), !row["unix"].is_null()) << row;
        if (!date) continue;
        EXPECT_EQ(date->time_since_epoch().count(), row["unix"]) << row;
        EXPECT_EQ(Json(web::format_http_date(*date)), row["expected"]) << row;
    }
}

}  // namespace weft::suites
