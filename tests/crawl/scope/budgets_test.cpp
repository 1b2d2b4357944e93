#include "crawl/scope/budgets.h"

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/crawl_site.h"
#include "crawl/visit/body_credit.h"
#include "support/simulate.h"

namespace weft::crawl {
namespace {

void build_wide(TestSite& site) {
    std::string links;
    for (int i = 0; i < 60; ++i) links += fmt::format("<a href=/p{:c}{}>x</a>", 'a' + i % 26, i);
    site.page("/", links);
}

}  // namespace

TEST(Budgets, WhatHasBegunCountsUntilItEndsOtherwise) {
    Config config;
    config.host_budget = {.page_count_max = 2};
    Budgets budgets(config);

    EXPECT_EQ(budgets.begin(1, 1).room, Room::free);
    EXPECT_EQ(budgets.begin(1, 1).room, Room::free);
    EXPECT_EQ(budgets.begin(1, 1).room, Room::taken);
    budgets.end(1, 1, {});  // It was kept out by robots.txt.
    EXPECT_EQ(budgets.begin(1, 1).room, Room::free);
    budgets.end(1, 1, {.is_page = true});
    budgets.end(1, 1, {.is_page = true});
    const Budgets::Verdict verdict = budgets.begin(1, 1);

    EXPECT_EQ(verdict.room, Room::spent);
    EXPECT_EQ(verdict.rule, Refusal::host_pages);
    EXPECT_EQ(budgets.begin(2, 1).room, Room::free) << "another host";
}

TEST(Budgets, DomainsHaveTheirOwn) {
    Config config;
    config.host_budget = {};
    config.domain_budget = {.bytes_max = 100, .time_max = 10s};
    Budgets budgets(config);
    budgets.begin(1, 9);
    budgets.end(1, 9, {.is_page = true, .bytes = 100});
    budgets.begin(3, 8);
    budgets.end(3, 8, {.is_page = true, .bytes = 1, .time = 10s});

    EXPECT_EQ(budgets.begin(2, 9).rule, Refusal::domain_bytes);
    EXPECT_EQ(budgets.begin(4, 8).rule, Refusal::domain_time);
    EXPECT_EQ(budgets.begin(5, 7).room, Room::free);
}

TEST(Budgets, H71ADomainHasSoManyHosts) {
    Config config;
    config.hosts_per_domain_max = 3;
    Budgets budgets(config);
    for (std::uint64_t host = 1; host <= 3; ++host) EXPECT_TRUE(budgets.admits_host(host, 9));

    EXPECT_FALSE(budgets.admits_host(4, 9));
    EXPECT_TRUE(budgets.admits_host(2, 9));
    EXPECT_TRUE(budgets.admits_host(4, 8));
}

TEST(Budgets, ACrawlsPageLimitIsExactUnderConcurrency) {
    for (const std::uint64_t limit : {1u, 7u, 30u}) {
        const CrawlResult result = crawl_site(build_wide, [&](Config& config) {
            config.crawl_budget.page_count_max = limit;
            config.max_per_host = 16;
        });

        EXPECT_EQ(result.outcome_count, limit);
        EXPECT_EQ(result.requests.size(), limit + 1) << "and robots.txt";
    }
}

TEST(Budgets, AHostsPageLimitIsExactAndTheRestEndsWithTheReason) {
    const CrawlResult result = crawl_site(build_wide, [](Config& config) {
        config.host_budget.page_count_max = 10;
        config.max_per_host = 16;
    });

    EXPECT_EQ(result.requests.size(), 11u);
    EXPECT_EQ(result.statistics.fetched_count, 10u);
    EXPECT_EQ(result.statistics.skipped_count, 51u);
    EXPECT_EQ(result.statistics.by_failure.at("host_pages"), 51u);
}

TEST(Budgets, BytesAndTimeEndACrawl) {
    const CrawlResult bytes = crawl_site(
        [](TestSite& site) {
            build_wide(site);
            for (int i = 0; i < 60; ++i) {
                site.page(fmt::format("/p{:c}{}", 'a' + i % 26, i), std::string(10'000, 'x'));
            }
        },
        [](Config& config) {
            config.crawl_budget.bytes_max = 50'000;
            config.max_per_host = 1;
        });
    const CrawlResult time = crawl_site(
        [](TestSite& site) {
            build_wide(site);
            site.delay = 20ms;
        },
        [](Config& config) {
            config.crawl_budget.time_max = 100ms;
            config.max_per_host = 1;
        });

    EXPECT_GE(bytes.statistics.content_bytes, 50'000u);
    EXPECT_LE(bytes.statistics.content_bytes, 60'000u);
    EXPECT_LT(time.outcome_count, 10u);
}

TEST(BodyCredit, H98IsNeverOverdrawnAndServedInOrder) {
    aio::simulate([]() -> Co<> {
        BodyCredit credit(100);
        BodyCredit::Loan first = co_await credit.borrow(60);
        EXPECT_TRUE(first.grow(80));
        EXPECT_FALSE(first.grow(101));
        std::vector<int> order;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            static constexpr auto kBorrow = [](BodyCredit& from, std::vector<int>& log, int id,
                                               std::size_t bytes) -> Co<> {
                const BodyCredit::Loan loan = co_await from.borrow(bytes);
                EXPECT_LE(from.held_bytes(), 100u);
                log.push_back(id);
                co_await aio::sleep(1s);
            };
            group.create_task(kBorrow(credit, order, 1, 90));
            group.create_task(kBorrow(credit, order, 2, 10));
            group.create_task(kBorrow(credit, order, 3, 1'000));
            co_await aio::sleep(1s);
            first = {};
        });
        EXPECT_EQ(order, (std::vector{1, 2, 3}));
        EXPECT_EQ(credit.held_bytes(), 0u);
    });
}

TEST(BodyCredit, H98LargeAnswersAreKeptOneAfterTheOtherWithinTheBound) {
    aio::run([]() -> Co<> {
        TestSite site;
        std::string links;
        for (int i = 0; i < 12; ++i) {
            links += fmt::format("<a href=/big{}>x</a>", i);
            site.page(fmt::format("/big{}", i), std::string(400'000, static_cast<char>('a' + i)));
        }
        site.page("/", links);
        Config config = local_config(site);
        config.max_per_host = 12;
        config.body_bytes_held_max = 2'000'000;
        std::size_t whole = 0;
        Hooks hooks;
        hooks.on_page = [&](Page& page) -> Co<> {
            if (page.content.size() == 400'000) ++whole;
            co_return;
        };
        frontier::MemoryFrontier frontier(config.max_per_host);
        Crawler crawler(config, frontier, nullptr, std::move(hooks));
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(whole, 12u);
        EXPECT_EQ(crawler.statistics().fetched_count, 13u);
    }());
}

}  // namespace weft::crawl
