#include "cluster/terms.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "cluster/function_scene.h"

namespace weft::cluster {

namespace {

using aio::Co;

// One Redis in Lua, which each worker reaches through a front of its own.
struct SharedMemory {
    LuaRedis lua{function_library()};
    int confirming = 2;  // What WAIT answers.
};

// A worker that gives its shards back as soon as it should.
class TestWorker final : public TermListener {
public:
    TestWorker(aio::SimulatedLoop& loop, SharedMemory& memory, std::string name)
        : front_(loop, name + ".test",
                 [this, &memory](const redis::Arguments& command) -> std::optional<std::string> {
                     if (is_cut_off) return std::nullopt;
                     if (command[0] == "WAIT") return redis::number(memory.confirming);
                     if (command[0] != "CLUSTER") return memory.lua.answer(command);
                     return "-ERR This instance has cluster support disabled\r\n";
                 }),
          cluster_({front_.node()}, options()),
          terms(cluster_, CrawlKeys("w1"), {.worker = std::move(name), .run = "1"}, *this),
          running_(aio::create_task(terms.run())) {}
    ~TestWorker() override { running_.cancel(); }

    void on_claimed(std::uint16_t, const Term&) override { ++claimed_count; }
    void on_meant(std::uint16_t shard, bool is_meant) override {
        if (!is_meant && gives_back) aio::create_task(terms.release(shard));
    }
    void on_lost(std::uint16_t) override { ++lost_count; }

    // Ends without a word.
    Co<> die() {
        running_.cancel();
        co_await aio::sleep(0s);
    }

    std::size_t fetching_count() const {
        std::size_t count = 0;
        for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
            count += terms.may_fetch(shard) ? 1 : 0;
        }
        return count;
    }

    bool is_cut_off = false;
    bool gives_back = true;
    int claimed_count = 0;
    int lost_count = 0;

private:
    static redis::ClusterOptions options() {
        redis::ClusterOptions settings = function_options();
        settings.copies = 1;
        settings.patience = 1h;
        return settings;
    }

    redis::FakeRedis front_;
    redis::Cluster cluster_;

public:
    Terms terms;

private:
    aio::Task<> running_;
};

// Lets time pass and looks every 50 ms that no shard has two workers that may fetch from it.
Co<> pass(Duration time, std::vector<TestWorker*> workers) {
    const TimePoint until = aio::EventLoop::running().time() + time;
    while (aio::EventLoop::running().time() < until) {
        co_await aio::sleep(50ms);
        for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
            int count = 0;
            for (const TestWorker* worker : workers) count += worker->terms.may_fetch(shard);
            if (count > 1) ADD_FAILURE() << "shard " << shard << " has " << count << " fetchers";
        }
    }
}

template <class Body>
void with_terms(Body body) {
    aio::SimulatedLoop loop;
    loop.run([](aio::SimulatedLoop& own, Body inner) -> Co<> {
        SharedMemory memory;
        co_await inner(own, memory);
    }(loop, std::move(body)));
}

TEST(Terms, OneWorkerOwnsAllShards) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker worker(loop, memory, "a");
        co_await pass(2s, {&worker});
        EXPECT_EQ(worker.terms.owned_count(), kShardCount);
        co_await pass(60s, {&worker});
        EXPECT_EQ(worker.fetching_count(), kShardCount);
        EXPECT_EQ(worker.claimed_count, kShardCount);
        EXPECT_EQ(worker.terms.term_of(5)->number, 1U);
        EXPECT_EQ(worker.terms.term_of(5)->owner, "a/1");
    });
}

TEST(Terms, WorkersShareEvenlyWithinTenSeconds) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker a(loop, memory, "a");
        co_await pass(5s, {&a});
        TestWorker b(loop, memory, "b");
        TestWorker c(loop, memory, "c");
        co_await pass(10s, {&a, &b, &c});
        for (const TestWorker* worker : {&a, &b, &c}) {
            EXPECT_NEAR(static_cast<double>(worker->terms.owned_count()), kShardCount / 3, 60);
            EXPECT_EQ(worker->fetching_count(), worker->terms.owned_count());
            EXPECT_EQ(worker->lost_count, 0);
        }
        EXPECT_EQ(a.terms.owned_count() + b.terms.owned_count() + c.terms.owned_count(),
                  kShardCount);
        EXPECT_EQ(a.terms.workers().size(), 3U);
    });
}

TEST(Terms, OnlyTheShareOfAWorkerMoves) {
    const std::vector<std::string> two = {"a", "b"};
    const std::vector<std::string> three = {"a", "b", "c"};
    int moved = 0;
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        const std::string& owner = meant_owner(three, shard);
        if (owner == meant_owner(two, shard)) continue;
        EXPECT_EQ(owner, "c");
        ++moved;
    }
    EXPECT_NEAR(moved, kShardCount / 3, 60);
}

TEST(Terms, AKilledWorkerIsReplacedWhenItsTermsEnd) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker a(loop, memory, "a");
        TestWorker b(loop, memory, "b");
        co_await pass(20s, {&a, &b});
        co_await b.die();
        co_await pass(9s, {&a, &b});
        EXPECT_LT(a.terms.owned_count(), kShardCount);
        co_await pass(10s, {&a, &b});
        EXPECT_EQ(a.terms.owned_count(), kShardCount);
        EXPECT_EQ(a.fetching_count(), kShardCount);
    });
}

// Rule 1: the worker still believes in its terms, but its clock says that they are over.
TEST(Terms, AWorkerThatIsCutOffStopsBeforeAnotherBegins) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker a(loop, memory, "a");
        TestWorker b(loop, memory, "b");
        co_await pass(20s, {&a, &b});
        b.is_cut_off = true;
        co_await pass(30s, {&a, &b});
        EXPECT_GT(b.terms.owned_count(), 0U);
        EXPECT_EQ(b.fetching_count(), 0U);
        EXPECT_EQ(a.fetching_count(), kShardCount);
        // It comes back: its renewals are stale, and it gets its share again.
        b.is_cut_off = false;
        co_await pass(15s, {&a, &b});
        EXPECT_GT(b.lost_count, 400);
        EXPECT_NEAR(static_cast<double>(b.fetching_count()), kShardCount / 2, 60);
        EXPECT_EQ(a.fetching_count() + b.fetching_count(), kShardCount);
    });
}

// Rule 2: what no replica confirms may be lost with its master.
TEST(Terms, AClaimThatNoReplicaConfirmsDoesNotCount) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        memory.confirming = 0;
        TestWorker worker(loop, memory, "a");
        co_await pass(8s, {&worker});
        EXPECT_EQ(worker.claimed_count, 0);
        EXPECT_EQ(worker.fetching_count(), 0U);
        memory.confirming = 1;
        co_await pass(3s, {&worker});
        EXPECT_EQ(worker.fetching_count(), kShardCount);
    });
}

TEST(Terms, ARenewalThatNoReplicaConfirmsDoesNotCount) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker worker(loop, memory, "a");
        co_await pass(4s, {&worker});
        memory.confirming = 0;
        co_await pass(20s, {&worker});
        EXPECT_EQ(worker.fetching_count(), 0U);
        EXPECT_EQ(worker.lost_count, 0);
        memory.confirming = 1;
        co_await pass(3s, {&worker});
        EXPECT_EQ(worker.fetching_count(), kShardCount);
    });
}

TEST(Terms, AWorkerThatLeavesGivesItsShardsAtOnce) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker a(loop, memory, "a");
        TestWorker b(loop, memory, "b");
        co_await pass(20s, {&a, &b});
        co_await b.terms.leave();
        co_await pass(4s, {&a, &b});
        EXPECT_EQ(b.terms.owned_count(), 0U);
        EXPECT_EQ(a.fetching_count(), kShardCount);
        EXPECT_EQ(a.terms.workers().size(), 1U);
    });
}

TEST(Terms, AShardIsKeptUntilItIsGivenBack) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker a(loop, memory, "a");
        a.gives_back = false;
        co_await pass(5s, {&a});
        TestWorker b(loop, memory, "b");
        co_await pass(60s, {&a, &b});
        EXPECT_EQ(a.fetching_count(), kShardCount);
        EXPECT_EQ(b.claimed_count, 0);
    });
}

TEST(Terms, AStaleAnswerEndsTheTermItIsAbout) {
    with_terms([](aio::SimulatedLoop& loop, SharedMemory& memory) -> Co<> {
        TestWorker worker(loop, memory, "a");
        co_await pass(2s, {&worker});
        const Term term = *worker.terms.term_of(5);
        worker.terms.note_stale(5, {.owner = "a/0", .number = 1});
        EXPECT_NE(worker.terms.term_of(5), nullptr);
        worker.terms.note_stale(5, term);
        EXPECT_EQ(worker.terms.term_of(5), nullptr);
        EXPECT_EQ(worker.lost_count, 1);
        co_await pass(3s, {&worker});
        EXPECT_EQ(worker.terms.term_of(5)->number, 2U);
    });
}

}  // namespace

}  // namespace weft::cluster
