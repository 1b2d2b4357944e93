#include "base/clock.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Clock, DatesAreReadAsTheyAreWritten) {
    for (const char* text : {"2026-03-01T12:00:00Z", "1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z",
                             "2026-11-15T09:26:14.123Z"}) {
        const auto time = parse_iso8601(text);
        ASSERT_TRUE(time) << text;
        EXPECT_EQ(to_iso8601(*time, std::string_view(text).contains('.') ? 3 : 0), text);
    }
}

// Nanoseconds in 64 bits reach from 1677 to 2262; a stranger's file may have any date.
TEST(Clock, DatesThatNoClockCanShowAreNothing) {
    EXPECT_TRUE(parse_iso8601("1678-01-01T00:00:00Z"));
    EXPECT_TRUE(parse_iso8601("2261-12-31T23:59:60.999Z"));
    for (const char* text : {"0000-01-01T00:00:00Z", "1013-03-01T12:00:00Z", "1677-12-31T23:59:59Z",
                             "2262-01-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
        EXPECT_FALSE(parse_iso8601(text)) << text;
    }
}

TEST(Clock, WhatIsNoDateIsNothing) {
    for (const char* text :
         {"", "2026", "2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-03-01T24:00:00Z",
          "2026-03-01T12:00:00", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00.Z",
          "2026-03-01T12:00:00.1234567890Z", "2026-03-01T12:00:00Zx", "-026-03-01T12:00:00Z"}) {
        EXPECT_FALSE(parse_iso8601(text)) << text;
    }
}

}  // namespace
}  // namespace weft
