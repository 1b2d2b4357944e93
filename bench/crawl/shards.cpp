#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <unistd.h>

#include "aio/loop/executor.h"
#include "aio/loop/run.h"
#include "aio/simulated/simulated_network.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "bench/figure.h"
#include "bench/process.h"
#include "crawl/run/crawler.h"
#include "crawl/run/shared_state.h"
#include "frontier/shards/disk_frontier.h"
#include "frontier/shards/sharded_frontier.h"
#include "http/server/server.h"
#include "tests/support/forwarding_selector.h"

// What a second core brings: a crawl by one shard on one core and by two on two, with one frontier
// on disk, each shard with a made network and web of its own in its thread. No server process takes
// part of the cores, but the web's own work is in the figures.
namespace weft::bench {
namespace {

using aio::Co;

constexpr int kHosts = 64;
constexpr int kPagesPerHost = 1'000;
constexpr int kLinksPerPage = 10;
constexpr std::size_t kUsualConcurrency = 256;  // The program's own,
constexpr std::size_t kLowConcurrency = 64;     // and where the wait for commits shows.
constexpr std::uint64_t kUrlCount = kHosts * kPagesPerHost;

// Waits for other threads as epoll does, and for the made network by the machine's clock.
class MixedSelector final : public tests::ForwardingSelector {
public:
    MixedSelector(const Clock& clock, aio::SimulatedNetwork& network)
        : ForwardingSelector(aio::make_epoll_selector()), clock_(clock), network_(network) {}

    void select(std::optional<Duration> timeout) override {
        if (const std::optional<TimePoint> event = network_.next_event()) {
            const Duration until = std::max(Duration::zero(), *event - clock_.now());
            timeout = std::min(timeout.value_or(until), until);
        }
        ForwardingSelector::select(timeout);
        network_.deliver_due();
    }

private:
    const Clock& clock_;
    aio::SimulatedNetwork& network_;
};

// Of "h12.test" or "/12".
int number_in(std::string_view name) {
    int number = 0;
    std::from_chars(name.data() + 1, name.data() + name.size(), number);
    return number;
}

std::string host_name(int index) {
    return fmt::format("h{}.test", index);
}

// A shard's own machine, on its thread.
struct Machine {
    SystemClock clock;
    aio::SimulatedNetwork network{clock, 1};
    MixedSelector selector{clock, network};
    std::unique_ptr<aio::Network> view = network.seen_from("here");
    aio::SystemFiles files;
    aio::ThreadPool executor{1};
    Random random{1};
    aio::EventLoop loop{aio::Platform{.clock = &clock,
                                      .selector = &selector,
                                      .network = view.get(),
                                      .files = &files,
                                      .executor = &executor,
                                      .random = &random}};
};

http::Reply page(const std::string& target) {
    const int number = number_in(target);
    std::string html = "<!DOCTYPE html><title>made</title><body>";
    for (int i = 1; i <= kLinksPerPage; ++i) {
        html += fmt::format("<p><a href=/{}>page</a> of a generated web, as small as they come",
                            (number * kLinksPerPage + i) % kPagesPerHost);
    }
    return {.headers = {{"Content-Type", "text/html"}}, .body = std::move(html)};
}

Co<> serve(aio::SimulatedNetwork& network) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (int i = 0; i < kHosts; ++i) {
            network.name(host_name(i)).add(network.host(host_name(i)).latency(0ms).address());
            http::Handler handler = [](const http::ServerRequest& request,
                                       http::Responder& responder) -> Co<> {
                http::Reply reply = page(request.target);
                co_await responder.reply(std::move(reply));
            };
            group.create_task(http::serve(network.listen(host_name(i), 80), std::move(handler)));
        }
        co_await aio::sleep(24h);
    });
}

crawl::Config config_with(std::size_t concurrency) {
    crawl::Config config;
    for (int i = 0; i < kHosts; ++i) {
        config.seeds.push_back(web::Url::parse(fmt::format("http://{}/0", host_name(i))).value());
    }
    config.sitemaps = false;
    config.obey_robots = false;
    config.wait = Duration::zero();
    config.max_per_host = 8;
    config.max_per_address = 8;
    config.concurrency = concurrency;
    config.pattern_probe_count = 0;  // Its pages are alike but for their numbers.
    return config;
}

Co<> crawl_part(Machine& machine, const crawl::Config& config, frontier::Frontier& desk,
                std::shared_ptr<crawl::SharedState> commons) {
    crawl::Crawler crawler(config, desk, nullptr, {}, std::move(commons));
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(serve(machine.network));
        co_await aio::yield_now();
        co_await crawler.run();
        group.cancel();
    });
}

// How a crawl is made: by so many shards, with so many fetches under way at each.
struct Way {
    std::size_t shard_count = 1;
    std::size_t concurrency = kUsualConcurrency;
};

Co<std::uint64_t> crawl_all(Machine& home, std::filesystem::path folder, Way way) {
    const crawl::Config config = config_with(way.concurrency);
    const std::size_t shard_count = way.shard_count;
    const auto whole = co_await frontier::DiskFrontier::open(std::move(folder),
                                                             {.max_per_host = config.max_per_host});
    frontier::ShardedFrontier sharded(
        *whole, shard_count, [shard_count](const frontier::Candidate& url) {
            return static_cast<std::size_t>(number_in(url.host)) % shard_count;
        });
    const auto commons = std::make_shared<crawl::SharedState>(config, shard_count);
    std::vector<std::thread> others;
    for (std::size_t shard = 1; shard < shard_count; ++shard) {
        others.emplace_back([&, shard] {
            Machine machine;
            aio::run_on(machine.loop, crawl_part(machine, config, sharded.desk(shard), commons));
        });
    }
    if (shard_count == 1) {
        co_await crawl_part(home, config, *whole, commons);
    } else {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> serving = group.create_task(sharded.serve(), "frontier");
            co_await crawl_part(home, config, sharded.desk(0), commons);
            co_await aio::to_thread([&] {
                for (std::thread& thread : others) thread.join();
            });
            serving.cancel();
        });
    }
    co_await whole->finish();
    co_return whole->counts().done;
}

// Seconds of a crawl, and those of CPU.
struct Cost {
    double seconds = 0;
    double cpu_seconds = 0;
};

std::vector<int> list(const cpu_set_t& cores) {
    std::vector<int> all;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &cores)) all.push_back(core);
    }
    return all;
}

// Of the calling thread, and those it starts.
void stay_on(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    sched_setaffinity(0, sizeof cores, &cores);
}

// Crawls, and checks that it had all.
void crawl_whole(Way way, std::string_view name) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("weft-shards-{}-{}", getpid(), name);
    {
        Machine machine;
        const std::uint64_t done = aio::run_on(machine.loop, crawl_all(machine, folder, way));
        if (done != kUrlCount) fmt::print(stderr, "{} of {} URLs\n", done, kUrlCount);
    }
    std::filesystem::remove_all(folder);
}

Cost measure(Way way, const cpu_set_t& all_cores) {
    Cost best{1e300, 1e300};
    sched_setaffinity(0, sizeof all_cores, &all_cores);
    if (way.shard_count == 1) stay_on(list(all_cores).back());
    for (int i = 0; i < 3; ++i) {
        const double start_cpu = cpu_seconds();
        const double seconds = best_seconds(1, [&] { crawl_whole(way, "one"); });
        best = {std::min(best.seconds, seconds),
                std::min(best.cpu_seconds, cpu_seconds() - start_cpu)};
    }
    return best;
}

// Two crawls on two cores that have nothing in common but the machine: what it can give.
double seconds_of_two_apart(const cpu_set_t& all_cores) {
    const std::vector<int> cores = list(all_cores);
    return best_seconds(3, [&] {
        std::thread other([&] {
            stay_on(cores.front());
            crawl_whole({}, "other");
        });
        stay_on(cores.back());
        crawl_whole({}, "one");
        other.join();
    });
}

}  // namespace
}  // namespace weft::bench

// `shards N` only runs with N shards, to be profiled.
int main(int argc, char** argv) {
    using namespace weft::bench;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    if (argc > 1) {
        const auto count = static_cast<std::size_t>(number_in(fmt::format("-{}", argv[1])));
        return measure({.shard_count = count}, cores).seconds <= 0;
    }
    const Cost one = measure({}, cores);
    const Cost two = measure({.shard_count = 2}, cores);
    const double apart = seconds_of_two_apart(cores);
    figure("shards: one, pages a second", kUrlCount / one.seconds, "pages/s");
    figure("shards: two, pages a second", kUrlCount / two.seconds, "pages/s");
    figure("shards: two, times one", one.seconds / two.seconds, "x", ">=1.8");
    figure("shards: two crawls apart, times one", 2 * one.seconds / apart, "x");
    figure("shards: CPU a page with two, times one", two.cpu_seconds / one.cpu_seconds, "x");
    const Cost low_one = measure({.concurrency = kLowConcurrency}, cores);
    const Cost low_two = measure({.shard_count = 2, .concurrency = kLowConcurrency}, cores);
    figure("shards: two, times one, with 64 under way", low_one.seconds / low_two.seconds, "x");
}
