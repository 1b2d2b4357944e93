// What the reference crawler offers (F), and what it gets wrong (W).
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "crawl/crawl_site.h"
#include "http/server/server.h"

namespace weft::crawl {

TEST(Reference, F1F3F4F5F15ADeepRootWithAFragmentAdmitsItsSite) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/a/deep", "<a href=../b#x>1</a><a href=../b#y>2</a><a href='?q'>3</a>");
            site.page("/b", "<a href=/a/deep#z>back</a>");
        },
        [](Config& config) {
            config.seeds = {config.seeds.front().resolve("/a/deep#fragment").value()};
        });

    EXPECT_EQ(result.outcome_count, 3u);
    EXPECT_TRUE(result.has("/a/deep?q"));
    EXPECT_EQ(result.at("/a/deep").link_count, 2u);
    EXPECT_EQ(result.at("/b").new_link_count, 0u);
}

TEST(Reference, F2ExcludedAndForeignSchemesAreNotAskedFor) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/",
                      "<a href=/yes>1</a><a href=/no.pdf>2</a><a href=ftp://127.0.0.1/>3</a>"
                      "<a href=mailto:a@b>4</a>");
            site.reply("/yes", {.status = 302, .headers = {{"Location", "/also-no.pdf"}}});
        },
        [](Config& config) { config.exclude = {web::Pattern::parse("\\.pdf$").value()}; });

    EXPECT_EQ(result.outcome_count, 2u);
    EXPECT_EQ(result.statistics.refused.at(Refusal::excluded), 2u);
    EXPECT_EQ(result.statistics.refused_by.at("\\.pdf$"), 2u);
}

TEST(Reference, F10W9EveryKindOfRedirectIsFollowed) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        std::string links;
        for (const int status : {300, 301, 302, 303, 307, 308}) {
            links += fmt::format("<a href=/{}>x</a>", status);
            site.reply(fmt::format("/{}", status),
                       {.status = status,
                        .headers = {{"Location", fmt::format("/to{:c}", 'a' + status % 26)}}});
        }
        site.page("/", links);
    });

    EXPECT_EQ(result.statistics.redirect_count, 6u);
    EXPECT_EQ(result.outcome_count, 13u);
}

TEST(Reference, F10ARedirectCycleEnds) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.reply("/", {.status = 301, .headers = {{"Location", "/foo"}}});
        site.reply("/foo", {.status = 302, .headers = {{"Location", "/"}}});
    });

    EXPECT_EQ(result.outcome_count, 2u);
}

TEST(Reference, H33TwoLocationsAreNoRedirect) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.reply("/", {.status = 302, .headers = {{"Location", "/a"}, {"Location", "/b"}}});
    });

    EXPECT_EQ(result.outcome_count, 1u);
    EXPECT_EQ(result.at("/").reason, "redirect with two Locations");
}

TEST(Reference, F12DroppedConnectionsAreTriedAgain) {
    aio::run([]() -> Co<> {
        int request_count = 0;
        auto listener = aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
        Config config;
        config.seeds = {
            web::Url::parse(fmt::format("http://127.0.0.1:{}/", listener->local().port)).value()};
        config.obey_robots = false;
        config.try_count_max = 3;
        Outcome last;
        Hooks hooks;
        hooks.on_outcome = [&](const Outcome& outcome) { last = outcome; };
        frontier::MemoryFrontier frontier(1);
        Crawler crawler(config, frontier, nullptr, std::move(hooks));
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [&](const http::ServerRequest&,
                                        http::Responder& responder) -> Co<> {
                if (++request_count < 2) {
                    static_cast<void>(responder.stream());  // Closed without a word.
                } else {
                    co_await responder.reply({.body = "at last"});
                }
            };
            group.create_task(http::serve(std::move(listener), std::move(handler)));
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(last.status, 200);
        EXPECT_EQ(last.attempt_count, 2u);
        EXPECT_EQ(crawler.statistics().retry_count, 1u);
    }());
}

TEST(Reference, F13W17OnlyGoodPagesOfTheRightTypeAreSearched) {
    const auto typed = [](const char* type, std::string body) {
        return http::Reply{.headers = {{"Content-Type", type}}, .body = std::move(body)};
    };
    const CrawlResult result = crawl_site([&](TestSite& site) {
        site.page("/",
                  "<a href=/xml>1</a><a href=/xhtml>2</a><a href=/image>3</a><a href=/foo>4</a>"
                  "<a href=/gone>5</a><a href=/meta>6</a>");
        site.reply("/xml", typed("application/xml", "<x><a href=\"/from-xml\">y</a></x>"));
        site.reply("/xhtml", typed("application/xhtml+xml",
                                   "<html xmlns='http://www.w3.org/1999/xhtml'><body>"
                                   "<a href='/from-xhtml'>y</a></body></html>"));
        site.reply("/image", typed("image/png", "<a href=/from-image>y</a>"));
        site.reply("/foo", typed("foo", "<a href=/from-foo>y</a>"));
        site.reply("/gone", {.status = 404,
                             .headers = {{"Content-Type", "text/html"}},
                             .body = "<a href=/from-404>y</a>"});
        site.page("/meta", "<meta charset=windows-1252><a href='/\x80'>euro</a>");
    });

    EXPECT_TRUE(result.has("/from-xml"));
    EXPECT_TRUE(result.has("/from-xhtml"));
    EXPECT_TRUE(result.has("/%E2%82%AC"));
    EXPECT_EQ(result.at("/foo").content_type, "foo");
    EXPECT_EQ(result.outcome_count, 10u);
}

TEST(Reference, F14W16NothingButLinksIsALink) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/",
                  "<!-- <a href='/comment'> --><script>x = \"<a href='/script'>\"</script>"
                  "<div data-href='/data'></div><textarea><a href='/area'></textarea>"
                  "<base href='/sub/'><a href = unquoted>1</a><a href=' spaced '>2</a>"
                  "<a href='two words'>3</a><img src=picture.png>");
    });

    EXPECT_TRUE(result.has("/sub/unquoted"));
    EXPECT_TRUE(result.has("/sub/spaced"));
    EXPECT_TRUE(result.has("/sub/two%20words"));
    EXPECT_TRUE(result.has("/sub/picture.png"));
    EXPECT_EQ(result.outcome_count, 5u);
}

TEST(Reference, F19WhatIsFoundFirstIsAskedForFirst) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "<a href=/a>1</a><a href=/b>2</a><a href=/c>3</a>");
            site.page("/a", "<a href=/d>4</a><a href=/b>2</a>");
            site.page("/b", "<a href=/e>5</a>");
        },
        [](Config& config) { config.max_per_host = 1; });

    EXPECT_EQ(result.requests,
              (std::vector<std::string>{"/robots.txt", "/", "/a", "/b", "/c", "/d", "/e"}));
}

TEST(Reference, F20F21SoManyAtOnceUntilNothingIsLeft) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            std::string links = "<a href='http://[broken'>x</a>";
            for (int i = 0; i < 60; ++i) links += fmt::format("<a href=/{}>x</a>", i);
            site.page("/", links);
            site.delay = 5ms;
        },
        [](Config& config) {
            config.concurrency = 3;
            config.max_per_host = 50;
        });

    EXPECT_EQ(result.outcome_count, 61u);
    EXPECT_EQ(result.in_flight_max, 3u);
}

// After a failure the host is a slow one until it answers: as many again may be under way there.
TEST(Reference, F20F21APageThatFailsEndsNoWorker) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            std::string links = "<a href=/cut>x</a>";
            for (int i = 0; i < 60; ++i) links += fmt::format("<a href=/{}>x</a>", i);
            site.page("/", links);
            site.raw("/cut", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx");
            site.delay = 5ms;
        },
        [](Config& config) {
            config.concurrency = 3;
            config.max_per_host = 50;
        });

    EXPECT_EQ(result.outcome_count, 62u);
    EXPECT_GE(result.in_flight_max, 3u);
    EXPECT_LE(result.in_flight_max, 6u);
}

TEST(Reference, W15EntitiesInLinksAreRead) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/", "<a href='/x?a=1&amp;b=2'>1</a><a href=\"/x?a=1&b=2\">2</a>");
    });

    EXPECT_EQ(result.outcome_count, 2u);
    EXPECT_EQ(result.count("/x?a=1&b=2"), 1u);
}

TEST(Reference, W14OnePageInManySpellingsIsFetchedOnce) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        const std::string port = site.origin().substr(site.origin().rfind(':'));
        site.page("/", fmt::format("<a href='{0}'>1</a><a href='HTTP://127.0.0.1{1}/./'>2</a>"
                                   "<a href='/%63%31'>3</a><a href='/c1'>4</a><a href='/x/../c1'>5"
                                   "</a><a href='http://127.1{1}/c1'>6</a><a href='/c1?'>7</a>",
                                   site.origin(), port));
        site.page("/c1", "once");
    });

    EXPECT_EQ(result.outcome_count, 2u);
    EXPECT_EQ(result.requests.size(), 3u) << "and robots.txt";
}

TEST(Reference, W18ABodyWithoutEndIsCut) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "<a href=/big>1</a>");
            site.reply("/big", {.headers = {{"Content-Type", "application/octet-stream"}},
                                .body = std::string(3'000'000, 'x')});
        },
        [](Config& config) { config.limits.content_bytes_max = 1'000'000; });

    EXPECT_EQ(result.at("/big").content_bytes, 1'000'000u);
    EXPECT_TRUE(result.at("/big").is_truncated);
}

TEST(Reference, W23NamesAreAskedForOnce) {
    aio::SimulatedLoop loop;
    aio::SimulatedName& name = loop.network().name("a.test");
    loop.network().host("a.test").latency(5ms);
    loop.run([](aio::SimulatedLoop& simulation) -> Co<> {
        Config config;
        config.seeds = {web::Url::parse("http://a.test/").value()};
        config.wait = Duration::zero();
        frontier::MemoryFrontier frontier(1);
        Crawler crawler(config, frontier, nullptr, {});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [](const http::ServerRequest& request,
                                       http::Responder& responder) -> Co<> {
                std::string html;
                for (int i = 0; request.target == "/" && i < 50; ++i) {
                    html += fmt::format("<a href=/w{}>x</a>", i);
                }
                co_await responder.reply(
                    {.headers = {{"Content-Type", "text/html"}}, .body = std::move(html)});
            };
            group.create_task(
                http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(crawler.statistics().fetched_count, 52u);
    }(loop));

    EXPECT_EQ(name.question_count(), 1u);
}

TEST(Reference, W24WhoAsksIsSaidHonestly) {
    aio::run([]() -> Co<> {
        std::vector<std::string> agents;
        auto listener = aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
        Config config;
        config.user_agent = "weft/0.1 (+https://example.com/bot)";
        config.seeds = {
            web::Url::parse(fmt::format("http://127.0.0.1:{}/", listener->local().port)).value()};
        frontier::MemoryFrontier frontier(1);
        Crawler crawler(config, frontier, nullptr, {});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [&](const http::ServerRequest& request,
                                        http::Responder& responder) -> Co<> {
                agents.emplace_back(request.headers.get("User-Agent").value_or(""));
                co_await responder.reply({.status = 404});
            };
            group.create_task(http::serve(std::move(listener), std::move(handler)));
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(agents, std::vector<std::string>(3, "weft/0.1 (+https://example.com/bot)"));
    }());
}

}  // namespace weft::crawl
