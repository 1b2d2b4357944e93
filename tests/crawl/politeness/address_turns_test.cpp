#include "crawl/politeness/address_turns.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulated_shards.h"
#include "aio/sync/timeout.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::crawl {
namespace {

using aio::Co;
using aio::EventLoop;
using aio::Shard;
using aio::SimulatedShards;

constexpr std::uint64_t kAddress = 7;

// A fetch of 10 ms that waits for its turn.
Co<> fetch(AddressTurns& turns, int& running, int& most, int& count, Duration pause) {
    const EventLoop& loop = EventLoop::running();
    std::optional<TimePoint> start = turns.try_take(kAddress, loop.time());
    if (!start) start = co_await turns.line_up(kAddress);
    if (*start > loop.time()) co_await aio::sleep(*start - loop.time());
    most = std::max(most, ++running);
    co_await aio::sleep(10ms);
    --running;
    ++count;
    turns.give_back(kAddress, loop.time(), pause);
}

}  // namespace

TEST(AddressTurns, ShardsTogetherKeepToThePlacesOfAnAddress) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SimulatedShards shards(3, seed);
        AddressTurns turns(2);
        int running = 0;
        int most = 0;
        int count = 0;

        shards.run([&](const Shard&) -> Co<> {
            co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                for (int i = 0; i < 10; ++i) {
                    group.create_task(fetch(turns, running, most, count, 0ms));
                }
                co_return;
            });
        });

        EXPECT_EQ(count, 30);
        EXPECT_EQ(most, 2);
        EXPECT_EQ(shards.now(), 150ms);
    }
}

TEST(AddressTurns, ThePauseBetweenFetchesIsKeptAcrossShards) {
    SimulatedShards shards(2);
    AddressTurns turns(1);
    int running = 0;
    int most = 0;
    int count = 0;

    shards.run([&](const Shard&) -> Co<> {
        for (int i = 0; i < 5; ++i) co_await fetch(turns, running, most, count, 90ms);
    });

    EXPECT_EQ(most, 1);
    EXPECT_EQ(shards.now(), 9 * 100ms + 10ms);
}

TEST(AddressTurns, WhoGivesUpWaitingHoldsNoPlace) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SimulatedShards shards(2, seed);
        AddressTurns turns(1);
        int running = 0;
        int most = 0;
        int count = 0;

        shards.run([&](const Shard& shard) -> Co<> {
            for (int i = 0; i < 5; ++i) {
                // Some give up in the very moment in which their turn comes.
                const Duration patience = shard.index == 0 ? 1h : 10ms;
                try {
                    co_await aio::wait_for(turns.line_up(kAddress), patience);
                } catch (const aio::TimeoutError&) {
                    continue;
                }
                most = std::max(most, ++running);
                co_await aio::sleep(10ms);
                --running;
                ++count;
                turns.give_back(kAddress, EventLoop::running().time(), 0ms);
            }
        });

        EXPECT_EQ(most, 1);
        EXPECT_GE(count, 5);
        EXPECT_EQ(turns.try_take(kAddress, TimePoint::max()), TimePoint::max());
    }
}

}  // namespace weft::crawl
