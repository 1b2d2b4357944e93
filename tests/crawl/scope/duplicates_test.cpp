#include <gtest/gtest.h>

#include "crawl/crawl_site.h"
#include "crawl/scope/near_duplicates.h"
#include "crawl/scope/recent_set.h"

namespace weft::crawl {

TEST(RecentSet, RemembersTheLastAndForgetsWithinItsBound) {
    RecentSet set(1'000);
    EXPECT_TRUE(set.insert(0));
    EXPECT_FALSE(set.insert(0));
    for (std::uint64_t i = 1; i <= 100'000; ++i) {
        EXPECT_TRUE(set.insert(i * 0x9E3779B97F4A7C15));
        if (i % 100 == 0) EXPECT_TRUE(set.contains((i - 99) * 0x9E3779B97F4A7C15));
    }

    EXPECT_FALSE(set.contains(1 * 0x9E3779B97F4A7C15));
}

TEST(RecentSet, RoomForWhatIsExpectedChangesNothingElse) {
    RecentSet set(64);
    EXPECT_TRUE(set.insert(7));
    set.expect(1'000'000);
    EXPECT_FALSE(set.insert(7));
    for (std::uint64_t i = 100; i < 200; ++i) {
        set.prefetch(i);
        EXPECT_TRUE(set.insert(i));
        EXPECT_TRUE(set.contains(i));
    }

    EXPECT_FALSE(set.contains(7));
    EXPECT_FALSE(set.insert(190)) << "in the older half";
}

TEST(NearDuplicates, AreFoundWithinThreeBits) {
    NearDuplicates pages(10);
    EXPECT_EQ(pages.find_or_add(0xF0F0F0F0F0F0F0F0, "http://a/"), "");

    EXPECT_EQ(pages.find_or_add(0xF0F0F0F0F0F0F0F7, "http://b/"), "http://a/");
    EXPECT_EQ(pages.find_or_add(0x70F0F070F0F0F0F1, "http://c/"), "http://a/");
    EXPECT_EQ(pages.find_or_add(0x70F0F070F0F0F0F3, "http://d/"), "");
    for (std::uint64_t i = 0; i < 100; ++i) {
        pages.find_or_add(i * 0x9E3779B97F4A7C15, fmt::format("http://x/{}", i));
    }
    EXPECT_LE(pages.size(), 10u);
    EXPECT_EQ(pages.find_or_add(0xF0F0F0F0F0F0F0F0, "http://a/"), "") << "forgotten";
}

TEST(NearDuplicates, LongUrlsTakeNoMoreMemory) {
    NearDuplicates pages;
    const std::string tail(60'000, 'x');
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        pages.find_or_add(i * 0x9E3779B97F4A7C15, "http://x/" + tail);
        ASSERT_LE(pages.url_bytes(), NearDuplicates::kUrlBytesMax);
    }
    EXPECT_GT(pages.size(), 100u);
    EXPECT_NE(pages.find_or_add(999 * 0x9E3779B97F4A7C15, ""), "") << "the newest is known";
}

TEST(Duplicates, CopiesAndNearCopiesAreReported) {
    std::string prose;
    for (int i = 0; i < 200; ++i) prose += fmt::format("{}th sentence of the text. ", i);
    const CrawlResult result = crawl_site(
        [&](TestSite& site) {
            site.page("/", "<a href=/a>1</a><a href=/b>2</a><a href=/c>3</a>");
            site.page("/a", "<p>" + prose);
            site.page("/b", "<p>" + prose);
            site.page("/c", "<p>" + prose + "One word.");
        },
        [](Config& config) {
            config.finds_near_duplicates = true;
            config.max_per_host = 1;
        });

    EXPECT_FALSE(result.at("/a").is_duplicate);
    EXPECT_TRUE(result.at("/b").is_duplicate);
    EXPECT_FALSE(result.at("/c").is_duplicate);
    EXPECT_TRUE(result.at("/c").near_duplicate_of.ends_with("/a"));
    EXPECT_EQ(result.statistics.duplicate_count, 1u);
    EXPECT_EQ(result.statistics.near_duplicate_count, 2u);
}

}  // namespace weft::crawl
