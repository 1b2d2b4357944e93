#include "hostile/arena.h"

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/escape.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"
#include "hostile/heap.h"
#include "http/client/get.h"
#include "http/server/server.h"

namespace weft::hostile {

using aio::Co;

namespace {

constexpr std::string_view kCanaryPage = "a page of the canary host, in good order";

// Keeps the content, and notices calls when there should be none any more.
class WatchfulSink final : public http::ResponseSink {
public:
    void on_start() override { content.clear(); }
    void on_request(std::string_view) override { note(); }
    void on_wire(std::string_view) override { note(); }
    void on_head(const http::Response&) override { note(); }
    void on_content(std::string_view piece) override {
        note();
        if (content.size() < kKeptBytes) content += piece.substr(0, kKeptBytes - content.size());
    }
    void end() { has_ended_ = true; }

    std::string content;
    std::size_t late_call_count = 0;

private:
    static constexpr std::size_t kKeptBytes = 64_KiB;

    void note() { late_call_count += has_ended_ ? 1 : 0; }

    bool has_ended_ = false;
};

struct CanaryState {
    std::size_t count = 0;
    TimePoint first{};
    TimePoint last{};
    bool is_over = false;
};

Co<bool> fetch_page(http::Client& client, const std::string& url) {
    http::ContentBuffer page;
    co_await client.fetch({.url = web::Url::parse(url).value()}, page);
    co_return page.content == kCanaryPage;
}

// Fetches until the state says that it is over, or all pages have come.
Co<> keep_fetching(http::Client& client, Canary canary, CanaryState& state) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    for (std::size_t i = 0; i <= kCanaryPageCount; ++i) {
        const bool is_whole = co_await fetch_page(client, canary.url);
        if (state.is_over) co_return;
        EXPECT_TRUE(is_whole);
        // The first one opens the connection: time runs from its end.
        if (i == 0) state.first = loop.time();
        if (i > 0) ++state.count;
        state.last = loop.time();
    }
}

double rate_of(const CanaryState& state) {
    return static_cast<double>(state.count) /
           std::chrono::duration<double>(state.last - state.first).count();
}

}  // namespace

Co<double> measure_canary(http::Client& client, Canary canary) {
    CanaryState state;
    co_await keep_fetching(client, canary, state);
    co_return rate_of(state);
}

Co<> serve_canary(std::unique_ptr<aio::Listener> listener) {
    http::Handler handler = [](const http::ServerRequest&, http::Responder& responder) -> Co<> {
        co_await responder.reply({.body = std::string(kCanaryPage)});
    };
    co_await http::serve(std::move(listener), std::move(handler));
}

Co<Ending> run_fetch(http::Client& client, Fetch fetch, Canary canary) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    Ending ending;
    WatchfulSink sink;
    CanaryState state;
    http::Request request{.url = web::Url::parse(fetch.url).value(),
                          .method = fetch.method,
                          .headers = fetch.headers,
                          .body = std::move(fetch.body)};
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        if (!canary.url.empty()) group.create_task(keep_fetching(client, canary, state));
        const std::size_t heap_before = live_heap_bytes();
        reset_heap_peak();
        const std::size_t resident_before = resident_bytes();
        reset_resident_peak();
        const TimePoint start = loop.time();
        try {
            if (fetch.follow) {
                http::FetchedPage page = co_await http::get(client, std::move(request.url));
                ending.response = std::move(page.response);
                sink.content = std::move(page.content);
            } else {
                ending.response = co_await client.fetch(std::move(request), sink);
            }
        } catch (const http::FetchError& error) {
            ending.failure = http::name(error.failure());
            ending.what = error.what();
        }
        sink.end();
        ending.took = loop.time() - start;
        ending.heap_bytes = peak_heap_bytes() - std::min(peak_heap_bytes(), heap_before);
        const std::size_t resident_peak = peak_resident_bytes();
        ending.resident_bytes = resident_peak - std::min(resident_peak, resident_before);
        state.is_over = true;
    });
    ending.content = sink.content;
    ending.late_call_count = sink.late_call_count;
    ending.canary_count = state.count;
    ending.canary_rate = 1;
    // A few pages say nothing about a rate.
    if (state.count >= 10 && canary.solo_rate > 0) {
        ending.canary_rate = rate_of(state) / canary.solo_rate;
    }
    co_return ending;
}

Arena::Arena() {
    network().host("canary.test").latency(10ms);
    network().host("evil.test").latency(10ms);
}

ScriptedServer& Arena::serve(const std::string& host, std::uint16_t port,
                             std::vector<Script> scripts) {
    servers_.push_back(
        std::make_unique<ScriptedServer>(network().listen(host, port), std::move(scripts)));
    return *servers_.back();
}

Co<std::vector<Ending>> Arena::run(std::vector<Fetch> fetches, Duration pause) {
    std::vector<Ending> endings;
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (const auto& server : servers_) group.create_task(server->serve());
        group.create_task(serve_canary(network().listen("canary.test", 80)));
        http::Client client(fetches.front().client);
        Canary canary{.url = "http://canary.test/"};
        static double solo_rate = 0;  // In virtual time it is always the same.
        if (solo_rate == 0) solo_rate = co_await measure_canary(client, canary);
        canary.solo_rate = solo_rate;
        for (Fetch& fetch : fetches) {
            if (!endings.empty()) co_await aio::sleep(pause);
            endings.push_back(co_await run_fetch(client, std::move(fetch), canary));
        }
        group.cancel();
    });
    co_return endings;
}

Co<> Arena::serve_all() {
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        for (const auto& server : servers_) group.create_task(server->serve());
        co_return;
    });
}

std::vector<Ending> Arena::fetch_all(std::vector<Fetch> fetches, Duration pause) {
    return loop_.run(run(std::move(fetches), pause));
}

Ending Arena::fetch(Fetch fetch) {
    return fetch_all({std::move(fetch)}).front();
}

Co<std::vector<crawl::Outcome>> Arena::run_crawl(crawl::Config config) {
    config.obey_robots = false;
    std::vector<crawl::Outcome> outcomes;
    frontier::MemoryFrontier frontier(config.max_per_host);
    crawl::Crawler crawler(config, frontier, nullptr,
                           crawl::Hooks{.on_outcome = [&outcomes](const crawl::Outcome& outcome) {
                               outcomes.push_back(outcome);
                           }});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (const auto& server : servers_) group.create_task(server->serve());
        co_await crawler.run();
        group.cancel();
    });
    co_return outcomes;
}

std::vector<crawl::Outcome> Arena::crawl(crawl::Config config) {
    if (config.seeds.empty()) config.seeds.push_back(web::Url::parse("http://evil.test/").value());
    return loop_.run(run_crawl(std::move(config)));
}

namespace {

void expect_bounds(const Ending& ending, const Bounds& bounds) {
    EXPECT_LE(ending.took, bounds.deadline + 1s) << "E2";
    EXPECT_LE(ending.heap_bytes, bounds.heap_bytes_max) << "E3";
    EXPECT_LE(ending.resident_bytes, bounds.resident_bytes_max) << "E3";
    EXPECT_GE(ending.canary_rate, 0.9) << "E4";
    EXPECT_EQ(ending.late_call_count, 0u) << "E5";
}

}  // namespace

void expect_failure(const Ending& ending, std::string_view failure, const Bounds& bounds) {
    EXPECT_EQ(ending.failure, failure) << ending.what << ending.response.status;
    EXPECT_FALSE(ending.what.empty() && ending.failure.empty());
    expect_bounds(ending, bounds);
}

void expect_answer(const Ending& ending, int status, const Bounds& bounds) {
    EXPECT_EQ(ending.failure, "") << ending.what;
    EXPECT_EQ(ending.response.status, status);
    expect_bounds(ending, bounds);
}

void expect_answers(const std::vector<AnswerRow>& rows, const Fetch& fetch) {
    for (const AnswerRow& row : rows) {
        SCOPED_TRACE(escape_for_terminal(row.answer.substr(0, 200)));
        for (const bool is_dripped : {false, true}) {
            Arena arena;
            const std::string answer(row.answer);
            arena.serve({read_request(), is_dripped ? drip(answer, 1us) : send(answer)});
            const Ending ending = arena.fetch(fetch);
            EXPECT_EQ(ending.failure, row.failure) << ending.what;
            if (row.failure.empty()) EXPECT_EQ(ending.content, row.content);
            expect_bounds(ending, {});
        }
    }
}

}  // namespace weft::hostile
