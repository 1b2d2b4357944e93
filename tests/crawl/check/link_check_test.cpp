#include "crawl/check/link_check.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "crawl/crawl_site.h"
#include "http/server/server.h"

namespace weft::crawl {
namespace {

// A check in virtual time of a site with a page that takes an hour; how long the check took.
Duration time_of_slow_check(std::optional<Duration> time_max, std::optional<Duration> stop_after,
                            StopReason expected) {
    aio::SimulatedLoop loop;
    return loop.run(
        [](aio::SimulatedLoop& simulation, auto most, auto stop_at, auto reason) -> Co<Duration> {
            const TimePoint start = aio::EventLoop::running().time();
            Config config;
            config.seeds.push_back(web::Url::parse("http://a.test/").value());
            config.sitemaps = false;
            config.crawl_budget.time_max = most;
            LinkCheck check(config, {});
            co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                http::Handler handler = [&](const http::ServerRequest& request,
                                            http::Responder& responder) -> Co<> {
                    const bool is_slow = request.target == "/slow";
                    if (is_slow) co_await aio::sleep(1h);
                    co_await responder.reply({.headers = {{"Content-Type", "text/html"}},
                                              .body = "<a href=/slow>x</a>"});
                };
                group.create_task(
                    http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
                co_await aio::yield_now();
                if (stop_at) aio::EventLoop::running().call_later(*stop_at, [&] { check.stop(); });
                co_await check.run();
                group.cancel();
            });
            EXPECT_EQ(check.crawler().stop_reason(), reason);
            co_return aio::EventLoop::running().time() - start;
        }(loop, time_max, stop_after, expected));
}

template <class Build>
std::map<std::string, CheckedLink> check_site(Build build, LinkCheckOptions options = {}) {
    return aio::run([](Build build_site,
                       LinkCheckOptions read_options) -> Co<std::map<std::string, CheckedLink>> {
        TestSite site;
        build_site(site);
        Config config = local_config(site);
        LinkCheck check(config, read_options);
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await check.run();
            group.cancel();
        });
        std::map<std::string, CheckedLink> links;
        check.each_result([&](CheckedLink link) {
            std::string name = link.url;
            if (name.starts_with(site.origin())) name.erase(0, site.origin().size());
            links.emplace(std::move(name), std::move(link));
        });
        co_return links;
    }(std::move(build), std::move(options)));
}

}  // namespace

TEST(LinkBook, APageCountsOnceAndItsFirstTextCounts) {
    LinkBook book;
    book.add("p", "t", "");
    book.add("p", "t", "words");
    book.add("p", "t", "others");
    book.add("q", "t", "more");

    EXPECT_EQ(book.count_of("t"), 2u);
    const std::vector<LinkSource> sources = book.sources_of("t");
    ASSERT_EQ(sources.size(), 2u);
    EXPECT_EQ(sources[0].text, "words");
    EXPECT_EQ(sources[1].page, "q");
    EXPECT_TRUE(book.sources_of("other").empty());
}

TEST(LinkBook, PagesBeyondTheLimitAreCountedAndNotNamed) {
    LinkBook book;
    for (int i = 0; i < 250; ++i) {
        book.add("page" + std::to_string(i), "t", "");
        book.add("page" + std::to_string(i), "t", "text");
    }

    EXPECT_EQ(book.count_of("t"), 250u);
    EXPECT_EQ(book.sources_of("t").size(), LinkBook::kSourcesMax);
}

TEST(LinkBook, ABookThatIsFullTakesNoMoreTargetsAndSaysSo) {
    LinkBook book(1'000);
    int taken = 0;
    while (taken < 100 && book.add("p", "target" + std::to_string(taken), "")) ++taken;

    EXPECT_GT(taken, 2);
    EXPECT_LT(taken, 10);
    EXPECT_TRUE(book.add("q", "target0", ""));  // What is known is counted on.
    EXPECT_EQ(book.count_of("target0"), 2u);
}

// A check held all links in memory, whatever --memory said.
TEST(LinkCheck, EndsWithAReasonWhenItsMemoryIsUsedUp) {
    aio::run([]() -> Co<> {
        TestSite site;
        for (int i = 0; i < 200; ++i) {
            site.page(i == 0 ? "/" : fmt::format("/{}", i),
                      fmt::format("<a href=/{}>x</a><a href=/gone{}>x</a>", i + 1, i));
        }
        Config config = local_config(site);
        LinkCheck check(config, {.bytes_max = 50'000});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await check.run();
            group.cancel();
        });

        EXPECT_EQ(check.crawler().stop_reason(), StopReason::memory);
        std::size_t result_count = 0;
        check.each_result([&](const CheckedLink&) { ++result_count; });
        EXPECT_LT(result_count, 100u);
        EXPECT_GT(result_count, 5u);
    }());
}

// URLs of sitemaps that no page links to were counted nowhere: 617 MiB at --memory 512MiB.
TEST(LinkCheck, EndsWithAReasonWhenSitemapsUseUpItsMemory) {
    aio::run([]() -> Co<> {
        TestSite site;
        site.page("/", "x");
        std::string listing;
        for (int i = 0; i < 2'000; ++i) listing += fmt::format("{}/{}\n", site.origin(), i);
        site.reply("/sitemap.xml", {.body = listing});
        Config config = local_config(site);
        config.sitemaps = true;
        LinkCheck check(config, {.bytes_max = 50'000});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await check.run();
            group.cancel();
        });

        EXPECT_EQ(check.crawler().stop_reason(), StopReason::memory);
        EXPECT_LT(check.crawler().statistics().outcome_count, 150u);
    }());
}

TEST(LinkCheck, EndsSoonAfterItIsToldToWhateverIsUnderWay) {
    EXPECT_LT(time_of_slow_check(10s, std::nullopt, StopReason::time), 16s);
    EXPECT_LT(time_of_slow_check(std::nullopt, 10s, StopReason::user), 16s);
}

TEST(LinkCheck, RedirectsAndFailuresAreJudgedByTheirEnd) {
    const auto links = check_site([](TestSite& site) {
        site.page("/", "<a href=/good>1</a><a href=/moved>2</a><a href=/lost>3</a>");
        site.page("/good", "x");
        site.reply("/moved", {.status = 301, .headers = {{"Location", "/good"}}});
        site.reply("/lost", {.status = 301, .headers = {{"Location", "/gone"}}});
    });

    EXPECT_EQ(links.at("/good").fate.state, LinkFate::State::fine);
    EXPECT_EQ(links.at("/moved").fate.state, LinkFate::State::fine);
    EXPECT_EQ(links.at("/lost").fate.state, LinkFate::State::broken);
    EXPECT_EQ(links.at("/lost").fate.status, 404);
    EXPECT_FALSE(links.contains("/gone"));
}

TEST(LinkCheck, APartOfAPageThatIsGoneIsNotMissedToo) {
    const auto links = check_site(
        [](TestSite& site) { site.page("/", "<a href=mailto:a@b>1</a><a href=/gone#x>2</a>"); },
        {.fragments = true});

    EXPECT_EQ(links.size(), 2u);  // The start and the broken page, and not its fragment.
    EXPECT_EQ(links.at("/gone").fate.state, LinkFate::State::broken);
}

}  // namespace weft::crawl
