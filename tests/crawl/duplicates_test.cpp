#include <gtest/gtest.h>

#include "crawl/crawl_site.h"
#include "crawl/link_map.h"
#include "crawl/near_duplicates.h"
#include "crawl/recent_set.h"

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

TEST(LinkMap, KeepsTheFirstReferrersAndStaysWithinItsBound) {
    LinkMap links(100'000);
    for (int i = 0; i < 300; ++i) links.add("http://a/lost", fmt::format("http://a/{}", i));

    const std::vector<std::string> pages = links.referrers("http://a/lost");
    ASSERT_EQ(pages.size(), LinkMap::kReferrersMax);
    EXPECT_EQ(pages.front(), "http://a/0");
    EXPECT_FALSE(links.is_cut());
    for (int i = 0; i < 10'000; ++i) links.add(fmt::format("http://a/t{}", i), "http://a/p");
    EXPECT_TRUE(links.is_cut());
    EXPECT_TRUE(links.referrers("http://a/never").empty());
}

TEST(LinkMap, IsFilledOnlyWhenAsked) {
    for (const bool keeps : {false, true}) {
        aio::run([](bool is_kept) -> Co<> {
            TestSite site;
            site.page("/", "<a href=/a>1</a><a href=/b>1</a>");
            site.page("/a", "<a href=/b>1</a>");
            Config config = local_config(site);
            config.keeps_referrers = is_kept;
            frontier::MemoryFrontier frontier(config.max_per_host);
            Crawler crawler(config, frontier, nullptr, [](const Outcome&) {});
            co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                group.create_task(site.serve());
                co_await crawler.run();
                group.cancel();
            });
            EXPECT_EQ(crawler.links().referrers(site.url("/b").href()).size(), is_kept ? 2u : 0u);
        }(keeps));
    }
}

}  // namespace weft::crawl
