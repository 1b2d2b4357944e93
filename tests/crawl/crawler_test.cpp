#include "crawl/crawler.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "aio/run.h"
#include "aio/task_group.h"
#include "frontier/memory_frontier.h"
#include "support/test_site.h"

namespace weft::crawl {
namespace {

using aio::Co;
using tests::TestSite;

Config local_config(const TestSite& site) {
    Config config;
    config.seeds.push_back(site.url("/"));
    config.addresses.allow(*http::Network::parse("127.0.0.0/8"));
    config.wait = Duration::zero();
    config.max_per_host = 4;
    config.try_count_max = 1;
    config.sitemaps = false;  // Tests count requests.
    config.limits.first_byte_timeout = 1s;
    config.limits.idle_timeout = 1s;
    config.limits.total_timeout = 3s;
    return config;
}

struct Result {
    std::map<std::string, Outcome> outcomes;  // By path.
    std::size_t outcome_count = 0;
    Statistics statistics;
    std::vector<std::string> requests;
    std::size_t in_flight_max = 0;

    bool has(const std::string& path) const { return outcomes.contains(path); }
    const Outcome& at(const std::string& path) const { return outcomes.at(path); }
    std::size_t count(const std::string& path) const {
        return static_cast<std::size_t>(std::ranges::count(requests, path));
    }
};

// Builds a site, crawls it from "/" and says what came of it.
template <class Build, class Configure>
Result crawl_site(Build build, Configure configure) {
    return aio::run([](Build build_site, Configure adapt) -> Co<Result> {
        TestSite site;
        build_site(site);
        Config config = local_config(site);
        adapt(config);
        Result result;
        frontier::MemoryFrontier frontier(config.max_per_host);
        Crawler crawler(config, frontier, nullptr, [&](const Outcome& outcome) {
            result.outcomes[outcome.url.substr(site.origin().size())] = outcome;
            ++result.outcome_count;
        });
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await crawler.run();
            group.cancel();
        });
        result.statistics = crawler.statistics();
        result.requests = site.requests();
        result.in_flight_max = site.in_flight_max();
        co_return result;
    }(std::move(build), std::move(configure)));
}

template <class Build>
Result crawl_site(Build build) {
    return crawl_site(std::move(build), [](Config&) {});
}

// The bad page is one outcome of the named failure, and the good pages beside it are all fetched.
void expect_survives(const Result& result, const std::string& bad, std::string_view failure) {
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

TEST(Crawler, FindsEveryPageOnceWhateverTheSpelling) {
    const Result result = crawl_site([](TestSite& site) {
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
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.status = 302});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").reason, "redirect without Location");
}

TEST(Crawler, W2ABodyCutShortEndsNoWorker) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.raw("/bad", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    });

    expect_survives(result, "/bad", "truncated");
}

TEST(Crawler, W3BytesNotOfTheDeclaredCharsetAreReadWithReplacement) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.headers = {{"Content-Type", "text/html; charset=utf-8"}},
                            .body = "<title>\xff\xfe caf\xe9</title><a href=/good>g</a>"});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").link_count, 1u);
}

TEST(Crawler, W4AnUnparsableLinkIsPassedOver) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.page("/bad",
                  "<a href='http://[::1/x'>x</a><a href='http://a b/'>y</a><a href=/good>g</a>");
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").link_count, 1u);
}

TEST(Crawler, W5ABrokenGzipBodyEndsNoWorker) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.raw("/bad",
                 "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 14\r\n\r\n"
                 "\x1f\x8b\x08gibberish..");
    });

    expect_survives(result, "/bad", "bad_encoding");
}

TEST(Crawler, W6AServerThatNeverAnswersEndsNoWorker) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad", {.bytes = " ", .pause = 1h});
        site.raw("/bad", "");
    });

    expect_survives(result, "/bad", "closed_early");

    const Result silent = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad", {.bytes = "H", .pause = 1h});
    });

    expect_survives(silent, "/bad", "idle_timeout");
}

TEST(Crawler, W7ASlowDripHoldsNoWorkerForLong) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.drip("/bad",
                  {.bytes = "HTTP/1.1 200 OK\r\n" + std::string(10'000, 'x'), .pause = 20ms});
    });

    expect_survives(result, "/bad", "total_timeout");
}

TEST(Crawler, W8ARedirectOutOfScopeIsNotFollowed) {
    const Result result = crawl_site([](TestSite& site) {
        build_around(site, "/bad");
        site.reply("/bad", {.status = 301, .headers = {{"Location", "http://127.0.0.2:8/x"}}});
    });

    expect_survives(result, "/bad", "");
    EXPECT_EQ(result.at("/bad").redirect_target, "http://127.0.0.2:8/x");
    EXPECT_EQ(result.statistics.refused.at(Refusal::other_host), 1u);
}

TEST(Crawler, F11RedirectsThatMeetAreFetchedOnceW9W10) {
    const Result result = crawl_site([](TestSite& site) {
        site.page("/", "<a href=/foo>1</a><a href=/bar>2</a>");
        site.reply("/foo", {.status = 308, .headers = {{"Location", "/baz#one"}}});
        site.reply("/bar", {.status = 302, .headers = {{"Location", "/baz#two"}}});
        site.page("/baz", "met");
    });

    EXPECT_EQ(result.count("/baz"), 1u);
    EXPECT_EQ(result.outcome_count, 4u);
}

TEST(Crawler, F11ARedirectChainEndsAtTheLimit) {
    const Result result = crawl_site(
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

    const Result obeyed = crawl_site(build);
    const Result ignored = crawl_site(build, [](Config& config) { config.obey_robots = false; });

    EXPECT_EQ(obeyed.at("/private/x").ending, Ending::denied);
    EXPECT_EQ(obeyed.at("/private/x").reason, "robots.txt line 2: Disallow: /private/");
    EXPECT_EQ(obeyed.count("/private/x"), 0u);
    EXPECT_EQ(obeyed.count("/robots.txt"), 1u);
    EXPECT_EQ(ignored.at("/private/x").status, 404);
    EXPECT_EQ(ignored.count("/robots.txt"), 0u);
}

TEST(Crawler, H77ARobotsTxtThatFailsClosesTheHost) {
    const Result result = crawl_site([](TestSite& site) {
        site.reply("/robots.txt", {.status = 503});
        site.page("/", "home");
    });

    EXPECT_EQ(result.at("/").failure, "robots_unavailable");
    EXPECT_EQ(result.count("/"), 0u);
}

TEST(Crawler, A50NeverMoreThanMaxPerHostAtOnce) {
    const Result result = crawl_site(
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
    const Result result = crawl_site(
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

    const Result shallow = crawl_site(build, [](Config& config) { config.depth_max = 3; });
    const Result few =
        crawl_site(build, [](Config& config) { config.crawl_budget.page_count_max = 5; });

    EXPECT_EQ(shallow.outcome_count, 4u);
    EXPECT_EQ(few.outcome_count, 5u);
}

TEST(Crawler, H68RepeatingPathsAreRefused) {
    const Result result =
        crawl_site([](TestSite& site) { site.page("/", "<a href=/a/b/a/b/a/b/a/b>trap</a>"); });

    EXPECT_EQ(result.outcome_count, 1u);
    EXPECT_EQ(result.statistics.refused.at(Refusal::path_repeats), 1u);
}

}  // namespace weft::crawl
