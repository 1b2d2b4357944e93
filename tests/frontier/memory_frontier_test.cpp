#include "frontier/memory_frontier.h"

#include <gtest/gtest.h>

#include "aio/simulation.h"
#include "aio/sleep.h"

namespace weft::frontier {
namespace {

using aio::Co;

Candidate candidate(std::string host, std::string path) {
    Candidate result;
    result.url = "http://" + host + path;
    result.key = result.url;
    result.host = std::move(host);
    return result;
}

TimePoint now() {
    return aio::EventLoop::running().time();
}

}  // namespace

TEST(MemoryFrontier, SameKeyIsQueuedOnce) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        MemoryFrontier frontier(1);

        const std::size_t first = co_await frontier.push(
            {candidate("a", "/"), candidate("a", "/"), candidate("a", "/x")});
        const std::size_t second = co_await frontier.push({candidate("a", "/x")});

        EXPECT_EQ(first, 2u);
        EXPECT_EQ(second, 0u);
        EXPECT_EQ(frontier.counts().waiting, 2u);
    }());
}

TEST(MemoryFrontier, AHostIsLentOneVisitAtATimeAndNotBeforeItsTime) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        MemoryFrontier frontier(1);
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("b", "/1")});

        const std::optional<Visit> a1 = co_await frontier.next();
        const std::optional<Visit> b1 = co_await frontier.next();
        EXPECT_NE(a1->candidate.host, b1->candidate.host);
        co_await frontier.complete({.visit_id = a1->id, .host_ready_at = now() + 5s});
        co_await frontier.complete({.visit_id = b1->id});
        const std::optional<Visit> a2 = co_await frontier.next();

        EXPECT_EQ(a2->candidate.url, "http://a/2");
        EXPECT_EQ(now().time_since_epoch(), 5s);
    }());
}

TEST(MemoryFrontier, EndsWhenNothingWaitsAndNothingIsLent) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        MemoryFrontier frontier(1);
        co_await frontier.push({candidate("a", "/")});
        const std::optional<Visit> visit = co_await frontier.next();
        aio::Task<> worker = aio::create_task([](MemoryFrontier& f, Visit v) -> Co<> {
            co_await aio::sleep(1s);
            co_await f.complete({.visit_id = v.id, .found = {candidate("a", "/found")}});
        }(frontier, *visit));

        const std::optional<Visit> found = co_await frontier.next();
        co_await frontier.complete({.visit_id = found->id});
        const std::optional<Visit> none = co_await frontier.next();

        EXPECT_EQ(found->candidate.url, "http://a/found");
        EXPECT_FALSE(none);
        EXPECT_EQ(frontier.counts().done, 2u);
    }());
}

TEST(MemoryFrontier, ARetryComesAgainAtItsTimeWithItsCount) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        MemoryFrontier frontier(1);
        co_await frontier.push({candidate("a", "/")});
        const std::optional<Visit> first = co_await frontier.next();
        co_await frontier.complete({.visit_id = first->id, .retry_at = now() + 7s});

        const std::optional<Visit> second = co_await frontier.next();

        EXPECT_EQ(second->attempt, 2u);
        EXPECT_EQ(now().time_since_epoch(), 7s);
        const Counts counts = frontier.counts();
        EXPECT_EQ(counts.seen, counts.waiting + counts.lent + counts.done);
    }());
}

TEST(MemoryFrontier, ClosedItLendsNoMore) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        MemoryFrontier frontier(1);
        co_await frontier.push({candidate("a", "/")});
        frontier.close();

        const std::optional<Visit> visit = co_await frontier.next();

        EXPECT_FALSE(visit);
        EXPECT_EQ(frontier.counts().waiting, 1u);
    }());
}

}  // namespace weft::frontier
