// The reference crawler's seventeen test cases, and what it gets wrong, asked of step 6 of the
// ladder: in virtual time, on made hosts.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/task_group.h"
#include "http/server/server.h"

// The program itself, but for its main().
#define main main_of_6_aio
#include "../../examples/ladder/6_aio.cpp"
#undef main

namespace weft::ladder {
namespace {

using Handler = aio::CoFunction<Co<>(const http::ServerRequest&, http::Responder&)>;

http::Reply html(std::string body, std::string type = "text/html") {
    return {.headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)};
}

http::Reply redirect(std::string location, int status = 302) {
    return {.status = status, .headers = {{"Location", std::move(location)}}};
}

// Hosts with pages, a crawl of them, and what came of it.
class World {
public:
    World() { options.level = LogLevel::info; }

    void reply(std::string url, http::Reply answer) {
        replies_[std::move(url)] = std::move(answer);
    }
    void page(std::string url, std::string body) { reply(std::move(url), html(std::move(body))); }
    void handle(std::string url, Handler handler) {
        handlers_[std::move(url)] = std::move(handler);
    }

    // Serves `hosts` and crawls until the end.
    void crawl(std::vector<std::string> roots, std::vector<std::string> hosts = {"a.test"}) {
        options.roots = std::move(roots);
        set_log_sink([this](LogLevel, std::string_view line) { log += std::string(line) + "\n"; });
        set_log_level(options.level);
        aio::SimulatedLoop loop;
        for (const std::string& host : hosts) loop.network().host(host).latency(1ms);
        loop.run(serve_and_crawl(loop, hosts));
        elapsed = loop.now();
        set_log_sink({});
        set_log_level(LogLevel::warning);
    }

    const FetchStatistic& at(std::string_view url) const {
        const auto found = std::ranges::find(done, url, &FetchStatistic::url);
        if (found == done.end()) throw Error(fmt::format("{} was not fetched", url));
        return *found;
    }
    bool has(std::string_view url) const {
        return std::ranges::find(done, url, &FetchStatistic::url) != done.end();
    }
    long request_count(std::string_view url) const { return std::ranges::count(requests, url); }

    Options options;
    std::vector<FetchStatistic> done;
    std::vector<std::string> requests;
    std::set<std::string> connections;  // Where they come from: an address and a port.
    std::string log;
    std::string text;  // The report.
    std::size_t in_flight_max = 0;
    Duration elapsed{};

private:
    Co<> serve_and_crawl(aio::SimulatedLoop& loop, std::vector<std::string> hosts) {
        Crawler crawler(options);
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (const std::string& host : hosts) {
                http::Handler handler = [this, host](const http::ServerRequest& request,
                                                     http::Responder& responder) -> Co<> {
                    co_await answer(host, request, responder);
                };
                group.create_task(http::serve(loop.network().listen(host, 80), std::move(handler)));
            }
            co_await aio::yield_now();
            co_await crawler.crawl();
            group.cancel();
        });
        done = crawler.done();
        text = report(crawler);
        EXPECT_EQ(crawler.todo_count(), 0u);
    }

    Co<> answer(std::string host, const http::ServerRequest& request, http::Responder& responder) {
        const std::string url = "http://" + host + request.target;
        requests.push_back(url);
        connections.insert(request.peer.to_string());
        if (const auto own = handlers_.find(url); own != handlers_.end()) {
            in_flight_max = std::max(in_flight_max, ++in_flight_);
            co_await own->second(request, responder);
            --in_flight_;
        } else if (const auto found = replies_.find(url); found != replies_.end()) {
            co_await responder.reply(found->second);
        } else {
            co_await responder.reply({.status = 404, .body = "nothing here\n"});
        }
    }

    std::map<std::string, http::Reply> replies_;
    std::map<std::string, Handler> handlers_;
    std::size_t in_flight_ = 0;
};

}  // namespace

TEST(LadderReference, F15AMissingPageCounts) {
    World world;
    world.page("http://a.test/", "<a href='/foo'>x</a>");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 2u);
    EXPECT_EQ(world.at("http://a.test/").url_count, 1u);
    EXPECT_EQ(world.at("http://a.test/foo").status, 404);
}

TEST(LadderReference, F15ACycleOfLinksEnds) {
    World world;
    world.page("http://a.test/", "<a href='/foo'>x</a>");
    world.page("http://a.test/foo", "<a href='/'>x</a>");
    world.crawl({"a.test"});

    EXPECT_EQ(world.done.size(), 2u);
    EXPECT_EQ(world.at("http://a.test/").new_url_count, 1u);
    EXPECT_EQ(world.at("http://a.test/foo").url_count, 1u);
    EXPECT_EQ(world.at("http://a.test/foo").new_url_count, 0u);
}

TEST(LadderReference, F6AForeignHostIsNotALink) {
    World world;
    world.page("http://a.test/", "<a href='http://b.test/'>x</a>");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").url_count, 0u);
}

TEST(LadderReference, F8StrictMeansTheHostButForWww) {
    World world;
    world.page("http://a.test/",
               "<a href='http://www.a.test/'>x</a><a href='http://foo.a.test/'>x</a>");
    world.crawl({"http://a.test/"}, {"a.test", "www.a.test"});

    EXPECT_EQ(world.at("http://a.test/").url_count, 1u);
    EXPECT_TRUE(world.has("http://www.a.test/"));
}

TEST(LadderReference, F9LenientMeansTheDomain) {
    World world;
    world.options.lenient = true;
    world.page("http://a.test/",
               "<a href='http://www.a.test/'>x</a><a href='http://foo.a.test/'>x</a>");
    world.crawl({"http://a.test/"}, {"a.test", "www.a.test", "foo.a.test"});

    EXPECT_EQ(world.at("http://a.test/").url_count, 2u);
    EXPECT_EQ(world.done.size(), 3u);
}

TEST(LadderReference, W12LenientKnowsWhatADomainIs) {
    World world;
    world.options.lenient = true;
    world.page("http://foo.co.uk/",
               "<a href='http://bar.co.uk/'>x</a><a href='http://fooc.ouk/'>x</a>");
    world.crawl({"http://foo.co.uk/"}, {"foo.co.uk"});

    EXPECT_EQ(world.at("http://foo.co.uk/").url_count, 0u);
}

TEST(LadderReference, F2ExcludedUrlsAreLeftOut) {
    World world;
    world.options.exclude = "[bc]";
    world.page("http://x.test/", "<a href='/a'>x</a><a href='/b'>x</a><a href='/c'>x</a>");
    world.crawl({"http://x.test/"}, {"x.test"});

    EXPECT_EQ(world.done.size(), 2u);
    EXPECT_TRUE(world.has("http://x.test/a"));
}

TEST(LadderReference, F1SeveralRootsEachWithItsHost) {
    World world;
    for (const char* root : {"http://a.test/", "http://b.test/"}) {
        world.page(root,
                   "<a href='http://a.test/1'>1</a><a href='http://b.test/2'>2</a>"
                   "<a href='http://c.test/'>3</a><a href='http://127.0.0.1/'>4</a>");
    }
    world.crawl({"http://a.test/", "b.test"}, {"a.test", "b.test"});

    EXPECT_EQ(world.done.size(), 4u);
    EXPECT_EQ(world.at("http://a.test/").url_count, 2u);
    EXPECT_THROW(Crawler({.roots = {"http://"}}), UsageError);
}

TEST(LadderReference, F1ADeepRootAdmitsItsHost) {
    World world;
    world.page("http://a.test/a", "<a href='/b'>x</a>");
    world.crawl({"http://a.test/a#fragment"});

    EXPECT_TRUE(world.has("http://a.test/b"));
    EXPECT_TRUE(world.has("http://a.test/a")) << "without its fragment";
}

TEST(LadderReference, F10F11RedirectsAreStepsOfTheirOwn) {
    World world;
    world.reply("http://a.test/", redirect("/foo"));
    world.reply("http://a.test/foo", redirect("/bar"));
    world.crawl({"http://a.test/"});

    ASSERT_EQ(world.done.size(), 3u);
    EXPECT_EQ(world.done[0].next_url, "http://a.test/foo");
    EXPECT_EQ(world.done[1].next_url, "http://a.test/bar");
    EXPECT_EQ(world.done[2].status, 404);
}

TEST(LadderReference, F11RedirectsHaveALimit) {
    World world;
    world.options.max_redirect = 1;
    world.reply("http://a.test/", redirect("/foo"));
    world.reply("http://a.test/foo", redirect("/bar"));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 2u);
    EXPECT_NE(world.log.find("redirect limit reached for http://a.test/bar from http://a.test/foo"),
              std::string::npos);
}

TEST(LadderReference, F10ACycleOfRedirectsEnds) {
    World world;
    world.reply("http://a.test/", redirect("/foo"));
    world.reply("http://a.test/foo", redirect("/"));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 2u);
}

TEST(LadderReference, F10WaysThatMeetAreGoneOnce) {
    World world;
    world.page("http://a.test/", "<a href='/foo'>x</a><a href='/bar'>x</a>");
    world.reply("http://a.test/foo", redirect("/baz"));
    world.reply("http://a.test/bar", redirect("/baz"));
    world.reply("http://a.test/baz", redirect("/quux", 307));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 5u);
    EXPECT_EQ(world.request_count("http://a.test/baz"), 1);
}

TEST(LadderReference, F20NoMoreThanMaxTasksAreUnderWay) {
    World world;
    world.options.max_tasks = 2;
    world.page("http://a.test/", "<a href='/0'>x</a><a href='/1'>x</a><a href='/2'>x</a>");
    for (int i = 0; i < 3; ++i) {
        world.handle(fmt::format("http://a.test/{}", i),
                     [](const http::ServerRequest&, http::Responder& responder) -> Co<> {
                         co_await aio::sleep(1s);
                         co_await responder.reply({.body = "late"});
                     });
    }
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.in_flight_max, 2u);
    EXPECT_EQ(world.done.size(), 4u);
}

namespace {

// Hangs up so many times, then answers. The first time is on the connection that brought
// robots.txt: there it may be chance, so the client asks once more before it calls that a failure.
Handler hang_up(std::shared_ptr<int> times) {
    return [times](const http::ServerRequest&, http::Responder& responder) -> Co<> {
        if ((*times)-- > 0) {
            static_cast<void>(responder.stream());
            co_return;
        }
        co_await responder.reply({.body = "at last"});
    };
}

}  // namespace

TEST(LadderReference, F12W11DroppedConnectionsAreTriedAgainLater) {
    World world;
    world.handle("http://a.test/", hang_up(std::make_shared<int>(3)));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").status, 200);
    EXPECT_NE(world.log.find("try 1 for http://a.test/ raised"), std::string::npos);
    EXPECT_NE(world.log.find("try 2 for http://a.test/ raised"), std::string::npos);
    EXPECT_NE(world.log.find("try 3 for http://a.test/ success"), std::string::npos);
    EXPECT_GT(world.elapsed, 250ms) << "not at once";
}

TEST(LadderReference, F12TriesHaveALimit) {
    World world;
    world.options.max_tries = 1;
    world.handle("http://a.test/", hang_up(std::make_shared<int>(2)));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").status, 0);
    EXPECT_EQ(world.at("http://a.test/").failure, "closed_early");
    EXPECT_NE(world.log.find("http://a.test/ failed after 1 tries"), std::string::npos);
    EXPECT_NE(world.text.find("http://a.test/ error "), std::string::npos);
}

TEST(LadderReference, F13TheEncodingIsTheServersOrUtf8) {
    World world;
    world.page("http://a.test/", "<a href='/1'>x</a><a href='/2'>x</a>");
    world.reply("http://a.test/1", html("", "text/html; charset=utf-8"));
    world.reply("http://a.test/2", html("", "text/html; charset=ASCII"));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").encoding, "utf-8");
    EXPECT_EQ(world.at("http://a.test/1").encoding, "utf-8");
    EXPECT_EQ(world.at("http://a.test/2").encoding, "ascii");
}

TEST(LadderReference, F16TheContentTypeIsKept) {
    World world;
    world.reply("http://a.test/", html("", "foo"));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").content_type, "foo");
    EXPECT_EQ(world.at("http://a.test/").url_count, 0u);
}

TEST(LadderReference, F13W17XmlIsSearchedAndImagesAreNot) {
    World world;
    world.page("http://a.test/",
               "<a href='/xml'>x</a><a href='/image'>x</a><a href='/xhtml'>x</a>");
    world.reply("http://a.test/xml", html("<a href='/from-xml'>x</a>", "application/xml"));
    world.reply("http://a.test/image", html("<a href='/from-image'>x</a>", "image"));
    world.reply("http://a.test/xhtml",
                html("<a href='/from-xhtml'>x</a>", "application/xhtml+xml"));
    world.crawl({"http://a.test/"});

    EXPECT_TRUE(world.has("http://a.test/from-xml"));
    EXPECT_TRUE(world.has("http://a.test/from-xhtml"));
    EXPECT_FALSE(world.has("http://a.test/from-image"));
}

TEST(LadderReference, F2OtherSchemesAreNoLinks) {
    World world;
    world.page("http://a.test/", "<a href='ftp://a.test/'>x</a><a href='mailto:x@a.test'>x</a>");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").url_count, 0u);
}

TEST(LadderReference, W1W4W10OddPagesAreResults) {
    World world;
    world.page("http://a.test/",
               "<a href='/lost'>x</a><a href='http://[::1/x'>x</a>"
               "<a href='/r1'>x</a><a href='/r2'>x</a><a href='/perm'>x</a>");
    world.reply("http://a.test/lost", {.status = 302});
    world.reply("http://a.test/r1", redirect("/leaf#f1"));
    world.reply("http://a.test/r2", redirect("/leaf#f2"));
    world.reply("http://a.test/perm", redirect("/leaf", 308));
    world.page("http://a.test/leaf", "");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/lost").status, 302);
    EXPECT_EQ(world.at("http://a.test/perm").next_url, "http://a.test/leaf") << "W9";
    EXPECT_EQ(world.request_count("http://a.test/leaf"), 1) << "W10";
    EXPECT_EQ(world.done.size(), 6u);
}

TEST(LadderReference, W6W7SilentServersAreGivenUp) {
    World world;
    world.options.max_tries = 1;
    world.handle("http://a.test/", [](const http::ServerRequest&, http::Responder&) -> Co<> {
        co_await aio::sleep(24h);
    });
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").failure, "first_byte_timeout");
}

TEST(LadderReference, W7ASlowDripIsGivenUp) {
    World world;
    world.options.max_tries = 1;
    world.page("http://a.test/", "<a href='/drip'>x</a><a href='/other'>x</a>");
    world.page("http://a.test/other", "");
    world.handle("http://a.test/drip",
                 [](const http::ServerRequest&, http::Responder& responder) -> Co<> {
                     aio::Stream& stream = responder.stream();
                     co_await stream.write("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n");
                     for (int i = 0; i < 9999; ++i) {
                         co_await aio::sleep(200ms);
                         co_await stream.write("x");
                     }
                 });
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/drip").failure, "too_slow");
    EXPECT_TRUE(world.has("http://a.test/other"));
    EXPECT_LT(world.elapsed, 120s);
}

TEST(LadderReference, W18ALongPageIsCut) {
    World world;
    world.page("http://a.test/", std::string(kPageBytesMax + 1, 'x'));
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").size, kPageBytesMax);
}

TEST(LadderReference, W8ARedirectDoesNotLeaveTheScope) {
    World world;
    world.options.exclude = "secret";
    world.page("http://a.test/", "<a href='/away'>x</a><a href='/in'>x</a>");
    world.reply("http://a.test/away", redirect("http://b.test/"));
    world.reply("http://a.test/in", redirect("/secret"));
    world.crawl({"http://a.test/"}, {"a.test", "b.test"});

    EXPECT_EQ(world.done.size(), 3u);
    EXPECT_EQ(world.request_count("http://b.test/"), 0);
    EXPECT_EQ(world.request_count("http://a.test/secret"), 0);
}

TEST(LadderReference, W11ABusyServerIsAskedAgainWhenItSays) {
    World world;
    world.handle(
        "http://a.test/",
        [busy = true](const http::ServerRequest&, http::Responder& responder) mutable -> Co<> {
            const bool was_busy = std::exchange(busy, false);
            if (was_busy) {
                co_await responder.reply({.status = 503, .headers = {{"Retry-After", "7"}}});
            } else {
                co_await responder.reply({.body = "now"});
            }
        });
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.at("http://a.test/").status, 200);
    EXPECT_GE(world.elapsed, 7s);
    EXPECT_LT(world.elapsed, 8s);
}

TEST(LadderReference, W13W14W15OnePageInManySpellingsIsFetchedOnce) {
    World world;
    world.page("http://a.test/",
               "<a href='HTTP://A.test/./'>1</a><a href='/%63%31'>2</a><a href='/c1'>3</a>"
               "<a href='http://me:pw@a.test/c1'>4</a><a href='http://a.test./c1'>5</a>"
               "<a href='/q?a=1&amp;b=2'>6</a><a href='http://a.test:8080/c1'>7</a>");
    world.crawl({"http://a.test"});

    EXPECT_EQ(world.done.size(), 3u);
    EXPECT_EQ(world.request_count("http://a.test/c1") + world.request_count("http://a.test/%63%31"),
              1);
    EXPECT_EQ(world.request_count("http://a.test/q?a=1&b=2"), 1);
}

TEST(LadderReference, W16NothingButLinksIsALink) {
    World world;
    world.page("http://a.test/",
               "<!-- <a href='/comment'> --><script>'<a href=\"/script\">'</script>"
               "<div data-href='/data'></div><link rel=stylesheet href='/style.css'>"
               "<base href='/sub/'><a href = one>1</a><a href=two>2</a>");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 3u);
    EXPECT_TRUE(world.has("http://a.test/sub/one"));
    EXPECT_TRUE(world.has("http://a.test/sub/two"));
}

TEST(LadderReference, W19AChainWithoutEndIsCut) {
    World world;
    world.options.max_pages = 10;
    for (int i = 0; i < 100; ++i) {
        world.page(fmt::format("http://a.test/trap{}", i),
                   fmt::format("<a href='/trap{}'>x</a>", i + 1));
    }
    world.crawl({"http://a.test/trap0"});

    EXPECT_EQ(world.done.size(), 10u);
}

TEST(LadderReference, W24RobotsTxtIsAskedOnceAndObeyed) {
    World world;
    world.reply("http://a.test/robots.txt",
                {.body = "User-agent: *\nDisallow: /private\nCrawl-delay: 2\n"});
    world.page("http://a.test/",
               "<a href='/private'>1</a><a href='/open'>2</a>"
               "<a rel=nofollow href='/hinted'>3</a>");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.request_count("http://a.test/robots.txt"), 1);
    EXPECT_EQ(world.request_count("http://a.test/private"), 0);
    EXPECT_EQ(world.at("http://a.test/private").failure, "robots_denied");
    EXPECT_TRUE(world.has("http://a.test/open"));
    EXPECT_FALSE(world.has("http://a.test/hinted"));
    EXPECT_GE(world.elapsed, 2s) << "the pause between two";
}

TEST(LadderReference, W24AServerThatCannotSayItsRulesIsLeftAlone) {
    World world;
    world.reply("http://a.test/robots.txt", {.status = 500});
    world.page("http://a.test/", "");
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.request_count("http://a.test/"), 0);
    EXPECT_EQ(world.at("http://a.test/").failure, "robots_denied");
    EXPECT_FALSE(world.at("http://a.test/").is_bad()) << "it is no fault of the page";
}

TEST(LadderReference, F22ConnectionsAreKept) {
    World world;
    world.options.max_tasks = 3;
    std::string links;
    for (int i = 0; i < 30; ++i) links += fmt::format("<a href='/{}'>x</a>", i);
    world.page("http://a.test/", links);
    world.crawl({"http://a.test/"});

    EXPECT_EQ(world.done.size(), 31u);
    EXPECT_LE(world.connections.size(), 3u);
}

TEST(LadderReference, F17WhatIsNotKnownIsADash) {
    World world;
    world.reply("http://a.test/", {.body = "12345"});
    world.crawl({"http://a.test/"});

    EXPECT_NE(world.text.find("http://a.test/ 200 - utf-8 5\n"), std::string::npos) << world.text;
}

TEST(LadderReference, F18TheSumsAreThoseOfTheReference) {
    World world;
    world.options.max_tries = 1;
    world.page("http://a.test/", "<a href='/r'>x</a><a href='/gone'>x</a><a href='/text'>x</a>");
    world.reply("http://a.test/r", redirect("/"));
    world.reply("http://a.test/text", html("12345", "text/plain"));
    world.crawl({"http://a.test/"});

    EXPECT_NE(world.text.find("         1 error\n        13 error_bytes\n         1 html\n"),
              std::string::npos)
        << world.text;
    EXPECT_NE(
        world.text.find("         1 other\n         5 other_bytes\n         1 redirect\n"
                        "         2 status_200\n         1 status_302\n         1 status_404\n"),
        std::string::npos)
        << world.text;
}

}  // namespace weft::ladder
