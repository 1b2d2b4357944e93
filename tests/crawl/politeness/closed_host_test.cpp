#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"
#include "http/server/server.h"
#include "support/read_warc.h"

// Hosts whose robots.txt is answered by an error, in virtual time.
namespace weft::crawl {
namespace {

using aio::Co;

struct ClosedCrawl {
    explicit ClosedCrawl(std::vector<std::string> the_paths) : paths(std::move(the_paths)) {}

    const std::vector<std::string> paths;
    int bad_count = 1'000'000;  // Answers to robots.txt before the first good one.
    std::size_t max_per_host = 1;

    std::map<std::string, Outcome> outcomes;  // By URL.
    std::vector<Duration> asked;              // When robots.txt was asked for, from the start.
    std::vector<HostStatus> waits;            // What was to be seen five seconds into the crawl.
    Duration elapsed{};
    int page_request_count = 0;
    std::string archived;

    void run() {
        aio::SimulatedLoop loop;
        loop.run([](ClosedCrawl& self, aio::SimulatedLoop& simulation) -> Co<> {
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
        archive::WarcWriter writer("archive", {});
        frontier::MemoryFrontier frontier(max_per_host);
        Crawler crawler(config, frontier, &writer, Hooks{.on_outcome = [&](const Outcome& outcome) {
                            outcomes[outcome.url] = outcome;
                        }});
        const TimePoint start = loop.time();
        const auto look = loop.call_later(5s, [&] { waits = crawler.busy_hosts(); });
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [&](const http::ServerRequest& request,
                                        http::Responder& responder) -> Co<> {
                const bool is_robots = request.target == "/robots.txt";
                if (is_robots) asked.push_back(loop.time() - start);
                page_request_count += !is_robots;
                const bool is_bad = is_robots && --bad_count >= 0;
                co_await responder.reply({.status = is_bad ? 503 : 200});
            };
            group.create_task(
                http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        elapsed = loop.time() - start;
        const auto names = loop.files().list("archive");
        if (names.empty()) co_return;
        archived = loop.files().read_all(std::filesystem::path("archive") / names.front(), 1_MiB);
    }
};

}  // namespace

TEST(ClosedHost, H77IsAskedThreeTimesWithinAMinuteAndTheReasonIsTold) {
    ClosedCrawl crawl({"/"});

    crawl.run();

    EXPECT_EQ(crawl.asked.size(), 3u);
    EXPECT_LT(crawl.elapsed, 60s);
    EXPECT_GE(crawl.elapsed, 45s) << "not hammered";
    EXPECT_EQ(crawl.page_request_count, 0);
    const Outcome& outcome = crawl.outcomes.at("http://a.test/");
    EXPECT_EQ(outcome.ending, Ending::failed);
    EXPECT_EQ(outcome.failure, "robots_unavailable");
    EXPECT_EQ(outcome.reason, "http://a.test/robots.txt answered 503, asked 3 times");
}

TEST(ClosedHost, SaysWhatItWaitsFor) {
    ClosedCrawl crawl({"/"});

    crawl.run();

    ASSERT_EQ(crawl.waits.size(), 1u);
    EXPECT_EQ(crawl.waits[0].name, "a.test");
    EXPECT_EQ(crawl.waits[0].wait, HostWait::robots);
    EXPECT_EQ(crawl.waits[0].robots_status, 503);
    EXPECT_GT(crawl.waits[0].wait_left, 0s);
    EXPECT_LE(crawl.waits[0].wait_left, 10s);
}

TEST(ClosedHost, EveryAnswerOfItsRobotsTxtIsArchivedThoughNoPageIs) {
    ClosedCrawl crawl({"/"});

    crawl.run();

    const archive::WarcContents contents = archive::read_warc(crawl.archived);
    EXPECT_FALSE(contents.error);
    int answer_count = 0;
    for (const archive::StoredRecord& record : contents.records) {
        if (record.header.type() != "response") continue;
        ++answer_count;
        EXPECT_EQ(record.header.target_uri(), "http://a.test/robots.txt");
        EXPECT_TRUE(record.block.starts_with("HTTP/1.1 503 "));
    }
    EXPECT_EQ(answer_count, 3);
}

TEST(ClosedHost, H77WhatElseWaitsThereEndsWithTheSameReasonAndNoFurtherRequest) {
    std::vector<std::string> paths;
    for (int i = 0; i < 200; ++i) paths.push_back(fmt::format("/{}", i));
    ClosedCrawl crawl(paths);

    crawl.run();

    EXPECT_EQ(crawl.outcomes.size(), 200u);
    for (const auto& [url, outcome] : crawl.outcomes) {
        EXPECT_EQ(outcome.failure, "robots_unavailable") << url;
        EXPECT_EQ(outcome.reason, "http://a.test/robots.txt answered 503, asked 3 times") << url;
    }
    EXPECT_EQ(crawl.asked.size(), 3u);
    EXPECT_LT(crawl.elapsed, 60s);
}

TEST(ClosedHost, IsOpenAsSoonAsItsRobotsTxtIsThere) {
    ClosedCrawl crawl({"/", "/a", "/b"});
    crawl.bad_count = 2;

    crawl.run();

    EXPECT_EQ(crawl.asked.size(), 3u);
    EXPECT_EQ(crawl.page_request_count, 3);
    for (const auto& [url, outcome] : crawl.outcomes) EXPECT_EQ(outcome.status, 200) << url;
}

}  // namespace weft::crawl
