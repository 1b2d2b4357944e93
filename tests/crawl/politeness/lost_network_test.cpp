// A lost network ends a crawl, resumable; dead hosts and dead names do not.
#include <gtest/gtest.h>

#include "crawl/canary_crawl.h"

namespace weft::crawl {
namespace {

using aio::NameFault;
using aio::Reach;

std::size_t count_failed(const CanaryCrawl& crawl, std::string_view part = "") {
    std::size_t count = 0;
    for (const auto& [url, outcome] : crawl.outcomes) {
        count += !outcome.failure.empty() && url.find(part) != std::string::npos;
    }
    return count;
}

}  // namespace

// Sixty images of one page ended the crawl: "the network seems to be down".
TEST(LostNetwork, ManyNamesThatNobodyCanResolveAreNone) {
    for (const NameFault fault : {NameFault::server_failure, NameFault::no_answer}) {
        CanaryCrawl crawl;
        crawl.page_count_max = 100;
        crawl.config.try_count_max = 1;
        crawl.config.requisites = Requisites::all;
        for (int i = 0; i < 60; ++i) {
            const std::string name = fmt::format("image{}.test", i);
            crawl.loop.network().name(name).fails(fault);
            crawl.extra_html += fmt::format("<img src='http://{}/'>", name);
        }
        crawl.run();

        EXPECT_EQ(crawl.stop_reason, StopReason::none);
        EXPECT_EQ(crawl.canary_count, 101);
        EXPECT_EQ(count_failed(crawl, "image"), 60u);
    }
}

// Thirty seeds without DNS beside a good host ended the crawl after five seconds.
TEST(LostNetwork, SeedsWhoseNamesAreNeverAnsweredAreNone) {
    CanaryCrawl crawl;
    for (int i = 0; i < 30; ++i) {
        const std::string name = fmt::format("dead{}.test", i);
        crawl.seed(name);
        crawl.loop.network().name(name).fails(NameFault::no_answer);
    }
    crawl.run();

    EXPECT_EQ(crawl.stop_reason, StopReason::time);
    EXPECT_GT(crawl.canary_count, 600);
}

TEST(LostNetwork, HostsThatNeverAnsweredAreNoneHoweverMany) {
    for (const Reach reach : {Reach::unreachable, Reach::black_hole}) {
        CanaryCrawl crawl;
        crawl.page_count_max = 3;
        crawl.time_max = 10min;
        for (int i = 0; i < 50; ++i) {
            const std::string name = fmt::format("dead{}.test", i);
            crawl.seed(name);
            crawl.loop.network().host(name).reach(reach);
        }
        crawl.run();

        EXPECT_EQ(crawl.stop_reason, StopReason::none) << "the canary ended long before";
        EXPECT_EQ(count_failed(crawl, "dead"), 50u);
    }
}

TEST(LostNetwork, AnsweringHostsThatAllDieButOneAreNone) {
    CanaryCrawl crawl;
    crawl.time_max = 5min;
    crawl.page_count_max = 100;
    for (int i = 0; i < 20; ++i) {
        const std::string name = fmt::format("mortal{}.test", i);
        crawl.add_host(
            name, [](const http::ServerRequest& request, http::Responder& responder) -> aio::Co<> {
                const bool is_robots = request.target == "/robots.txt";
                co_await responder.reply(
                    {.status = is_robots ? 404 : 200,
                     .headers = {{"Content-Type", "text/html"}},
                     .body = is_robots ? "" : "<a href='/1'>1</a><a href='/2'>2</a>"});
            });
        crawl.loop.network().at(100ms, [&crawl, name] {
            crawl.loop.network().host(name).reach(Reach::black_hole);
            crawl.loop.network().lose_connections(name);
        });
    }
    crawl.run();

    EXPECT_EQ(crawl.stop_reason, StopReason::none);
    EXPECT_EQ(crawl.canary_count, 101);
    EXPECT_GT(count_failed(crawl, "mortal"), 0u);
}

// Whatever cuts the machine off, nothing is recorded as failed because of it.
TEST(LostNetwork, ACutNetworkEndsTheCrawlWithASingleUrlLeft) {
    for (const bool is_far : {false, true}) {
        CanaryCrawl crawl;
        crawl.time_max = 10min;
        crawl.page_count_max = 20;
        crawl.config.try_count_max = 1;
        crawl.on_page = [&] {
            if (crawl.canary_count != 20) return;
            if (is_far) {  // Somewhere beyond the first router.
                crawl.loop.network().partition({"here"});
                crawl.loop.network().name("canary.test").fails(NameFault::no_answer);
            } else {
                crawl.loop.network().host("here").reach(Reach::unreachable);
                crawl.loop.network().lose_connections("here");
            }
        };
        crawl.run();

        EXPECT_EQ(crawl.stop_reason, StopReason::network) << is_far;
        EXPECT_EQ(count_failed(crawl), 0u) << is_far;
        EXPECT_GT(crawl.counts.waiting, 0u) << is_far;
        EXPECT_LT(crawl.elapsed, 60s) << is_far;
    }
}

TEST(LostNetwork, NameServersThatDieAndReturnFailNoUrl) {
    CanaryCrawl crawl;
    crawl.time_max = 10min;
    crawl.page_count_max = 2'000;
    crawl.config.try_count_max = 1;
    std::vector<std::string> names;
    for (int i = 0; i < 20; ++i) names.push_back(fmt::format("late{}.test", i));
    for (const std::string& name : names) {
        crawl.extra_html += fmt::format("<a href='http://{}/'>late</a>", name);
        crawl.add_host(name,
                       [](const http::ServerRequest&, http::Responder& responder) -> aio::Co<> {
                           co_await responder.reply({.status = 200});
                       });
        crawl.config.seeds.pop_back();  // Only the canary links to it.
    }
    names.emplace_back("canary.test");
    crawl.on_page = [&] {
        if (crawl.canary_count != 1) return;
        for (const std::string& name : names) {
            crawl.loop.network().name(name).fails(NameFault::server_failure);
        }
    };
    crawl.loop.network().at(40s, [&] {
        for (const std::string& name : names) {
            crawl.loop.network().name(name).fails(NameFault::none);
        }
    });
    crawl.run();

    EXPECT_EQ(crawl.stop_reason, StopReason::none);
    EXPECT_EQ(count_failed(crawl), 0u);
    for (const std::string& name : names) {
        EXPECT_TRUE(crawl.outcomes.contains("http://" + name + "/")) << name;
    }
}

TEST(LostNetwork, NameServersThatStayAwayEndTheCrawl) {
    CanaryCrawl crawl;
    crawl.time_max = 10min;
    crawl.page_count_max = 3;
    crawl.config.try_count_max = 1;
    crawl.extra_html = "<a href='http://late.test/'>late</a>";
    crawl.loop.network().host("late.test");
    crawl.on_page = [&] {
        crawl.loop.network().name("late.test").fails(NameFault::no_answer);
        crawl.loop.network().name("canary.test").fails(NameFault::no_answer);
    };
    crawl.run();

    EXPECT_EQ(crawl.stop_reason, StopReason::network);
    EXPECT_EQ(count_failed(crawl), 0u);
    EXPECT_EQ(crawl.counts.waiting, 1u);
}

TEST(LostNetwork, WhatNeverWasThereIsNotLost) {
    CanaryCrawl crawl;
    crawl.has_canary = false;
    crawl.time_max = 1h;
    crawl.loop.network().host("here").reach(Reach::unreachable);
    crawl.seed("a.test");
    crawl.run();

    EXPECT_EQ(crawl.stop_reason, StopReason::none);
    EXPECT_EQ(count_failed(crawl), 1u);
}

}  // namespace weft::crawl
