// The date may be set, by days and both ways, between two runs of a crawl or during one: a host
// waits no longer than it asked for.
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "frontier/candidates.h"
#include "frontier/shards/disk_frontier.h"

namespace weft::frontier {
namespace {

using aio::Co;
using aio::SimulatedLoop;

constexpr Duration kDay = 24h;

// How a run ends.
enum class End { finished, killed, checkpointed };

// A host has two URLs; the first is done and asks for `pause`, or is to be tried again after it.
Co<> first_run(Duration pause, bool is_retry, End end) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const auto frontier = co_await DiskFrontier::open("/crawl", {});
    std::vector<Candidate> seeds;
    seeds.push_back(candidate("a.test", "/1"));
    if (!is_retry) seeds.push_back(candidate("a.test", "/2"));
    co_await frontier->push(std::move(seeds));
    const std::optional<Visit> visit = co_await frontier->next();
    Completion completion{.visit_id = visit->id, .retry_at = {}, .found = {}};
    (is_retry ? completion.retry_at.emplace() : completion.host_ready_at) = loop.time() + pause;
    co_await frontier->complete(std::move(completion));
    if (end == End::checkpointed) co_await frontier->checkpoint();
    if (end == End::finished) co_await frontier->finish();
}

// How long the next run waits for the other URL, and what it says of that.
Co<Duration> second_run(Duration& told) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    const auto frontier = co_await DiskFrontier::open("/crawl", {});
    told = frontier->recovered().first_wait;
    const std::optional<Visit> visit = co_await frontier->next();
    EXPECT_TRUE(visit);
    co_await frontier->finish();
    co_return loop.time() - start;
}

Duration wait_after_jump(Duration jump, Duration pause, bool is_retry, End end) {
    SimulatedLoop loop;
    loop.run(first_run(pause, is_retry, end));
    loop.jump_wall(jump);
    Duration told{};
    const Duration waited = loop.run(second_run(told));
    if (waited > 15s) {
        EXPECT_GE(told, waited - 15s) << "the run says what it waits for";
    }
    return waited;
}

}  // namespace

// A crawl that was resumed after the date had been set back waited for the date to come again.
TEST(FrontierClock, ADateThatIsSetBetweenRunsCostsNoMoreThanTheHostsOwnDelay) {
    for (const Duration pause : {Duration(5s), Duration(1h)}) {
        for (const bool is_retry : {false, true}) {
            for (const End end : {End::finished, End::killed, End::checkpointed}) {
                for (const int days : {-400, -1, 0, 1, 400}) {
                    const Duration waited = wait_after_jump(days * kDay, pause, is_retry, end);
                    EXPECT_LE(waited, pause + 1s) << days;
                    if (days <= 0) EXPECT_GE(waited, pause - 1s) << days << ": it is polite";
                }
            }
        }
    }
}

TEST(FrontierClock, ADateThatIsSetDuringARunChangesNothing) {
    for (const int days : {-400, -1, 1, 400}) {
        SimulatedLoop loop;
        const Duration waited = loop.run([](SimulatedLoop& self, Duration jump) -> Co<Duration> {
            const aio::EventLoop& inner = aio::EventLoop::running();
            const auto frontier = co_await DiskFrontier::open("/crawl", {});
            std::vector<Candidate> seeds;
            seeds.push_back(candidate("a.test", "/1"));
            seeds.push_back(candidate("a.test", "/2"));
            co_await frontier->push(std::move(seeds));
            const std::optional<Visit> visit = co_await frontier->next();
            const TimePoint start = inner.time();
            self.jump_wall(jump);
            co_await frontier->complete({.visit_id = visit->id,
                                         .retry_at = start + 20s,
                                         .found = {},
                                         .host_ready_at = start + 30s});
            self.jump_wall(jump);
            co_await frontier->next();
            co_await frontier->finish();
            co_return inner.time() - start;
        }(loop, days * kDay));
        EXPECT_EQ(waited, Duration(30s)) << days;
    }
}

TEST(FrontierClock, TheDateGoesBackAgainAndAgainAndTheClockNever) {
    SimulatedLoop loop;
    loop.run(first_run(1h, false, End::killed));
    Duration told{};
    for (int i = 0; i < 3; ++i) {
        loop.jump_wall(-30 * kDay);
        loop.run([](Duration& said) -> Co<> {
            const auto frontier = co_await DiskFrontier::open("/crawl", {});
            said = frontier->recovered().first_wait;
        }(told));
        EXPECT_LE(told, Duration(1h));
        EXPECT_GE(told, 1h - 15s);
    }
}

}  // namespace weft::frontier
