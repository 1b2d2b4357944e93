#pragma once

#include <charconv>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/memory_frontier.h"
#include "http/server/server.h"

namespace weft::crawl {

// A crawl in virtual time of one good host, the canary, beside any number of others: what do these
// cost it? The canary has pages without end, one every 50 ms.
class CanaryCrawl {
public:
    using Handler = http::Handler;

    explicit CanaryCrawl(std::uint64_t seed = 1) : loop(seed) {
        config.wait = 50ms;
        config.sitemaps = false;
        config.stops_without_network = true;
        config.pattern_probe_count = 0;  // Its pages are alike.
        config.pages_per_pattern_max = std::nullopt;
        config.scope = ScopeKind::any;
    }

    aio::SimulatedLoop loop;
    Config config;
    Duration time_max = 45s;
    std::function<void()> on_page;  // Of the canary.
    std::string extra_html;         // On its first page.
    bool has_canary = true;
    int page_count_max = 1'000'000;

    std::map<std::string, Outcome> outcomes;  // By URL.
    int canary_count = 0;                     // Pages of it that came.
    StopReason stop_reason = StopReason::none;
    frontier::Counts counts;
    Duration elapsed{};

    // A host with this handler, a seed.
    void add_host(const std::string& name, Handler handler, std::string_view scheme = "http") {
        seed(name, scheme);
        servers_.emplace_back(loop.network().listen(name, scheme == "http" ? 80 : 443),
                              std::move(handler));
    }

    // A machine that takes connections and never says a word.
    void add_silent_host(const std::string& name, std::string_view scheme) {
        seed(name, scheme);
        silent_.push_back(loop.network().listen(name, scheme == "http" ? 80 : 443));
    }

    void seed(const std::string& name, std::string_view scheme = "http") {
        loop.network().host(name).latency(1ms);
        config.seeds.push_back(web::Url::parse(fmt::format("{}://{}/", scheme, name)).value());
    }

    // Hosts are first asked in the order of their names.
    void run() {
        if (has_canary) {
            add_host("canary.test",
                     [this](const http::ServerRequest& request,
                            http::Responder& responder) -> aio::Co<> {
                         http::Reply reply = canary_page(request);
                         co_await responder.reply(std::move(reply));
                     });
        }
        config.crawl_budget.time_max = time_max;
        loop.run([](CanaryCrawl& self) -> aio::Co<> { co_await self.crawl(); }(*this));
    }

private:
    http::Reply canary_page(const http::ServerRequest& request) {
        if (request.target == "/robots.txt") return {.status = 404};
        ++canary_count;
        if (on_page) on_page();
        std::string html = "<title>canary</title>";
        const bool is_first = request.target == "/";
        if (is_first) html += extra_html;
        int number = 0;
        std::from_chars(request.target.data() + 1, request.target.data() + request.target.size(),
                        number);
        for (int i = number + 1; i <= std::min(number + 5, page_count_max); ++i) {
            html += fmt::format("<a href='/{}'>page</a>", i);
        }
        return {.headers = {{"Content-Type", "text/html"}}, .body = html};
    }

    aio::Co<> crawl() {
        frontier::MemoryFrontier frontier(config.max_per_host);
        Crawler crawler(config, frontier, nullptr, Hooks{.on_outcome = [&](const Outcome& outcome) {
                            outcomes[outcome.url] = outcome;
                        }});
        const Duration start = loop.now();
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            for (auto& [listener, handler] : servers_) {
                group.create_task(http::serve(std::move(listener), std::move(handler)));
            }
            co_await aio::yield_now();
            co_await crawler.run();
            group.cancel();
        });
        elapsed = loop.now() - start;
        stop_reason = crawler.stop_reason();
        counts = frontier.counts();
    }

    std::vector<std::pair<std::unique_ptr<aio::Listener>, Handler>> servers_;
    std::vector<std::unique_ptr<aio::Listener>> silent_;
};

}  // namespace weft::crawl
