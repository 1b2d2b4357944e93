#include "crawl/politeness/places.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::crawl {
namespace {

using aio::Co;

constexpr std::size_t kCount = 8;

// Takes as many places for the standing as there are, without waiting.
std::vector<std::unique_ptr<Places::Place>> fill(Places& places, Standing standing) {
    std::vector<std::unique_ptr<Places::Place>> held;
    for (;;) {
        auto place = std::make_unique<Places::Place>(places);
        if (!place->try_enter(standing)) return held;
        held.push_back(std::move(place));
    }
}

Co<> wait_for_place(Places& places, Standing standing, Duration& when) {
    const TimePoint start = aio::EventLoop::running().time();
    Places::Place place(places);
    co_await place.enter(standing);
    when = aio::EventLoop::running().time() - start;
}

}  // namespace

TEST(Places, AQuarterIsKeptForGoodHostsAndAsManyAgainAreForSlowOnes) {
    Places places(kCount);
    const auto fresh = fill(places, Standing::fresh);
    EXPECT_EQ(fresh.size(), 6u);
    const auto good = fill(places, Standing::good);
    EXPECT_EQ(good.size(), 2u);
    const auto slow = fill(places, Standing::slow);
    EXPECT_EQ(slow.size(), kCount);
}

TEST(Places, AFetchThatTakesLongMovesOverOnlyWhileAnotherWaits) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        Places places(kCount);
        const auto fresh = fill(places, Standing::fresh);
        for (const auto& place : fresh) place->watch([] { return false; }, [] { ADD_FAILURE(); });
        co_await aio::sleep(10s);
        EXPECT_EQ(places.used_count(Standing::slow), 0u) << "no fetch waits";
        Duration waited = 1h;
        co_await wait_for_place(places, Standing::fresh, waited);
        EXPECT_LE(waited, Duration(250ms));
        EXPECT_EQ(places.used_count(Standing::slow), 1u) << "one was enough";
    }());
}

TEST(Places, WhereSlowOnesAreFullASilentFetchIsToldToGiveWayAndABusyOneIsNot) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        Places places(kCount);
        const auto slow = fill(places, Standing::slow);
        auto fresh = fill(places, Standing::fresh);
        int told_count = 0;
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            fresh[i]->watch([i] { return i % 2 == 0; }, [&told_count] { ++told_count; });
        }
        Duration waited = 1h;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(wait_for_place(places, Standing::fresh, waited));
            co_await aio::sleep(1900ms);
            EXPECT_EQ(told_count, 0);
            co_await aio::sleep(200ms);
            EXPECT_EQ(told_count, 3);
            co_await aio::sleep(1h);
            EXPECT_EQ(told_count, 3);
            fresh.clear();
        });
    }());
}

TEST(Places, GoodAndFreshHostsTakeTurns) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        Places places(1);
        std::string order;
        const auto fetch = [](Places& all, Standing standing, std::string& out) -> Co<> {
            Places::Place place(all);
            co_await place.enter(standing);
            out += standing == Standing::good ? 'g' : 'f';
            co_await aio::sleep(1ms);
        };
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (int i = 0; i < 4; ++i) group.create_task(fetch(places, Standing::fresh, order));
            for (int i = 0; i < 4; ++i) group.create_task(fetch(places, Standing::good, order));
            co_return;
        });
        EXPECT_EQ(order, "fgfgfgfg");
    }());
}

TEST(Places, ClosedTheyWakeAllWithoutAPlaceAndACancelledOneLeavesTheLine) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        Places places(1);
        Places::Place held(places);
        EXPECT_TRUE(held.try_enter(Standing::good));
        Duration waited{};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(wait_for_place(places, Standing::good, waited));
            aio::Task<> second = group.create_task(wait_for_place(places, Standing::good, waited));
            co_await aio::sleep(1s);
            EXPECT_EQ(places.waiting_count(Standing::good), 2u);
            second.cancel();
            co_await aio::sleep(1s);
            EXPECT_EQ(places.waiting_count(Standing::good), 1u);
            places.close();
        });
        EXPECT_EQ(places.waiting_count(Standing::good), 0u);
        Places::Place late(places);
        const bool is_in = co_await late.enter(Standing::good);
        EXPECT_FALSE(is_in);
    }());
}

}  // namespace weft::crawl
