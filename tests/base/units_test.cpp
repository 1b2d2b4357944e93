#include "base/units.h"

#include <set>

#include <gtest/gtest.h>

#include "base/random.h"

namespace weft {

TEST(Units, ReadAsAPersonSaysThem) {
    EXPECT_EQ(human_bytes(512), "512 B");
    EXPECT_EQ(human_bytes(1536), "1.50 KiB");
    EXPECT_EQ(human_bytes(40_MiB), "40.0 MiB");
    EXPECT_EQ(human_duration(87ms), "87 ms");
    EXPECT_EQ(human_duration(61'200ms), "61.2 s");
    EXPECT_EQ(human_duration(62min), "1 h 02 min");
    EXPECT_EQ(human_count(1234567), "1,234,567");
    EXPECT_EQ(human_count(999), "999");
}

TEST(Clock, DatesAreUtc) {
    const WallTime time{std::chrono::seconds(1'772'366'400) + 123'456'789ns};

    EXPECT_EQ(to_iso8601(time), "2026-03-01T12:00:00Z");
    EXPECT_EQ(to_iso8601(time, 6), "2026-03-01T12:00:00.123456Z");
    EXPECT_EQ(to_timestamp14(time), "20260301120000");
}

TEST(Random, OneSeedGivesOneSequence) {
    Random a(7);
    Random b(7);
    std::set<std::uint64_t> seen;

    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t value = a.below(10);
        EXPECT_EQ(value, b.below(10));
        seen.insert(value);
    }

    EXPECT_EQ(seen.size(), 10u);
}

}  // namespace weft
