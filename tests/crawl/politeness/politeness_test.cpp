#include "crawl/politeness/politeness.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "crawl/politeness/breaker.h"
#include "crawl/politeness/host_table.h"
#include "crawl/politeness/places.h"
#include "crawl/politeness/start_clock.h"
#include "crawl/politeness/turns.h"
#include "support/simulate.h"
#include "web/fields/date.h"

namespace weft::crawl {
namespace {

using aio::Co;

constexpr TimePoint at(Duration time) {
    return TimePoint(time);
}

}  // namespace

TEST(Politeness, APauseIsTheAnswersTimeWithinBoundsUnlessMoreIsAsked) {
    const Politeness ours(std::nullopt);

    EXPECT_EQ(ours.pause(3s, std::nullopt), 3s);
    EXPECT_EQ(ours.pause(1ms, std::nullopt), 100ms);
    EXPECT_EQ(ours.pause(60s, std::nullopt), 10s);
    EXPECT_EQ(ours.pause(1ms, 5s), 5s);
    EXPECT_EQ(Politeness(2s).pause(60s, std::nullopt), 2s);
    EXPECT_EQ(Politeness(0s).pause(60s, 1s), 1s);
}

TEST(Politeness, H06RetriesBackOffByKindWithJitterAndACap) {
    EXPECT_EQ(retry_pause(Trouble::exchange, 1, 0), 1s);
    EXPECT_EQ(retry_pause(Trouble::exchange, 3, 0), 16s);
    EXPECT_EQ(retry_pause(Trouble::connection, 2, 0), 20s);
    EXPECT_EQ(retry_pause(Trouble::name, 1, 0.5), 15s);
    EXPECT_EQ(retry_pause(Trouble::overload, 1'000, 0), 10min);
    EXPECT_EQ(trouble_of(http::Failure::no_such_host), Trouble::none);
    EXPECT_EQ(trouble_of(http::Failure::connect_refused), Trouble::connection);
    EXPECT_EQ(trouble_of(http::Failure::truncated), Trouble::exchange);
}

TEST(Politeness, ThreeTriesOutlastAMinuteInWhichAServerIsBusy) {
    EXPECT_GE(retry_pause(Trouble::overload, 1, 0) + retry_pause(Trouble::overload, 2, 0), 1min);
}

TEST(Politeness, H37RetryAfterIsClamped) {
    const WallTime now = WallTime(24h * 20'000);

    EXPECT_EQ(web::parse_retry_after("0", now), 1s);
    EXPECT_EQ(web::parse_retry_after("-5", now), 1s);
    EXPECT_EQ(web::parse_retry_after("315360000", now), 24h);
    EXPECT_EQ(web::parse_retry_after("Thu, 01 Jan 1970 00:00:00 GMT", now), 1s);
    EXPECT_EQ(web::parse_retry_after("soon", now), std::nullopt);
    EXPECT_EQ(overload_pause(1, 0), 1s);
    EXPECT_EQ(overload_pause(4, 0), 8s);
    EXPECT_EQ(overload_pause(99, 0), 10min);
}

TEST(Breaker, H07OpensAfterFailuresInARowEverLongerAndGivesUp) {
    Breaker breaker;
    for (int i = 1; i < 5; ++i) EXPECT_EQ(breaker.on_failure(5, 2, 0), 0s);

    EXPECT_EQ(breaker.on_failure(5, 2, 0), 30s);
    EXPECT_EQ(breaker.on_failure(5, 2, 0), 60s);
    EXPECT_FALSE(breaker.is_given_up());
    breaker.on_failure(5, 2, 0);
    EXPECT_TRUE(breaker.is_given_up());

    breaker.on_success();
    EXPECT_FALSE(breaker.is_given_up());
    EXPECT_EQ(breaker.on_failure(5, 2, 0), 0s);
}

TEST(Breaker, StaysOpenForAnHourAtMost) {
    Breaker breaker;
    Duration longest{};
    for (int i = 0; i < 100; ++i) longest = std::max(longest, breaker.on_failure(1, 1'000, 0.999));

    EXPECT_LE(longest, 1h + 30min);
    EXPECT_GE(longest, 1h);
}

TEST(StartClock, GrantsAsManyAsItHasPlacesSpacedByItsPause) {
    StartClock clock(2);
    std::vector<TimePoint> times;

    EXPECT_EQ(clock.grant(7, 5, at(1s), times), 2u);
    EXPECT_EQ(times, (std::vector{at(1s), at(1s)}));
    EXPECT_EQ(clock.grant(7, 1, at(1s), times), 0u);
    EXPECT_EQ(clock.grant(8, 1, at(1s), times), 1u) << "another key";

    clock.give_back(7, at(2s), 4s);
    times.clear();
    EXPECT_EQ(clock.grant(7, 1, at(2s), times), 1u);
    EXPECT_EQ(times.front(), at(4s)) << "half the pause, as there are two places";
    EXPECT_EQ(clock.next_start(7, at(2s)), at(6s));
}

TEST(StartClock, ForgetsKeysThatAreIdle) {
    StartClock clock(1);
    std::vector<TimePoint> times;
    for (std::uint64_t key = 0; key < 10'000; ++key) {
        clock.grant(key, 1, at(Duration(key)), times);
        clock.give_back(key, at(Duration(key)), Duration(100));
    }

    EXPECT_LE(clock.key_count(), 2'048u);
}

namespace {

struct Tally {
    Turns& turns;
    Places& places;
    std::size_t now = 0;
    std::size_t most = 0;
    std::vector<Duration> starts;
};

Co<> fetch(Tally& tally, TurnKeys keys) {
    Places::Place place(tally.places);
    co_await place.enter(Standing::good);
    std::optional<Turn> turn = co_await tally.turns.take(keys, place, Standing::good, 1'000);
    EXPECT_TRUE(turn && place.is_held());
    tally.starts.push_back(aio::elapsed());
    tally.most = std::max(tally.most, ++tally.now);
    co_await aio::sleep(1s);
    --tally.now;
    turn->set_pause(8s);
}

}  // namespace

TEST(Turns, H17ManyHostsOfOneAddressShareItsPlacesAndItsClock) {
    aio::simulate([]() -> Co<> {
        Config config;
        config.max_per_address = 4;
        AddressTurns addresses(config.max_per_address.value_or(8));
        Turns turns(config, addresses);
        Places places(1'000);
        Tally tally{turns, places, 0, 0, {}};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (std::uint64_t host = 0; host < 100; ++host) {
                group.create_task(fetch(tally, {.domain = host, .address = 42}));
            }
            co_return;
        });

        EXPECT_EQ(tally.most, 4u);
        EXPECT_GE(aio::elapsed(), 2s * (100 - 4)) << "a quarter of the pause between two";
        EXPECT_EQ(turns.waiting_count(), 0u);
    });
}

TEST(Turns, TheStrictestLevelWins) {
    aio::simulate([]() -> Co<> {
        Config config;
        config.max_per_domain = 1;
        config.max_per_address = 10;
        AddressTurns addresses(config.max_per_address.value_or(8));
        Turns turns(config, addresses);
        Places places(1'000);
        Tally tally{turns, places, 0, 0, {}};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (std::uint64_t i = 0; i < 4; ++i) {
                group.create_task(fetch(tally, {.domain = 1, .address = i}));
            }
            co_return;
        });

        EXPECT_EQ(tally.starts, (std::vector<Duration>{0s, 9s, 18s, 27s}));
    });
}

// A crowd in front of one address sent hosts of every other address back for a second.
TEST(Turns, ACrowdSendsBackOnlyThoseWhoWouldWaitToo) {
    aio::simulate([]() -> Co<> {
        Config config;
        config.max_per_address = 1;
        AddressTurns addresses(1);
        Turns turns(config, addresses);
        Places places(10);
        Tally tally{turns, places, 0, 0, {}};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (std::uint64_t host = 0; host < 5; ++host) {
                group.create_task(fetch(tally, {.domain = host, .address = 42}));
            }
            co_await aio::sleep(10ms);
            EXPECT_EQ(turns.waiting_count(), 4u);
            Places::Place place(places);
            co_await place.enter(Standing::good);
            const auto same =
                co_await turns.take({.domain = 8, .address = 42}, place, Standing::good, 4);
            EXPECT_FALSE(same);
            const auto other =
                co_await turns.take({.domain = 9, .address = 43}, place, Standing::good, 4);
            EXPECT_TRUE(other && place.is_held());
            EXPECT_EQ(aio::elapsed(), 10ms);
        });
    });
}

TEST(Turns, WhoWaitsLeavesItsPlaceToOthers) {
    aio::simulate([]() -> Co<> {
        Config config;
        config.max_per_domain = 1;
        AddressTurns addresses(config.max_per_address.value_or(8));
        Turns turns(config, addresses);
        Places places(2);
        Tally tally{turns, places, 0, 0, {}};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (int i = 0; i < 50; ++i) {
                group.create_task(fetch(tally, {.domain = 1, .address = std::nullopt}));
            }
            co_await aio::sleep(10ms);
            group.create_task(fetch(tally, {.domain = 2, .address = std::nullopt}));
            co_return;
        });

        EXPECT_LE(tally.starts[1], 10ms) << "the other domain did not wait for the fifty";
    });
}

TEST(HostTable, ForgetsTheLeastRecentlyUsedButNoneInUse) {
    HostTable hosts(Domains::load_if_there(web::PublicSuffixList::kDefaultPath), 1, 10);
    HostState& used = hosts.enter("used.test", "used.test");
    for (int i = 0; i < 100; ++i) {
        const std::string name = fmt::format("h{}.test", i);
        hosts.leave(hosts.enter(name, name));
    }

    EXPECT_LE(hosts.size(), 11u);
    EXPECT_EQ(&hosts.enter("used.test", "used.test"), &used);
    EXPECT_EQ(hosts.domain_key_of("a.b.example.co.uk"), hosts.domain_key_of("example.co.uk"));
    EXPECT_NE(hosts.domain_key_of("a.co.uk"), hosts.domain_key_of("b.co.uk"));
}

}  // namespace weft::crawl
