#include "frontier/shards/sharded_frontier.h"

#include <charconv>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "aio/simulated/simulated_shards.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "aio/task/wait.h"
#include "frontier/candidates.h"
#include "frontier/shards/memory_frontier.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

using aio::Co;
using aio::Shard;
using aio::SimulatedShards;

// Hosts "h0" to "h9"; page n leads to pages 2n and 2n + 1, each on another host.
constexpr int kPageCount = 500;

Candidate page(int number) {
    return candidate("h" + std::to_string(number % 10), "/" + std::to_string(number));
}

int number_of(std::string_view url) {
    int number = 0;
    std::from_chars(url.data() + url.rfind('/') + 1, url.data() + url.size(), number);
    return number;
}

std::size_t shard_of(const Candidate& url, std::size_t count) {
    return static_cast<std::size_t>(url.host.back() - '0') % count;
}

struct Crawl {
    Crawl(Frontier& whole, std::size_t count)
        : sharded(whole, count, [count](const Candidate& url) { return shard_of(url, count); }) {}

    // A shard's part, with a few visits under way at once.
    Co<> work(const Shard& shard) {
        Frontier& desk = sharded.desk(shard.index);
        if (shard.index == 0) co_await desk.push({page(1)});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (;;) {
                std::optional<Visit> visit = co_await desk.next();
                if (!visit) co_return;
                EXPECT_EQ(shard_of(visit->candidate, shard.count), shard.index);
                group.create_task(make(desk, *std::move(visit)));
            }
        });
        ++ended_count;
    }
    Co<> make(Frontier& desk, Visit visit) {
        co_await aio::sleep(1ms);
        const int number = number_of(visit.candidate.url);
        ++visits[number];
        Completion completion{.visit_id = visit.id, .retry_at = {}, .found = {}};
        for (const int next : {2 * number, 2 * number + 1}) {
            if (next <= kPageCount) completion.found.push_back(page(next));
        }
        co_await desk.complete(std::move(completion));
    }
    Co<> run(const Shard& shard) {
        if (shard.index > 0) {
            co_await work(shard);
            co_return;
        }
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> serving = group.create_task(sharded.serve());
            co_await work(shard);
            while (ended_count < shard.count) co_await aio::sleep(1ms);
            serving.cancel();
        });
    }

    ShardedFrontier sharded;
    std::map<int, int> visits;
    std::size_t ended_count = 0;
};

// Fails at its n-th completion.
class FailingFrontier final : public Frontier {
public:
    explicit FailingFrontier(int nth) : left_(nth) {}

    Co<std::size_t> push(std::vector<Candidate> candidates) override {
        co_return co_await whole_.push(std::move(candidates));
    }
    Co<std::optional<Visit>> next() override { co_return co_await whole_.next(); }
    Co<Completed> complete(Completion completion) override {
        if (--left_ <= 0) throw StoreError("the disk is full");
        co_return co_await whole_.complete(std::move(completion));
    }
    Co<HostCounts> host_counts(std::string) override { co_return HostCounts{}; }
    Co<> change_host(HostChange) override { co_return; }
    void close() override { whole_.close(); }
    Counts counts() const override { return whole_.counts(); }

private:
    MemoryFrontier whole_{4};
    int left_;
};

}  // namespace

TEST(ShardedFrontier, EveryUrlIsLentOnceAndToItsOwnShardInEveryOrder) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SimulatedShards shards(3, seed);
        MemoryFrontier whole(4);
        Crawl crawl(whole, 3);

        shards.run([&](const Shard& shard) -> Co<> { co_await crawl.run(shard); });

        EXPECT_EQ(crawl.visits.size(), static_cast<std::size_t>(kPageCount));
        for (const auto& [number, count] : crawl.visits) EXPECT_EQ(count, 1) << number;
        EXPECT_EQ(whole.counts().done, static_cast<std::uint64_t>(kPageCount));
        EXPECT_EQ(whole.counts().lent, 0u);
    }
}

TEST(ShardedFrontier, OneShardIsEnough) {
    SimulatedShards shards(1);
    MemoryFrontier whole(4);
    Crawl crawl(whole, 1);

    shards.run([&](const Shard& shard) -> Co<> { co_await crawl.run(shard); });

    EXPECT_EQ(crawl.visits.size(), static_cast<std::size_t>(kPageCount));
}

TEST(ShardedFrontier, AnErrorOfTheFrontierReachesTheShardThatCompletes) {
    for (int nth : {1, 2, 7, 100}) {
        SimulatedShards shards(3, static_cast<std::uint64_t>(nth));
        FailingFrontier whole(nth);
        Crawl crawl(whole, 3);

        EXPECT_THROW(shards.run([&](const Shard& shard) -> Co<> { co_await crawl.run(shard); }),
                     Error);
        EXPECT_LT(crawl.visits.size(), static_cast<std::size_t>(kPageCount));
    }
}

TEST(ShardedFrontier, ClosingTheFirstDeskEndsAll) {
    SimulatedShards shards(2);
    MemoryFrontier whole(4);
    Crawl crawl(whole, 2);

    shards.run([&](const Shard& shard) -> Co<> {
        if (shard.index == 0) {
            aio::EventLoop::running().call_later(3ms, [&] { crawl.sharded.desk(0).close(); });
        }
        co_await crawl.run(shard);
    });

    EXPECT_LT(crawl.visits.size(), static_cast<std::size_t>(kPageCount));
    EXPECT_EQ(crawl.ended_count, 2u);
}

TEST(ShardedFrontier, ClosingTheFirstDeskBeforeItWasAskedEndsAll) {
    SimulatedShards shards(2);
    MemoryFrontier whole(4);
    Crawl crawl(whole, 2);
    crawl.sharded.desk(0).close();

    shards.run([&](const Shard& shard) -> Co<> { co_await crawl.run(shard); });

    EXPECT_TRUE(crawl.visits.empty());
    EXPECT_EQ(crawl.ended_count, 2u);
}

TEST(ShardedFrontier, ACompletionThatNobodyWaitsForIsTakenAllTheSame) {
    SimulatedShards shards(2);
    MemoryFrontier whole(4);
    ShardedFrontier sharded(whole, 2, [](const Candidate&) { return 1; });

    shards.run([&](const Shard& shard) -> Co<> {
        Frontier& desk = sharded.desk(shard.index);
        if (shard.index == 1) {
            const std::optional<Visit> visit = co_await desk.next();
            Completion completion{.visit_id = visit.value().id, .retry_at = {}, .found = {}};
            aio::Task<Completed> completing =
                aio::create_task(desk.complete(std::move(completion)));
            co_await aio::yield_now();
            completing.cancel();
            co_await aio::wait_futures({completing.state()});
            EXPECT_TRUE(completing.cancelled());
            co_return;
        }
        co_await desk.push({page(1)});
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            aio::Task<> serving = group.create_task(sharded.serve());
            EXPECT_EQ(co_await desk.next(), std::nullopt);  // All is done.
            serving.cancel();
        });
    });

    EXPECT_EQ(whole.counts().done, 1u);
}

}  // namespace weft::frontier
