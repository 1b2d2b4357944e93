#pragma once

#include <charconv>
#include <string>

#include "aio/loop/loop.h"
#include "aio/simulated/simulated_network.h"
#include "aio/task/co.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/run/config.h"
#include "http/server/server.h"

namespace weft::crawl {

// A generated web of any number of hosts, h0.test and on, that takes no memory for them: names lead
// to few machines, pages are made when asked for. hub.test names them all. Each host has three
// pages; the last one of every hundredth host is busy and asks to come again a day later, for four
// weeks.
class VastWeb {
public:
    static constexpr int kHostsPerPage = 1'000;
    static constexpr int kMachines = 512;
    static constexpr Duration kBusyTime = 28 * 24h;

    VastWeb(aio::SimulatedNetwork& network, int host_count)
        : network_(network), host_count_(host_count) {
        aio::SimulatedName& all = network.name("*.test");
        for (int i = 0; i < kMachines; ++i) {
            all.add(network.host(machine(i)).latency(20ms).address());
        }
    }

    // What ends in a terminal state: the hub, its lists, three pages of each host.
    std::uint64_t url_count() const {
        return 1 + static_cast<std::uint64_t>(list_count()) +
               3 * static_cast<std::uint64_t>(host_count_);
    }
    std::uint64_t request_count() const { return request_count_; }

    Config config() const {
        Config config;
        config.seeds = {web::Url::parse("http://hub.test/").value()};
        config.scope = ScopeKind::any;
        config.sitemaps = false;
        config.concurrency = 2'000;
        config.try_count_max = 40;
        config.retry_after_max = 2 * kBusyTime;  // Its busy hosts are waited for.
        config.pattern_probe_count = 0;          // Its pages are alike but for their numbers.
        return config;
    }

    // Until cancelled.
    aio::Co<> serve() {
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            for (int i = 0; i < kMachines; ++i) {
                http::Handler handler = [this](const http::ServerRequest& request,
                                               http::Responder& responder) -> aio::Co<> {
                    http::Reply reply = answer(request);
                    co_await responder.reply(std::move(reply));
                };
                group.create_task(http::serve(network_.listen(machine(i), 80), std::move(handler)));
            }
            co_await aio::sleep(365 * 24h);
        });
    }

private:
    static std::string machine(int index) { return fmt::format("machine-{}", index); }
    int list_count() const { return (host_count_ + kHostsPerPage - 1) / kHostsPerPage; }

    http::Reply answer(const http::ServerRequest& request) {
        ++request_count_;
        if (request.target == "/robots.txt") return {.status = 404};
        const std::string host(request.headers.get("Host").value_or(""));
        if (host == "hub.test") return list(request.target);
        int number = -1;
        std::from_chars(host.data() + 1, host.data() + host.size(), number);
        const Duration now = aio::EventLoop::running().time().time_since_epoch();
        if (number % 100 == 0 && request.target == "/b" && now < kBusyTime) {
            return {.status = 503, .headers = {{"Retry-After", "86400"}}};
        }
        const bool is_home = request.target == "/";
        return {.headers = {{"Content-Type", "text/html"}},
                .body = is_home ? "<a href=/a>1</a><a href=/b>2</a>" : "<p>made</p>"};
    }

    http::Reply list(const std::string& target) const {
        std::string html;
        int page = -1;
        std::from_chars(target.data() + 1, target.data() + target.size(), page);
        if (page < 0) {
            for (int i = 0; i < list_count(); ++i) html += fmt::format("<a href=/{}>x</a>", i);
        } else {
            const int end = std::min(host_count_, (page + 1) * kHostsPerPage);
            for (int i = page * kHostsPerPage; i < end; ++i) {
                html += fmt::format("<a href=http://h{}.test/>x</a>", i);
            }
        }
        return {.headers = {{"Content-Type", "text/html"}}, .body = std::move(html)};
    }

    aio::SimulatedNetwork& network_;
    int host_count_;
    std::uint64_t request_count_ = 0;
};

}  // namespace weft::crawl
