// All fetches of a thread once decoded into one buffer: large coded pages of a crawl were mixed, so
// links, titles and digests of one site came from another.
#include "support/coded_pages.h"

#include <map>

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"

namespace weft::crawl {
namespace {

using aio::Co;
using aio::SimulatedLoop;
using tests::CodedPage;

Co<std::map<std::string, Outcome>> crawl(SimulatedLoop& loop, const std::vector<CodedPage>& pages,
                                         std::uint64_t seed) {
    Config config;
    config.sitemaps = false;
    for (const CodedPage& page : pages) {
        config.seeds.push_back(web::Url::parse(page.url()).value());
    }
    std::map<std::string, Outcome> outcomes;
    frontier::MemoryFrontier frontier(config.max_per_host);
    Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                        outcomes[outcome.url] = outcome;
                    }});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(tests::serve_coded_pages(loop, pages, seed));
        co_await aio::yield_now();
        co_await crawler.run();
        group.cancel();
    });
    co_return outcomes;
}

}  // namespace

TEST(CodedPages, H135OfAHundredHostsAtOnceHaveTheDigestsTheyHaveAlone) {
    const std::vector<CodedPage> pages = tests::make_coded_pages(100);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        SimulatedLoop loop(seed);

        const std::map<std::string, Outcome> outcomes = loop.run(crawl(loop, pages, seed));

        ASSERT_EQ(outcomes.size(), pages.size());
        for (std::size_t i = 0; i < pages.size(); ++i) {
            const Outcome& outcome = outcomes.at(pages[i].url());
            EXPECT_EQ(outcome.digest, fmt::format("xxh3:{:016x}", pages[i].digest))
                << pages[i].url() << " as '" << pages[i].coding << "', seed " << seed;
            EXPECT_EQ(outcome.title, fmt::format("page {}", i));
            EXPECT_EQ(outcome.content_bytes, pages[i].content.size());
            EXPECT_FALSE(outcome.is_duplicate);
        }
        if (testing::Test::HasFailure()) return;
    }
    for (std::size_t i = 0; i < 6; ++i) {  // One of each coding.
        SimulatedLoop loop;
        const std::vector<CodedPage> one{pages[i]};
        const std::map<std::string, Outcome> alone = loop.run(crawl(loop, one, 1));
        EXPECT_EQ(alone.at(one[0].url()).digest, fmt::format("xxh3:{:016x}", one[0].digest));
    }
}

}  // namespace weft::crawl
