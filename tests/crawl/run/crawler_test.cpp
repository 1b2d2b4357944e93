#include "crawl/run/crawler.h"

#include <gtest/gtest.h>

#include "crawl/crawl_site.h"

namespace weft::crawl {
namespace {

// The bad page is one outcome of the named failure, and the good pages beside it are all fetched.
void expect_survives(const CrawlResult& result, const std::string& bad, std::string_view failure) {
    EXPECT_EQ(result.at(bad).failure, failure) << result.at(bad).reason;
    EXPECT_EQ(result.at("/good").status, 200);
    EXPECT_EQ(result.at("/better").status, 200);
    EXPECT_EQ(result.outcome_count, 4u);
}

// A home page that links to a bad page and a good one, which links on.
void build_around(TestSite& site, const std::string& bad) {
    site.page("/", fmt::format("<a href='{}'>bad</a> <a href=/good>good</a>", bad));
    site.page("/good", "<a href=better>better</a>");
    site.page("/better", "the end");
}

}  // namespace

TEST(Crawler, RateIsThatOfTheWholeCrawl) {
    std::string links;
    for (int i = 0; i < 10; ++i) links += fmt::format("<a href=/{}>x</a>", i);
    const CrawlResult result = crawl_site(
        [&](TestSite& site) {
            site.page("/", links);
            for (int i = 0; i < 10; ++i) site.page(fmt::format("/{}", i), "");
        },
        [](Config& config) { config.rate_max = 50; });

    EXPECT_EQ(result.outcome_count, 11u);
    EXPECT_GE(result.elapsed, 200ms);
}

TEST(SharedState, StartsAreNoCloserThanTheRateAllows) {
    aio::run([]() -> Co<> {
        Config config;
        config.rate_max = 4;
        SharedState shared(config);
        const TimePoint now{1h};
        EXPECT_EQ(shared.take_start(now), now);
        EXPECT_EQ(shared.take_start(now), now + 250ms);
        EXPECT_EQ(shared.take_start(now + 100ms), now + 500ms);
        EXPECT_EQ(shared.take_start(now + 10s), now + 10s);
        EXPECT_EQ(shared.take_start(now + 10s), now + 10s + 250ms);
        co_return;
    }());
}

TEST(Crawler, FindsEveryPageOnceWhateverTheSpelling) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/",
                  "<a href=a>1</a> <a href='./a#x'>2</a> <A HREF=\"/%61\">3</a> <a href=b>b</a>"
                  "<!-- <a href=/comment> --><script>'<a href=/script>'</script>");
        site.page("/a", "<a href='/'>home</a><a href='//127.0.0.1:8/'>x</a>");
        site.page("/b", "<a href='/a?x=1&amp;y=2'>q</a>");
        site.page("/a?x=1&y=2", "query");
    });

    EXPECT_EQ(result.outcome_count, 4u);
    EXPECT_EQ(result.count("/a"), 1u);
    EXPECT_EQ(result.at("/a?x=1&y=2").status, 200);
    EXPECT_FALSE(result.has("/comment"));
    EXPECT_FALSE(result.has("/script"));
    EXPECT_EQ(result.statistics.refused.at(Refusal::other_port), 1u);
}

TEST(Crawler, W1ARedirectWithoutLocationIsAnOutcome) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.status = 302});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").reason, "redirect without Location");
}

TEST(Crawler, W2ABodyCutShortEndsNoWorker) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.raw("/bad", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    });

    expect_survives(result, "/bad", "truncated");
}

TEST(Crawler, W3BytesNotOfTheDeclaredCharsetAreReadWithReplacement) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.headers = {{"Content-Type", "text/html; charset=utf-8"}},
                            .body = "<title>\xff\xfe caf\xe9</title><a href=/good>g</a>"});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").link_count, 1u);
}

TEST(Crawler, W4AnUnparsableLinkIsPassedOver) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.page("/bad",
                  "<a href='http://[::1/x'>x</a><a href='http://a b/'>y</a><a href=/good>g</a>");
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").link_count, 1u);
}

TEST(Crawler, W5ABrokenGzipBodyEndsNoWorker) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.raw("/bad",
                 "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 14\r\n\r\n"
                 "\x1f\x8b\x08gibberish..");
    });

    expect_survives(result, "/bad", "bad_encoding");
}

TEST(Crawler, W6AServerThatNeverAnswersEndsNoWorker) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad", {.bytes = " ", .pause = 1h});
        site.raw("/bad", "");
    });

    expect_survives(result, "/bad", "closed_early");

    const CrawlResult silent = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad", {.bytes = "H", .pause = 1h});
    });

    expect_survives(silent, "/bad", "idle_timeout");
}

TEST(Crawler, W7ASlowDripHoldsNoWorkerForLong) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad",
                  {.bytes = "HTTP/1.1 200 OK\r\n" + std::string(10'000, 'x'), .pause = 20ms});
    });

    expect_survives(result, "/bad", "total_timeout");
}

TEST(Crawler, W8ARedirectOutOfScopeIsNotFollowed) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.status = 301, .headers = {{"Location", "http://127.0.0.2:8/x"}}});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").redirect_target, "http://127.0.0.2:8/x");
    EXPECT_EQ(result.statistics.refused.at(Refusal::other_host), 1u);
}

TEST(Crawler, F11RedirectsThatMeetAreFetchedOnceW9W10) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/", "<a href=/foo>1</a><a href=/bar>2</a>");
        site.reply("/foo", {.status = 308, .headers = {{"Location", "/baz#one"}}});
        site.reply("/bar", {.status = 302, .headers = {{"Location", "/baz#two"}}});
        site.page("/baz", "met");
    });

    EXPECT_EQ(result.count("/baz"), 1u);
    EXPECT_EQ(result.outcome_count, 4u);
}

TEST(Crawler, F11ARedirectChainEndsAtTheLimit) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            for (int i = 0; i < 6; ++i) {
                site.reply(i == 0 ? "/" : fmt::format("/{}", i),
                           {.status = 302, .headers = {{"Location", fmt::format("/{}", i + 1)}}});
            }
        },
        [](Config& config) { config.redirect_count_max = 3; });

    EXPECT_EQ(result.outcome_count, 4u);
    EXPECT_EQ(result.at("/3").reason, "redirect limit reached");
}

TEST(Crawler, W24RobotsTxtIsObeyedAndAskedOnce) {
    const auto build = [](TestSite& site) {
        site.reply("/robots.txt", {.headers = {{"Content-Type", "text/plain"}},
                                   .body = "User-agent: *\nDisallow: /private/\n"});
        site.page("/", "<a href=/private/x>no</a><a href=/public>yes</a>");
        site.page("/public", "seen");
    };

    const CrawlResult obeyed = crawl_site(build);
    const CrawlResult ignored =
        crawl_site(build, [](Config& config) { config.obey_robots = false; });

    EXPECT_EQ(obeyed.at("/private/x").ending, Ending::denied);
    EXPECT_EQ(obeyed.at("/private/x").reason, "robots.txt line 2: Disallow: /private/");
    EXPECT_EQ(obeyed.count("/private/x"), 0u);
    EXPECT_EQ(obeyed.count("/robots.txt"), 1u);
    EXPECT_EQ(ignored.at("/private/x").status, 404);
    EXPECT_EQ(ignored.count("/robots.txt"), 0u);
}

TEST(Crawler, H77ARobotsTxtThatFailsClosesTheHost) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.reply("/robots.txt", {.status = 503});
        site.page("/", "home");
    });

    EXPECT_EQ(result.at("/").failure, "robots_unavailable");
    EXPECT_EQ(result.count("/"), 0u);
}

TEST(Crawler, A50NeverMoreThanMaxPerHostAtOnce) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            std::string links;
            for (int i = 0; i < 30; ++i) links += fmt::format("<a href=/{}>x</a>", i);
            site.page("/", links);
            site.delay = 2ms;
        },
        [](Config& config) { config.max_per_host = 2; });

    EXPECT_EQ(result.outcome_count, 31u);
    EXPECT_EQ(result.in_flight_max, 2u);
}

TEST(Crawler, W11ATransientFailureIsTriedAgainAPermanentOneIsNot) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "<a href=/cut>1</a><a href=/garbage>2</a>");
            site.raw("/cut", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx");
            site.raw("/garbage", "SSH-2.0-OpenSSH_9.2\r\n");
        },
        [](Config& config) { config.try_count_max = 2; });

    EXPECT_EQ(result.count("/cut"), 2u);
    EXPECT_EQ(result.at("/cut").attempt_count, 2u);
    EXPECT_EQ(result.count("/garbage"), 1u);
    EXPECT_EQ(result.at("/garbage").failure, "not_http");
}

TEST(Crawler, W19DepthAndPageLimitsEndAnEndlessChain) {
    const auto build = [](TestSite& site) {
        site.page("/", "<a href=/t/0>go</a>");
        for (int i = 0; i < 50; ++i) {
            site.page(fmt::format("/t/{}", i), fmt::format("<a href=/t/{}>on</a>", i + 1));
        }
    };

    const CrawlResult shallow = crawl_site(build, [](Config& config) { config.depth_max = 3; });
    const CrawlResult few =
        crawl_site(build, [](Config& config) { config.crawl_budget.page_count_max = 5; });

    EXPECT_EQ(shallow.outcome_count, 4u);
    EXPECT_EQ(few.outcome_count, 5u);
}

TEST(Crawler, H68RepeatingPathsAreRefused) {
    const CrawlResult result =
        crawl_site([](TestSite& site) { site.page("/", "<a href=/a/b/a/b/a/b/a/b>trap</a>"); });

    EXPECT_EQ(result.outcome_count, 1u);
    EXPECT_EQ(result.statistics.refused.at(Refusal::path_repeats), 1u);
}

}  // namespace weft::crawl
