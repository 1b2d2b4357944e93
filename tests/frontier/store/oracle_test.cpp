#include <map>
#include <set>

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "frontier/candidates.h"
#include "frontier/shards/disk_frontier.h"
#include "frontier/shards/memory_frontier.h"

// Random work on both frontiers side by side; the one on disk is closed, or dies, now and then.
namespace weft::frontier {
namespace {

using aio::Co;

constexpr std::size_t kMaxPerHost = 2;

Co<std::unique_ptr<DiskFrontier>> open_small(std::uint64_t memory_bytes) {
    DiskOptions options;
    options.max_per_host = kMaxPerHost;
    options.urls_per_host_max = 150;
    options.memory_bytes = memory_bytes;
    co_return co_await DiskFrontier::open("state", std::move(options));
}

// All that is due now; nothing is waited for.
Co<std::vector<Visit>> lend_due(Frontier& frontier) {
    std::vector<Visit> visits;
    for (;;) {
        aio::Task<std::optional<Visit>> next = aio::create_task(frontier.next());
        for (int i = 0; i < 10 && !next.done(); ++i) co_await aio::yield_now();
        if (!next.done()) {
            next.cancel();
            co_await aio::yield_now();
            co_await aio::yield_now();
            co_return visits;
        }
        std::optional<Visit> visit = co_await next;
        if (!visit) co_return visits;
        visits.push_back(*std::move(visit));
    }
}

using ByUrl = std::map<std::string, Visit>;

ByUrl by_url(std::vector<Visit> visits) {
    ByUrl result;
    for (Visit& visit : visits) result.emplace(visit.candidate.url, visit);
    return result;
}

void expect_same(const ByUrl& a, const ByUrl& b) {
    ASSERT_EQ(a.size(), b.size());
    for (auto left = a.begin(), right = b.begin(); left != a.end(); ++left, ++right) {
        ASSERT_EQ(left->first, right->first);
        EXPECT_EQ(left->second.attempt, right->second.attempt);
        EXPECT_EQ(left->second.candidate.referrer, right->second.candidate.referrer);
        EXPECT_EQ(left->second.candidate.host, right->second.candidate.host);
    }
}

std::vector<Candidate> some_urls(Random& random, std::size_t count) {
    std::vector<Candidate> urls;
    for (std::size_t i = 0; i < count; ++i) {
        urls.push_back(candidate(fmt::format("h{}", random.below(6)),
                                 fmt::format("/{}", random.below(400)),
                                 static_cast<std::uint8_t>(random.below(3))));
    }
    return urls;
}

// Times of retries differ and only grow, so that their order is plain.
Completion some_ending(Random& random, std::uint64_t serial) {
    Completion completion;
    completion.host_ready_at = now() + random.below(3) * 1s;
    if (random.below(4) == 0) {
        completion.retry_at = now() + 5s + Duration(serial);
    } else {
        completion.found = some_urls(random, random.below(12));
    }
    return completion;
}

Co<> work_on_both(std::uint64_t seed, std::uint64_t memory_bytes) {
    Random random(seed);
    MemoryFrontier oracle(MemoryOptions{.max_per_host = kMaxPerHost, .urls_per_host_max = 150});
    std::unique_ptr<DiskFrontier> disk = co_await open_small(memory_bytes);
    const std::vector<Candidate> seeds = some_urls(random, 5);
    co_await oracle.push(seeds);
    co_await disk->push(seeds);
    std::uint64_t serial = 0;
    for (int round = 0; round < 150 && !testing::Test::HasFatalFailure(); ++round) {
        std::vector<Visit> oracle_due = co_await lend_due(oracle);
        std::vector<Visit> disk_due = co_await lend_due(*disk);
        const ByUrl expected = by_url(std::move(oracle_due));
        const ByUrl lent = by_url(std::move(disk_due));
        expect_same(expected, lent);
        for (const auto& [url, visit] : expected) {
            Completion ending = some_ending(random, ++serial);
            Completion copy = ending;
            ending.visit_id = visit.id;
            copy.visit_id = lent.at(url).id;
            const Completed in_memory = co_await oracle.complete(std::move(ending));
            const Completed on_disk = co_await disk->complete(std::move(copy));
            EXPECT_EQ(in_memory.new_count, on_disk.new_count);
        }
        if (random.below(40) == 0) {
            const HostChange change{.host = fmt::format("h{}", random.below(6)), .drop = true};
            co_await oracle.change_host(change);
            co_await disk->change_host(change);
        }
        const Counts a = oracle.counts();
        const Counts b = disk->counts();
        EXPECT_EQ(std::tuple(a.seen, a.waiting, a.lent, a.done),
                  std::tuple(b.seen, b.waiting, b.lent, b.done));
        if (random.below(8) == 0) {
            if (random.below(2) == 0) co_await disk->finish();
            disk.reset();
            disk = co_await open_small(memory_bytes);
        }
        co_await aio::sleep(random.below(3) * 1s);
    }
}

}  // namespace

class FrontierOracle : public testing::TestWithParam<std::uint64_t> {};

TEST_P(FrontierOracle, DiskAndMemoryLendTheSame) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        aio::SimulatedLoop loop(seed);
        loop.run(work_on_both(seed, GetParam()));
        if (HasFailure()) return;
    }
}

// 128 KiB: everything spills, but the six hosts fit on the bench.
INSTANTIATE_TEST_SUITE_P(Budgets, FrontierOracle, testing::Values(128_KiB, 256_MiB),
                         [](const auto& each) { return each.param == 128_KiB ? "Tiny" : "Large"; });

}  // namespace weft::frontier
