#include <map>
#include <set>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/simulated/simulation.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "demo/server/server.h"
#include "frontier/shards/memory_frontier.h"

namespace weft::crawl {
namespace {

using aio::Co;

struct DemoResult {
    std::map<std::string, Outcome> outcomes;
    std::size_t outcome_count = 0;
    demo::Truth truth;
    Statistics statistics;
};

// Crawls one host of the made web with the loop's network, be it real or simulated.
Co<DemoResult> crawl_demo(demo::Options options, std::string host) {
    demo::Listeners listeners = demo::listen(0);
    options.port = listeners.port;
    DemoResult result;
    result.truth = demo::find_truth(options, host);
    Config config;
    config.seeds.push_back(
        web::Url::parse(fmt::format("http://{}:{}/", host, options.port)).value());
    config.wait = Duration::zero();
    config.max_per_host = 8;
    config.try_count_max = 1;
    // Short enough for the pages that never end, long enough for sanitizers on a busy machine.
    config.limits.first_byte_timeout = 4s;
    config.limits.idle_timeout = 4s;
    config.limits.total_timeout = 6s;
    config.limits.content_bytes_max = 1_MiB;
    frontier::MemoryFrontier frontier(config.max_per_host);
    Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                        if (outcome.via == Via::guess) return;  // A sitemap that nobody named.
                        result.outcomes[outcome.url] = outcome;
                        ++result.outcome_count;
                    }});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(demo::serve(std::move(listeners), options));
        co_await crawler.run();
        group.cancel();
    });
    result.statistics = crawler.statistics();
    co_return result;
}

std::set<std::string> urls_within(const demo::Truth& truth, demo::Reach reach) {
    std::set<std::string> urls;
    for (const demo::TrueHost& host : truth.hosts) {
        for (const demo::TrueUrl& url : host.urls) {
            if (url.reach <= reach) urls.insert(url.url);
        }
    }
    return urls;
}

void expect_truth(const DemoResult& result) {
    const std::set<std::string> expected = urls_within(result.truth, demo::Reach::sitemap);
    EXPECT_EQ(result.outcome_count, result.outcomes.size()) << "a URL has two outcomes";
    for (const std::string& url : expected) {
        EXPECT_TRUE(result.outcomes.contains(url)) << "not found: " << url;
    }
    for (const auto& [url, outcome] : result.outcomes) {
        EXPECT_TRUE(expected.contains(url)) << "not there: " << url << " on " << outcome.referrer;
    }
    if (testing::Test::HasFailure()) return;
    for (const demo::TrueUrl& url : result.truth.hosts.at(0).urls) {
        if (url.reach > demo::Reach::sitemap) continue;
        const Outcome& outcome = result.outcomes.at(url.url);
        if (url.robots_disallowed) {
            EXPECT_EQ(outcome.ending, Ending::denied) << url.url;
        } else if (outcome.ending == Ending::failed) {
            EXPECT_NE(url.url.find("/hostile/"), std::string::npos) << url.url;
        } else {
            EXPECT_EQ(outcome.status, url.status) << url.url << ": " << outcome.reason;
        }
    }
}

// The generated web's machines, the first of which the simulated network has already.
void make_machines(aio::SimulatedNetwork& network, Duration latency) {
    for (std::uint8_t i = 2; i <= demo::kHostCount; ++i) {
        const aio::IpAddress address = aio::IpAddress::v4({127, 0, 0, i});
        network.host(address.to_string(), address).latency(latency);
    }
}

}  // namespace

// Of 127.0.0.3 the Crawl-delay takes too long for real time, and 127.0.0.6 has no end.
class DemoTruth : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, DemoTruth,
                         testing::Values("127.0.0.1", "127.0.0.2", "127.0.0.4", "127.0.0.5",
                                         "127.0.0.7", "127.0.0.8"));

TEST_P(DemoTruth, IsFoundExactlyAndEachUrlOnce) {
    const demo::Options options{.page_count = 60, .slow_delay = 5ms, .hostile = true};

    expect_truth(aio::run(crawl_demo(options, GetParam())));
}

TEST(SimulatedDemo, EveryHostWithAnEndIsFoundExactly) {
    for (const char* host : {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5",
                             "127.0.0.7", "127.0.0.8"}) {
        SCOPED_TRACE(host);
        aio::SimulatedLoop loop;
        make_machines(loop.network(), 30ms);

        expect_truth(loop.run(crawl_demo({.page_count = 60, .hostile = true}, host)));
    }
}

TEST(SimulatedDemo, TheCrawlDelayIsKept) {
    aio::SimulatedLoop loop;
    make_machines(loop.network(), 10ms);

    const DemoResult result = loop.run(crawl_demo({.page_count = 10}, "127.0.0.3"));

    EXPECT_GE(loop.now(), 1s * (result.outcome_count / 8)) << "eight may be under way at once";
}

TEST(SimulatedDemo, H68TheCalendarEndsByTheRuleOfItsName) {
    aio::SimulatedLoop loop;
    make_machines(loop.network(), 10ms);

    const DemoResult result = loop.run(crawl_demo({.page_count = 10}, "127.0.0.6"));

    EXPECT_LT(result.outcome_count, 600u);
    EXPECT_GT(result.statistics.refused.at(Refusal::calendar), 0u);
    for (const demo::TrueUrl& url : result.truth.hosts.at(0).urls) {
        EXPECT_TRUE(result.outcomes.contains(url.url)) << url.url;
    }
}

}  // namespace weft::crawl
