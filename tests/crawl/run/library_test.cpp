// The crawler as a library: handlers, rules and sinks of a program, and how a crawl is ended.
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/sync/timeout.h"
#include "aio/task/frame_pool.h"
#include "aio/task/sleep.h"
#include "crawl/crawl_site.h"
#include "crawl/run/run.h"
#include "crawl/simulated_web.h"
#include "support/read_warc.h"

namespace weft::crawl {
namespace {

template <class Build>
Statistics run_with(Hooks hooks, Build build) {
    return aio::run([](Hooks the_hooks, Build build_site) -> Co<Statistics> {
        TestSite site;
        build_site(site);
        Statistics numbers;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            numbers = co_await run(local_config(site), std::move(the_hooks));
            group.cancel();
        });
        co_return numbers;
    }(std::move(hooks), std::move(build)));
}

void build_pair(TestSite& site) {
    site.page("/", "<title>Home</title><a href=/a>1</a>");
    site.page("/a", "<title>A</title>text");
}

}  // namespace

TEST(Library, AHandlerSeesEachPageAndSaysWhereToGo) {
    std::map<std::string, std::string> seen;
    Hooks hooks;
    hooks.on_page = [&](Page& page) -> Co<> {
        co_await aio::sleep(1ms);  // A handler may wait.
        seen[std::string(page.url.pathname())] =
            fmt::format("{} {} {}", page.response.status, page.content.size(),
                        page.html ? page.html->title.value_or("") : "none");
        if (page.url.pathname() == "/a") page.follow("added");
        if (page.url.pathname() == "/") EXPECT_EQ(page.links.size(), 1u);
    };

    const Statistics numbers = run_with(std::move(hooks), build_pair);

    EXPECT_EQ(numbers.fetched_count, 3u);
    EXPECT_EQ(seen.at("/"), "200 35 Home");
    EXPECT_EQ(seen.at("/a"), "200 20 A");
    EXPECT_EQ(seen.at("/added"), "404 13 none");
}

TEST(Library, AHandlerThatThrowsEndsNothing) {
    std::vector<Outcome> outcomes;
    Hooks hooks;
    hooks.on_page = [](Page& page) -> Co<> {
        if (page.url.pathname() == "/") throw Error("no room on the shelf");
        co_return;
    };
    hooks.on_outcome = [&](const Outcome& outcome) { outcomes.push_back(outcome); };

    run_with(std::move(hooks), build_pair);

    ASSERT_EQ(outcomes.size(), 2u);
    EXPECT_EQ(outcomes[0].failure, "handler");
    EXPECT_EQ(outcomes[0].reason, "no room on the shelf");
    EXPECT_EQ(outcomes[0].ending, Ending::fetched);
}

TEST(Library, H97OutOfMemoryIsTheEndOfOneFetchOnly) {
    std::vector<Outcome> outcomes;
    Hooks hooks;
    hooks.on_page = [](Page& page) -> Co<> {
        if (page.url.pathname() == "/a") throw std::bad_alloc();
        co_return;
    };
    hooks.on_outcome = [&](const Outcome& outcome) { outcomes.push_back(outcome); };

    run_with(std::move(hooks), [](TestSite& site) {
        site.page("/", "<a href=/a>1</a><a href=/b>2</a>");
        site.page("/b", "fine");
    });

    ASSERT_EQ(outcomes.size(), 3u);
    std::ranges::sort(outcomes, {}, &Outcome::url);
    EXPECT_EQ(outcomes[1].failure, "no_resources");
    EXPECT_EQ(outcomes[2].status, 200);
}

TEST(Library, OwnRulesRefuseWithTheirOwnWordsAndRefusalsAreTold) {
    std::vector<std::string> told;
    Hooks hooks;
    hooks.refuses = [](const web::Url& url, const Trail& trail) -> std::optional<std::string> {
        if (trail.depth == 1 && url.pathname() == "/a") return "not today";
        return std::nullopt;
    };
    hooks.on_refusal = [&](const web::Url& url, const Refused& refused, const web::Url& page) {
        told.push_back(
            fmt::format("{} {} {}", url.pathname(), refused.to_string(), page.pathname()));
    };

    const Statistics numbers = run_with(std::move(hooks), build_pair);

    EXPECT_EQ(told, std::vector<std::string>{"/a own_rule: not today /"});
    EXPECT_EQ(numbers.fetched_count, 1u);
    EXPECT_EQ(numbers.refused_by.at("not today"), 1u);
}

TEST(Library, H104CancelledAtAnyMomentACrawlLeavesNothingBehind) {
    for (Duration moment = 0s; moment < 6s; moment += 37ms) {
        {
            aio::SimulatedLoop loop(3);
            SimulatedWeb web(loop, 3);
            loop.run([](SimulatedWeb& made, Duration limit) -> Co<> {
                const Config config = made.config();
                frontier::MemoryFrontier frontier(config.max_per_host);
                Crawler crawler(config, frontier, nullptr, {});
                co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                    group.create_task(made.serve());
                    co_await aio::yield_now();
                    try {
                        co_await aio::wait_for(crawler.run(), limit);
                    } catch (const aio::TimeoutError&) {
                        // As meant.
                    }
                    group.cancel();
                });
                const frontier::Counts counts = frontier.counts();
                EXPECT_EQ(counts.seen, counts.waiting + counts.lent + counts.done);
            }(web, moment));
        }
        ASSERT_EQ(aio::frame_pool::live_count(), 0u) << moment.count();
    }
}

TEST(Library, StopFinishesWhatIsUnderWayAndStartsNothing) {
    aio::run([]() -> Co<> {
        TestSite site;
        std::string links;
        for (int i = 0; i < 40; ++i) links += fmt::format("<a href=/w{}>x</a>", i);
        site.page("/", links);
        site.delay = 5ms;
        const Config config = local_config(site);
        frontier::MemoryFrontier frontier(config.max_per_host);
        std::size_t outcome_count = 0;
        Crawler* running = nullptr;
        Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome&) {
                            if (++outcome_count == 5) running->stop();
                        }});
        running = &crawler;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(site.serve());
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_LE(outcome_count, 5 + config.max_per_host);
        EXPECT_EQ(crawler.stop_reason(), StopReason::user);
        EXPECT_EQ(frontier.counts().lent, 0u);
        EXPECT_EQ(frontier.counts().done, outcome_count);
    }());
}

TEST(Library, AnArchiveHoldsACopyOnceAndRevisitsIt) {
    aio::SimulatedLoop loop;
    const std::string bytes = loop.run([](aio::SimulatedLoop& simulation) -> Co<std::string> {
        Config config;
        config.seeds = {web::Url::parse("http://a.test/").value()};
        config.output = "crawl";
        config.wait = Duration::zero();
        config.sitemaps = false;
        archive::WarcWriter writer("crawl/archive", {});
        frontier::MemoryFrontier frontier(1);
        Crawler crawler(config, frontier, &writer, {});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [](const http::ServerRequest& request,
                                       http::Responder& responder) -> Co<> {
                co_await responder.reply(
                    {.headers = {{"Content-Type", "text/html"}},
                     .body = request.target == "/" ? "<a href=/x>1</a><a href=/y>2</a>" : "copy"});
            };
            group.create_task(
                http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        EXPECT_EQ(crawler.statistics().duplicate_count, 1u);
        const auto names = simulation.files().list("crawl/archive");
        EXPECT_EQ(names.size(), 1u);
        co_return simulation.files().read_all(
            std::filesystem::path("crawl/archive") / names.front(), 1_MiB);
    }(loop));

    std::vector<std::string> types;
    std::string first_id;
    const archive::WarcContents contents = archive::read_warc(bytes);
    for (const archive::StoredRecord& record : contents.records) {
        const std::string type(record.header.type());
        if (type == "response") first_id = record.header.id();
        if (type == "revisit") {
            EXPECT_EQ(record.header.get("WARC-Refers-To"), first_id);
            EXPECT_EQ(record.header.get("WARC-Refers-To-Target-URI"), "http://a.test/x");
        }
        if (type != "request" && type != "metadata") types.push_back(type);
    }
    // The first answer is that for robots.txt.
    EXPECT_EQ(types, (std::vector<std::string>{"warcinfo", "response", "response", "response",
                                               "revisit"}));
}

}  // namespace weft::crawl
