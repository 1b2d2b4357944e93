#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "aio/simulated/simulation.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"
#include "support/test_site.h"

namespace weft::crawl {

using aio::Co;
using tests::TestSite;

inline Config local_config(const TestSite& site) {
    Config config;
    config.seeds.push_back(site.url("/"));
    config.addresses.allow(*http::AddressRange::parse("127.0.0.0/8"));
    config.wait = Duration::zero();
    config.max_per_host = 4;
    config.try_count_max = 1;
    config.sitemaps = false;  // Tests count requests.
    config.limits.first_byte_timeout = 1s;
    config.limits.idle_timeout = 1s;
    config.limits.total_timeout = 3s;
    return config;
}

struct CrawlResult {
    std::map<std::string, Outcome> outcomes;  // By path.
    std::size_t outcome_count = 0;
    Statistics statistics;
    std::vector<std::string> requests;
    std::size_t in_flight_max = 0;
    Duration elapsed{};

    bool has(const std::string& path) const { return outcomes.contains(path); }
    const Outcome& at(const std::string& path) const { return outcomes.at(path); }
    std::size_t count(const std::string& path) const {
        return static_cast<std::size_t>(std::ranges::count(requests, path));
    }
};

// Builds a site, crawls it from "/" in virtual time and says what came of it.
template <class Build, class Configure>
CrawlResult crawl_site(Build build, Configure configure) {
    return aio::SimulatedLoop().run([](Build build_site, Configure adapt) -> Co<CrawlResult> {
        TestSite site;
        build_site(site);
        Config config = local_config(site);
        adapt(config);
        CrawlResult result;
        frontier::MemoryFrontier frontier(config.max_per_host);
        Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                            result.outcomes[outcome.url.substr(site.origin().size())] = outcome;
                            ++result.outcome_count;
                        }});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await crawler.run();
            group.cancel();
        });
        result.statistics = crawler.statistics();
        result.requests = site.requests();
        result.in_flight_max = site.in_flight_max();
        result.elapsed = aio::EventLoop::running().time().time_since_epoch();
        co_return result;
    }(std::move(build), std::move(configure)));
}

template <class Build>
CrawlResult crawl_site(Build build) {
    return crawl_site(std::move(build), [](Config&) {});
}

}  // namespace weft::crawl
