// Whole crawls in virtual time: politeness to the nanosecond, and ten thousand hosts in seconds.
#include <ctime>
#include <map>

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "crawl/vast_web.h"
#include "frontier/shards/disk_frontier.h"
#include "frontier/shards/memory_frontier.h"
#include "http/server/server.h"

namespace weft::crawl {
namespace {

using aio::Co;
using aio::SimulatedLoop;

// A generated web: each host has a home page with links to its other pages.
class MadeWeb {
public:
    MadeWeb(SimulatedLoop& loop, int host_count, int pages_per_host)
        : loop_(loop), host_count_(host_count), pages_per_host_(pages_per_host) {}

    static std::string host(int index) { return fmt::format("h{}.test", index); }

    void seed(Config& config) const {
        for (int i = 0; i < host_count_; ++i) {
            config.seeds.push_back(web::Url::parse("http://" + host(i) + "/").value());
        }
    }

    // Until cancelled.
    Co<> serve() {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (int i = 0; i < host_count_; ++i) {
                auto listener = loop_.network().listen(host(i), 80);
                http::Handler handler = [this](const http::ServerRequest& request,
                                               http::Responder& responder) -> Co<> {
                    co_await answer(request, responder);
                };
                group.create_task(http::serve(std::move(listener), std::move(handler)));
            }
            co_await aio::sleep(24h * 365);
        });
    }

    struct Visit {
        std::string target;
        Duration when;
    };
    std::map<std::string, std::vector<Visit>> visits;  // By host.
    std::string robots;                                // Of every host; empty: there is none.

private:
    Co<> answer(const http::ServerRequest& request, http::Responder& responder) {
        visits[std::string(request.headers.get("Host").value_or(""))].push_back(
            {request.target, loop_.now()});
        if (request.target == "/robots.txt") {
            co_await responder.reply({.status = robots.empty() ? 404 : 200, .body = robots});
            co_return;
        }
        std::string html = "<title>made</title>";
        for (int i = 1; request.target == "/" && i < pages_per_host_; ++i) {
            html += fmt::format("<a href='/{}'>page</a>", i);
        }
        co_await responder.reply({.headers = {{"Content-Type", "text/html"}}, .body = html});
    }

    SimulatedLoop& loop_;
    int host_count_;
    int pages_per_host_;
};

Co<Statistics> crawl(MadeWeb& made, const Config& config, frontier::Frontier& frontier) {
    Crawler crawler(config, frontier, nullptr, {});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(made.serve());
        co_await aio::yield_now();  // All listen.
        co_await crawler.run();
        group.cancel();
    });
    co_return crawler.statistics();
}

Co<Statistics> crawl(MadeWeb& made, Config config) {
    made.seed(config);
    frontier::MemoryFrontier frontier(config.max_per_host);
    co_return co_await crawl(made, config, frontier);
}

// bench/crawl/month does the same with a million hosts.
TEST(SimulatedCrawl, AMonthOfVirtualTimeIsSurvived) {
    SimulatedLoop loop;
    VastWeb vast(loop.network(), 2'000);

    const frontier::Counts counts = loop.run([](VastWeb& web) -> Co<frontier::Counts> {
        const Config config = web.config();
        const auto frontier =
            co_await frontier::DiskFrontier::open("/crawl", {.memory_bytes = 4_MiB});
        Crawler crawler(config, *frontier, nullptr, {});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(web.serve());
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(crawler.statistics().failed_count, 0u);
        EXPECT_EQ(crawler.statistics().retry_count, 20u * 28u);
        co_return frontier->counts();
    }(vast));

    EXPECT_EQ(counts.done, vast.url_count());
    EXPECT_EQ(counts.seen, counts.done);
    EXPECT_GE(loop.now(), 28 * 24h);
    EXPECT_LE(loop.now(), 30 * 24h);
}

}  // namespace

TEST(SimulatedCrawl, BandwidthIsThatOfTheWholeCrawl) {
    SimulatedLoop loop;
    MadeWeb made(loop, 20, 50);
    Config config;
    config.sitemaps = false;
    config.client.bandwidth = std::make_shared<http::Bandwidth>(100);

    const Statistics statistics = loop.run(crawl(made, config));

    EXPECT_EQ(statistics.outcome_count, 1'000u);
    EXPECT_EQ(statistics.failed_count, 0u);
    const auto least = std::chrono::seconds(statistics.content_bytes / 100);
    EXPECT_GE(loop.now(), least);
    EXPECT_LE(loop.now(), least + least / 10);
}

TEST(SimulatedCrawl, FetchesOfOneHostAreSpacedExactlyByTheWait) {
    SimulatedLoop loop;
    loop.network().host(MadeWeb::host(0)).latency(10ms);
    loop.network().host(MadeWeb::host(1)).latency(150ms);
    MadeWeb made(loop, 3, 5);
    Config config;
    config.sitemaps = false;
    config.wait = 5s;

    const Statistics statistics = loop.run(crawl(made, config));

    EXPECT_EQ(statistics.outcome_count, 15u);
    EXPECT_EQ(made.visits.size(), 3u);
    for (const auto& [host, visits] : made.visits) {
        ASSERT_EQ(visits.size(), 6u);  // And robots.txt.
        const Duration latency = loop.network().host(host).link().latency;
        for (std::size_t i = 2; i < visits.size(); ++i) {
            // The answer's way back, the wait, the next request's way there.
            EXPECT_EQ(visits[i].when - visits[i - 1].when, 5s + 2 * latency) << host << i;
        }
    }
}

// With several fetches of a host at once, as many began together.
TEST(SimulatedCrawl, ACrawlDelayLiesBetweenAnyTwoFetchesOfAHost) {
    for (const std::size_t max_per_host : {1uz, 2uz, 8uz}) {
        SimulatedLoop loop;
        MadeWeb made(loop, 2, 12);
        made.robots = "User-agent: *\nCrawl-delay: 30\n";
        Config config;
        config.sitemaps = false;
        config.wait = Duration::zero();
        config.max_per_host = max_per_host;
        config.try_count_max = 1;

        const Statistics statistics = loop.run(crawl(made, config));

        EXPECT_EQ(statistics.outcome_count, 24u);
        EXPECT_LT(loop.now(), 12 * 31s);
        for (const auto& [host, visits] : made.visits) {
            ASSERT_EQ(visits.size(), 13u);
            for (std::size_t i = 2; i < visits.size(); ++i) {
                EXPECT_GE(visits[i].when - visits[i - 1].when, Duration(30s)) << host << i;
            }
        }
    }
}

TEST(SimulatedCrawl, H100AClockThatJumpsMovesNoTimerAndExpiresNothing) {
    SimulatedLoop loop;
    MadeWeb made(loop, 3, 9);
    for (int i = 0; i < 3; ++i) loop.network().host(MadeWeb::host(i)).latency(10ms);
    loop.network().at(7s, [&] { loop.jump_wall(365 * 24h); });
    loop.network().at(17s, [&] { loop.jump_wall(-366 * 24h); });
    loop.network().at(27s, [&] { loop.jump_wall(24h + 1s); });

    const Statistics statistics = loop.run([](MadeWeb& web) -> Co<Statistics> {
        Config config;
        config.sitemaps = false;
        config.wait = 5s;
        web.seed(config);
        const auto frontier = co_await frontier::DiskFrontier::open("/crawl", {});
        Statistics numbers = co_await crawl(web, config, *frontier);
        co_await frontier->finish();
        co_return numbers;
    }(made));

    EXPECT_EQ(statistics.outcome_count, 27u);
    for (const auto& [host, visits] : made.visits) {
        ASSERT_EQ(visits.size(), 10u) << "robots.txt is asked for once";
        for (std::size_t i = 2; i < visits.size(); ++i) {
            EXPECT_EQ(visits[i].when - visits[i - 1].when, 5s + 20ms) << host << i;
        }
    }
}

TEST(SimulatedCrawl, TenThousandHostsTakeSecondsOfRealTime) {
    const std::clock_t start = std::clock();  // Of this process: the machine may be busy.
    SimulatedLoop loop;
    MadeWeb made(loop, 10'000, 3);
    for (int i = 0; i < 10'000; ++i) loop.network().host(MadeWeb::host(i)).latency(50ms);
    Config config;
    config.sitemaps = false;
    config.wait = 10s;
    config.concurrency = 20'000;

    const Statistics statistics = loop.run(crawl(made, config));

    EXPECT_EQ(statistics.outcome_count, 30'000u);
    EXPECT_GE(loop.now(), 20s);
    EXPECT_LE(loop.now(), 22s);
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 60);
}

}  // namespace weft::crawl
