#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

#include "aio/files/files.h"
#include "aio/loop/executor.h"
#include "aio/loop/run.h"
#include "aio/simulated/simulated_clock.h"
#include "aio/simulated/simulated_network.h"
#include "aio/simulated/simulated_selector.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "bench/figure.h"
#include "bench/process.h"
#include "crawl/run/crawler.h"
#include "frontier/shards/disk_frontier.h"
#include "tests/crawl/vast_web.h"

// Scale on paper: the real crawler and its frontier on a real disk, on a simulated network, over a
// month of virtual time. `month N` takes N hosts (1000000: the long run); the memory is that of a
// crawl with --memory 512MiB, the made web's own included.
namespace weft::bench {
namespace {

using aio::Co;

constexpr std::uint64_t kMemory = 512_MiB;

// A simulated network and clock, but the machine's own files.
struct Machine {
    aio::SimulatedClock clock;
    aio::SimulatedNetwork network{clock, 1};
    aio::SystemFiles files;
    aio::SimulatedSelector selector{clock, network};
    std::unique_ptr<aio::Network> view = network.seen_from("here");
    aio::InlineExecutor executor;
    Random random{1};
    aio::EventLoop loop{aio::Platform{.clock = &clock,
                                      .selector = &selector,
                                      .network = view.get(),
                                      .files = &files,
                                      .executor = &executor,
                                      .random = &random}};
};

double resident_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

Co<crawl::Statistics> crawl(crawl::VastWeb& web, std::filesystem::path folder) {
    crawl::Config config = web.config();
    config.body_bytes_held_max = kMemory / 2;
    const auto frontier = co_await frontier::DiskFrontier::open(
        std::move(folder), {.memory_bytes = kMemory / 4, .sync = frontier::SyncMode::never});
    crawl::Crawler crawler(config, *frontier, nullptr, {});
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(web.serve());
        co_await aio::yield_now();
        co_await crawler.run();
        group.cancel();
    });
    co_await frontier->finish();
    co_return crawler.statistics();
}

int run(int host_count) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("weft-month-{}", getpid());
    double days = 0;
    crawl::Statistics numbers;
    std::uint64_t wanted = 0;
    const double start = cpu_seconds();
    {
        Machine machine;
        crawl::VastWeb web(machine.network, host_count);
        numbers = aio::run_on(machine.loop, crawl(web, folder));
        days = std::chrono::duration<double>(machine.clock.now().time_since_epoch()) / 24h;
        wanted = web.url_count();
    }
    std::filesystem::remove_all(folder);
    figure("month_hosts", host_count, "hosts");
    figure("month_urls", static_cast<double>(numbers.outcome_count), "URLs");
    figure("month_lost", static_cast<double>(wanted - numbers.outcome_count), "URLs", "<=0");
    figure("month_virtual", days, "days");
    figure("month_resident", resident_mebibytes(), "MiB", "<=563");
    figure("month_cpu", (cpu_seconds() - start) * 1e6 / static_cast<double>(numbers.outcome_count),
           "us/URL");
    return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
    int host_count = 20'000;
    if (argc > 1) {
        const std::string_view text = argv[1];
        std::from_chars(text.data(), text.data() + text.size(), host_count);
    }
    return weft::bench::run(host_count);
}
