#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "aio/sync/semaphore.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "bench/figure.h"
#include "bench/frontier/crawl_load.h"
#include "frontier/shards/disk_frontier.h"

// What the frontier on disk costs: CPU time of all threads, commits grouped as in a crawl with 64
// fetches at once. `embedded N` adds N million URLs instead (100: the long run) within the memory
// that a crawl with --memory 512MiB gives its frontier, or `embedded N MIB` within so much;
// `embedded page` or `page10M` (and MIB) measures a page alone, with few or many URLs known.
namespace weft::bench {
namespace {

using aio::Co;
using frontier::Candidate;
using frontier::Completion;
using frontier::DiskFrontier;
using frontier::DiskOptions;
using frontier::Visit;

constexpr std::size_t kLinks = 40;
constexpr std::size_t kNewLinks = 5;
constexpr std::uint64_t kMany = 10'000'000;
constexpr std::uint64_t kMemory = 400_MiB;
constexpr std::uint64_t kCrawlShare =
    128_MiB;  // Of --memory 512MiB, as `weft crawl` shares it out.

std::filesystem::path make_folder(std::string_view name) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("weft-bench-{}-{}", getpid(), name);
    std::filesystem::remove_all(path);
    return path;
}

double resident_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Adds URLs; what making them takes is added to `making`.
Co<> add(DiskFrontier& frontier, const MadeUrls& urls, std::uint64_t begin, std::uint64_t end,
         double& making) {
    constexpr std::uint64_t kBatch = 512;
    while (begin < end) {
        std::vector<Candidate> batch;
        const std::uint64_t stop = std::min(end, begin + kBatch);
        const double start = cpu_seconds();
        batch.reserve(kBatch);
        for (; begin < stop; ++begin) batch.push_back(urls.candidate(begin));
        making += cpu_seconds() - start;
        co_await frontier.push(std::move(batch));
    }
}

// What the pages of a measurement share.
struct Load {
    const MadeUrls& urls;
    std::uint64_t known;
    std::size_t pages_left;
    double making = 0;
    Random random{1};

    // 35 links to what is known, 5 to what is new.
    Completion make_page() {
        const double start = cpu_seconds();
        Completion completion;
        completion.found.reserve(kLinks);
        for (std::size_t link = 0; link < kLinks; ++link) {
            const bool is_new = link % (kLinks / kNewLinks) == 0;
            completion.found.push_back(urls.candidate(is_new ? known++ : random.below(known)));
        }
        completion.outcome.assign(300, 'x');
        completion.archived = {"weft-20260301120000-00000.warc.gz", known, 30'000};
        making += cpu_seconds() - start;
        return completion;
    }
};

// next() is for one task at a time.
Co<> work_in_turn(DiskFrontier& frontier, Load& load) {
    aio::Semaphore places(64);
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (; load.pages_left > 0; --load.pages_left) {
            aio::Semaphore::Permit permit = co_await places.acquire();
            std::optional<Visit> visit = co_await frontier.next();
            group.create_task([](DiskFrontier& f, Load& l, std::uint64_t id,
                                 aio::Semaphore::Permit held) -> Co<> {
                static_cast<void>(held);
                Completion completion = l.make_page();
                completion.visit_id = id;
                co_await f.complete(std::move(completion));
            }(frontier, load, visit->id, std::move(permit)));
        }
    });
}

// Microseconds of CPU for a page, with so many URLs known.
struct PageCase {
    std::uint64_t known = 10'000;
    std::uint64_t memory_bytes = kMemory;
};

Co<double> page_cost(PageCase given) {
    constexpr std::size_t kPageCount = 20'000;
    const auto [known, memory_bytes] = given;
    const std::filesystem::path path = make_folder("pages");
    const MadeUrls urls(known / 100);
    double best = 1e300;
    {
        DiskOptions options;
        options.memory_bytes = memory_bytes;
        const auto frontier = co_await DiskFrontier::open(path, std::move(options));
        double making = 0;
        co_await add(*frontier, urls, 0, known, making);
        Load load{.urls = urls, .known = known, .pages_left = 0};
        for (int round = 0; round < 5; ++round) {
            load.pages_left = kPageCount;
            load.making = 0;
            const double start = cpu_seconds();
            co_await work_in_turn(*frontier, load);
            const double taken = cpu_seconds() - start - load.making;
            best = std::min(best, taken / static_cast<double>(kPageCount) * 1e6);
        }
        co_await frontier->finish();
    }
    std::filesystem::remove_all(path);
    co_return best;
}

Co<> measure_pages() {
    const double small = co_await page_cost({});
    const double large = co_await page_cost({.known = kMany});
    const double spilled = co_await page_cost({.known = kMany, .memory_bytes = kCrawlShare});
    figure("frontier_page_40_links", small, "us CPU", "<=15");
    figure("frontier_page_at_10M_urls", large, "us CPU", "<=15");
    figure("frontier_page_10M_to_10k", large / small, "ratio", "<=1.2");
    figure("frontier_page_at_10M_urls_in_128_MiB", spilled, "us CPU", "<=15");
}

Co<> measure_adding(std::uint64_t millions, std::uint64_t memory_bytes, std::string_view bar) {
    const std::string name = fmt::format("{}M", millions);
    const std::filesystem::path path = make_folder("add");
    const std::uint64_t count = millions * 1'000'000;
    const MadeUrls urls(count / 100);
    DiskOptions options;
    options.memory_bytes = memory_bytes;
    {
        const double start = cpu_seconds();
        const auto frontier = co_await DiskFrontier::open(path, std::move(options));
        double making = 0;
        co_await add(*frontier, urls, 0, count, making);
        co_await frontier->finish();
        const double taken = cpu_seconds() - start - making;
        figure(fmt::format("frontier_add_{}", name), static_cast<double>(count) / taken,
               "URLs/CPU s", bar);
        if (frontier->counts().seen != count) fmt::print(stderr, "wrong count\n");
    }
    figure(fmt::format("frontier_add_{}_memory", name), resident_mebibytes(), "MiB", "<=563");
    const auto start = std::chrono::steady_clock::now();
    DiskOptions again;
    again.memory_bytes = memory_bytes;
    const auto frontier = co_await DiskFrontier::open(path, std::move(again));
    const std::optional<Visit> first = co_await frontier->next();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    figure(fmt::format("frontier_resume_{}", name), taken.count(), "s", "<=10");
    if (!first || frontier->recovered().counts.waiting != count) fmt::print(stderr, "lost\n");
    co_await frontier->finish();
    std::filesystem::remove_all(path);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
    using namespace weft;
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    const auto number_at = [&](int place, std::uint64_t otherwise) {
        if (argc <= place) return otherwise;
        const std::string_view text = argv[place];
        std::from_chars(text.data(), text.data() + text.size(), otherwise);
        return otherwise;
    };
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "page" || what == "page10M") {
        const double cost = aio::run(
            bench::page_cost({.known = what == "page" ? 10'000 : bench::kMany,
                              .memory_bytes = number_at(2, bench::kMemory / 1_MiB) * 1_MiB}));
        bench::figure("frontier_page_40_links", cost, "us CPU", "<=15");
        return 0;
    }
    if (!what.empty()) {
        const std::uint64_t memory_bytes = number_at(2, bench::kCrawlShare / 1_MiB) * 1_MiB;
        aio::run(bench::measure_adding(number_at(1, 0), memory_bytes, ">=100000"));
        return 0;
    }
    aio::run(bench::measure_adding(10, bench::kMemory, ">=300000"));
    aio::run(bench::measure_pages());
}
