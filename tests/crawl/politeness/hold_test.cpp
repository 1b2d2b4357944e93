#include "crawl/politeness/hold.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"
#include "http/server/server.h"

// Hosts that ask to be left alone by Retry-After, in virtual time.
namespace weft::crawl {
namespace {

using aio::Co;

struct HeldCrawl {
    std::vector<std::string> paths = {"/"};
    std::string retry_after = "86400";
    int bad_count = 1'000'000;  // Answers 429 to pages before the first good one.
    int bad_robots_count = 0;   // The same to robots.txt, 503.
    Duration retry_after_max = 1h;

    std::map<std::string, Outcome> outcomes;  // By URL.
    Duration elapsed{};
    int request_count = 0;

    void run() {
        aio::SimulatedLoop loop;
        loop.run([](HeldCrawl& self, aio::SimulatedLoop& simulation) -> Co<> {
            co_await self.crawl(simulation);
        }(*this, loop));
    }

private:
    Co<> crawl(aio::SimulatedLoop& simulation) {
        aio::EventLoop& loop = aio::EventLoop::running();
        Config config;
        for (const std::string& path : paths) {
            config.seeds.push_back(web::Url::parse("http://a.test" + path).value());
        }
        config.wait = Duration::zero();
        config.sitemaps = false;
        config.retry_after_max = retry_after_max;
        frontier::MemoryFrontier frontier(1);
        Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                            outcomes[outcome.url] = outcome;
                        }});
        const TimePoint start = loop.time();
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [&](const http::ServerRequest& request,
                                        http::Responder& responder) -> Co<> {
                const bool is_robots = request.target == "/robots.txt";
                request_count += !is_robots;
                const bool is_bad = is_robots ? --bad_robots_count >= 0 : --bad_count >= 0;
                http::Reply reply{.status = is_robots ? 404 : 200};
                if (is_bad) {
                    reply = {.status = is_robots ? 503 : 429,
                             .headers = {{"Retry-After", retry_after}}};
                }
                co_await responder.reply(std::move(reply));
            };
            group.create_task(
                http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        elapsed = loop.time() - start;
    }
};

}  // namespace

TEST(Hold, WaitsThatOverlapCountOnceAndGoodAnswersEarnTime) {
    const TimePoint now{};
    Hold hold;

    EXPECT_EQ(hold.left(1h, now), 1h);
    hold.wait(now + 40min, now);
    hold.wait(now + 40min, now);
    EXPECT_EQ(hold.left(1h, now), 1h);
    EXPECT_EQ(hold.left(1h, now + 40min), 20min);
    for (int i = 0; i < 10; ++i) hold.on_good_answer();
    EXPECT_EQ(hold.left(1h, now + 40min), 30min);
    for (int i = 0; i < 1'000; ++i) hold.on_good_answer();
    EXPECT_EQ(hold.left(1h, now + 40min), 1h);
}

TEST(Crawler, AHostThatAsksForADayIsPutAsideAndTheCrawlEnds) {
    // It held the crawl for a day, whoever it was.
    HeldCrawl crawl;
    crawl.paths = {"/1", "/2", "/3"};

    crawl.run();

    EXPECT_LT(crawl.elapsed, 1min);
    EXPECT_EQ(crawl.request_count, 1);
    ASSERT_EQ(crawl.outcomes.size(), 3u);
    for (const auto& [url, outcome] : crawl.outcomes) {
        EXPECT_EQ(outcome.failure, "retry_after") << url;
        EXPECT_TRUE(outcome.reason.contains("--max-retry-after")) << outcome.reason;
    }
    EXPECT_EQ(crawl.outcomes.at("http://a.test/1").status, 429);
}

TEST(Crawler, AWaitThatIsNotTooLongIsKept) {
    HeldCrawl crawl;
    crawl.retry_after = "3600";
    crawl.bad_count = 1;

    crawl.run();

    EXPECT_GE(crawl.elapsed, 1h);
    EXPECT_LT(crawl.elapsed, 2h);
    EXPECT_EQ(crawl.outcomes.at("http://a.test/").status, 200);
}

TEST(Crawler, AWaitOneSecondTooLongIsNot) {
    HeldCrawl crawl;
    crawl.retry_after = "3601";
    crawl.bad_count = 1;

    crawl.run();

    EXPECT_LT(crawl.elapsed, 1min);
    EXPECT_EQ(crawl.outcomes.at("http://a.test/").failure, "retry_after");
}

TEST(Crawler, ManyShortWaitsHoldTheCrawlNoLongerThanOneLongOne) {
    HeldCrawl crawl;
    crawl.retry_after = "600";
    for (int i = 0; i < 100; ++i) crawl.paths.push_back("/" + std::to_string(i));

    crawl.run();

    EXPECT_LT(crawl.elapsed, 2h);
    EXPECT_EQ(crawl.outcomes.size(), 101u);
}

TEST(Crawler, ARobotsTxtThatAsksForADayClosesItsHostAtOnce) {
    HeldCrawl crawl;
    crawl.paths = {"/1", "/2"};
    crawl.bad_count = 0;
    crawl.bad_robots_count = 1'000;

    crawl.run();

    EXPECT_LT(crawl.elapsed, 1min);
    EXPECT_EQ(crawl.request_count, 0);
    for (const auto& [url, outcome] : crawl.outcomes) {
        EXPECT_EQ(outcome.failure, "robots_unavailable") << url;
    }
}

}  // namespace weft::crawl
