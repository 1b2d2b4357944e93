// The whole crawler in simulated time, on a simulated network with faults, a different web for each
// seed. A failing seed is printed; WEFT_SIMULATION_SEED=N runs that one alone, and
// WEFT_SIMULATION_COUNT=N so many instead of 200.
#include "aio/simulated/simulation.h"

#include <charconv>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "crawl/simulated_web.h"
#include "frontier/shards/memory_frontier.h"

namespace weft::crawl {
namespace {

using aio::Co;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    if (!text) return otherwise;
    std::uint64_t value = otherwise;
    std::from_chars(text, text + std::string_view(text).size(), value);
    return value;
}

struct CrawlRun {
    std::map<std::string, Outcome> outcomes;
    std::vector<std::string> violations;
    Statistics statistics;
    frontier::Counts counts;
};

Co<CrawlRun> crawl(SimulatedWeb& web, Config config) {
    CrawlRun run;
    frontier::MemoryFrontier frontier(config.max_per_host);
    Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                        const bool is_first = run.outcomes.emplace(outcome.url, outcome).second;
                        if (!is_first) run.violations.push_back("ended twice: " + outcome.url);
                        const frontier::Counts now = frontier.counts();
                        if (now.seen != now.waiting + now.lent + now.done) {
                            run.violations.emplace_back("URLs are missing from the counts");
                        }
                    }});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(web.serve());
        co_await aio::yield_now();
        co_await crawler.run();
        group.cancel();
    });
    run.statistics = crawler.statistics();
    run.counts = frontier.counts();
    co_return run;
}

void expect_truth(const SimulatedWeb& web, const CrawlRun& run) {
    for (const std::string& url : web.reachable()) {
        const auto found = run.outcomes.find(url);
        if (found == run.outcomes.end()) {
            ADD_FAILURE() << "not found: " << url;
        } else if (found->second.status == 0) {
            ADD_FAILURE() << url << ": " << found->second.failure << ", " << found->second.reason;
        }
    }
    for (const auto& [url, outcome] : run.outcomes) {
        if (outcome.via == Via::guess || outcome.via == Via::sitemap) continue;
        if (outcome.ending == Ending::denied) {
            EXPECT_TRUE(web.denied().contains(url)) << "denied: " << url;
        } else {
            EXPECT_TRUE(web.reachable().contains(url))
                << "not there: " << url << " by " << name(outcome.via) << " on "
                << outcome.referrer;
        }
    }
}

}  // namespace

TEST(Simulation, EverySeededWebIsFoundExactlyAndPolitely) {
    const std::uint64_t first = number_from("WEFT_SIMULATION_SEED", 1);
    const bool is_replay = std::getenv("WEFT_SIMULATION_SEED") != nullptr;
    const std::uint64_t count = is_replay ? 1 : number_from("WEFT_SIMULATION_COUNT", 200);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        SCOPED_TRACE(fmt::format("replay with WEFT_SIMULATION_SEED={}", seed));
        aio::SimulatedLoop loop(seed);
        SimulatedWeb web(loop, seed);

        const CrawlRun run = loop.run(crawl(web, web.config()));

        for (const std::string& violation : web.violations()) ADD_FAILURE() << violation;
        for (const std::string& violation : run.violations) ADD_FAILURE() << violation;
        EXPECT_EQ(run.counts.waiting + run.counts.lent, 0u);
        expect_truth(web, run);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Simulation, BudgetsAreNeverPassedWhateverTheConcurrency) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        aio::SimulatedLoop loop(seed);
        SimulatedWeb web(loop, seed);
        Config config = web.config();
        config.max_per_host = 3;
        config.sitemaps = false;
        const std::uint64_t limit = 1 + seed % 17;
        const bool is_per_host = seed % 2 == 0;
        (is_per_host ? config.host_budget : config.crawl_budget).page_count_max = limit;

        const CrawlRun run = loop.run(crawl(web, config));

        std::map<std::string, std::uint64_t> asked;  // By host, or all.
        for (const auto& [url, outcome] : run.outcomes) {
            if (outcome.ending == Ending::denied || outcome.ending == Ending::skipped) continue;
            ++asked[is_per_host ? std::string(web::Url::parse(url)->host()) : ""];
        }
        for (const auto& [host, pages] : asked) EXPECT_LE(pages, limit) << host;
        if (!is_per_host && web.reachable().size() > 60) EXPECT_EQ(asked[""], limit);
        EXPECT_EQ(run.counts.lent, 0u);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Simulation, TheSameSeedGivesTheSameCrawl) {
    const auto trace_of = [](std::uint64_t seed) {
        aio::SimulatedLoop loop(seed);
        SimulatedWeb web(loop, seed);
        const CrawlRun run = loop.run(crawl(web, web.config()));
        return std::pair(loop.now(), web.request_count() + run.statistics.retry_count);
    };

    EXPECT_EQ(trace_of(7), trace_of(7));
    EXPECT_NE(trace_of(7), trace_of(8));
}

}  // namespace weft::crawl
