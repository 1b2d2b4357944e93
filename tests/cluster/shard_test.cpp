#include "cluster/shard.h"

#include <set>

#include <gtest/gtest.h>

#include "redis/slots.h"

namespace weft::cluster {

namespace {

TEST(Shard, TagsLieSixteenSlotsApart) {
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        EXPECT_EQ(redis::slot_of(tag_of(shard)), 16 * shard);
        EXPECT_LE(tag_of(shard).size(), 4U);
    }
}

// They are in the names of stored keys, so they never change.
TEST(Shard, TagsAreFirstOfTheirSlot) {
    EXPECT_EQ(tag_of(0), "la2");
    EXPECT_EQ(tag_of(1), "04b");
    EXPECT_EQ(tag_of(1'023), "4w8");
}

TEST(Shard, KeysOfAShardShareItsSlot) {
    const CrawlKeys keys("w12");

    EXPECT_EQ(redis::slot_of(keys.shard(500)), 8'000);
    EXPECT_EQ(keys.shard(500), "w12{" + std::string(tag_of(500)) + "}m");
    EXPECT_EQ(keys.workers(), "{w12}w");
    EXPECT_EQ(redis::slot_of(keys.workers()), redis::slot_of(keys.budget()));
    EXPECT_EQ(keys.address("::1"), "w12i:{::1}");
}

TEST(Shard, DomainsSpreadByTheSeedOfTheCrawl) {
    std::set<std::uint16_t> shards;
    for (int seed = 0; seed < 100; ++seed) {
        const std::uint16_t shard = shard_of("example.com", static_cast<std::uint64_t>(seed));
        EXPECT_LT(shard, kShardCount);
        EXPECT_EQ(shard, shard_of("example.com", static_cast<std::uint64_t>(seed)));
        shards.insert(shard);
    }
    EXPECT_GT(shards.size(), 80U);
}

}  // namespace

}  // namespace weft::cluster
