#include "frontier/frontier.h"

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "frontier/candidates.h"
#include "frontier/shards/disk_frontier.h"
#include "frontier/shards/memory_frontier.h"
#include "support/simulate.h"

// What every frontier does, whatever it is made of.
namespace weft::frontier {
namespace {

using aio::Co;

struct Limits {
    std::size_t max_per_host = 1;
    std::optional<std::uint64_t> urls_per_host_max;
};

struct InMemory {
    static Co<std::unique_ptr<Frontier>> make(Limits limits) {
        co_return std::make_unique<MemoryFrontier>(MemoryOptions{
            .max_per_host = limits.max_per_host, .urls_per_host_max = limits.urls_per_host_max});
    }
};

template <std::uint64_t kMemoryBytes>
struct OnDisk {
    static Co<std::unique_ptr<Frontier>> make(Limits limits) {
        DiskOptions options;
        options.max_per_host = limits.max_per_host;
        options.urls_per_host_max = limits.urls_per_host_max;
        options.memory_bytes = kMemoryBytes;
        co_return co_await DiskFrontier::open("state", std::move(options));
    }
};

Co<std::vector<std::string>> lend_all(Frontier& frontier) {
    std::vector<std::string> urls;
    for (;;) {
        const std::optional<Visit> visit = co_await frontier.next();
        if (!visit) co_return urls;
        urls.push_back(visit->candidate.url);
        co_await frontier.complete({.visit_id = visit->id});
    }
}

template <class Kind>
class AnyFrontier : public testing::Test {
protected:
    // Runs body(frontier) in virtual time.
    template <class Body>
    static void run(Limits limits, Body body) {
        aio::simulate([&]() -> Co<> {
            const std::unique_ptr<Frontier> frontier = co_await Kind::make(limits);
            co_await body(*frontier);
        });
    }
};

using Kinds = testing::Types<InMemory, OnDisk<256_MiB>, OnDisk<1>>;

struct KindName {
    template <class Kind>
    static std::string GetName(int i) {
        return std::array{"InMemory", "OnDisk", "SpilledToDisk"}.at(static_cast<std::size_t>(i));
    }
};

TYPED_TEST_SUITE(AnyFrontier, Kinds, KindName);

}  // namespace

TYPED_TEST(AnyFrontier, QueuesAKeyOnce) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        const std::size_t first = co_await frontier.push(
            {candidate("a", "/"), candidate("a", "/"), candidate("a", "/x")});
        const std::size_t second = co_await frontier.push({candidate("a", "/x")});

        EXPECT_EQ(first, 2u);
        EXPECT_EQ(second, 0u);
        EXPECT_EQ(frontier.counts().waiting, 2u);
    });
}

TYPED_TEST(AnyFrontier, LendsAHostOneVisitAtATimeAndNotBeforeItsTime) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("b", "/1")});

        const std::optional<Visit> a1 = co_await frontier.next();
        const std::optional<Visit> b1 = co_await frontier.next();
        EXPECT_NE(a1->candidate.host, b1->candidate.host);
        co_await frontier.complete({.visit_id = a1->id, .host_ready_at = now() + 5s});
        co_await frontier.complete({.visit_id = b1->id});
        const std::optional<Visit> a2 = co_await frontier.next();

        EXPECT_EQ(a2->candidate.url, "http://a/2");
        EXPECT_EQ(aio::elapsed(), 5s);
    });
}

TYPED_TEST(AnyFrontier, WhatWasNotBegunIsNoLongerLent) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("b", "/1"), candidate("b", "/2")});
        const std::optional<Visit> first = co_await frontier.next();
        const std::optional<Visit> second = co_await frontier.next();
        frontier.close();
        for (const auto& visit : {first, second}) {
            co_await frontier.complete(
                {.visit_id = visit->id, .retry_at = now(), .is_unbegun = true});
        }
        const std::optional<Visit> none = co_await frontier.next();

        EXPECT_FALSE(none);
        EXPECT_EQ(frontier.counts().waiting, 3u);
        EXPECT_EQ(frontier.counts().lent, 0u);
        EXPECT_EQ(frontier.counts().done, 0u);
    });
}

// A host that is dropped has no URL that waits.
TYPED_TEST(AnyFrontier, WhatWasNotBegunOfADroppedHostIsDone) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2")});
        const std::optional<Visit> visit = co_await frontier.next();
        co_await frontier.change_host({.host = "a", .ready_at = {}, .drop = true});
        frontier.close();
        co_await frontier.complete({.visit_id = visit->id, .retry_at = now(), .is_unbegun = true});

        EXPECT_EQ(frontier.counts().waiting + frontier.counts().lent, 0u);
        EXPECT_EQ(frontier.counts().done, 2u);
    });
}

TYPED_TEST(AnyFrontier, LendsAHostAsOftenAtOnceAsAllowed) {
    this->run({.max_per_host = 3}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("a", "/3"),
                                candidate("a", "/4")});
        for (int i = 0; i < 3; ++i) co_await frontier.next();
        EXPECT_EQ(frontier.counts().lent, 3u);

        aio::Task<std::optional<Visit>> fourth = aio::create_task(frontier.next());
        co_await aio::sleep(1h);
        EXPECT_FALSE(fourth.done());
        co_await frontier.complete({.visit_id = 2});
        const std::optional<Visit> visit = co_await fourth;

        EXPECT_EQ(visit->candidate.url, "http://a/4");
    });
}

TYPED_TEST(AnyFrontier, EndsWhenNothingWaitsAndNothingIsLent) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/")});
        const std::optional<Visit> visit = co_await frontier.next();
        aio::Task<> worker = aio::create_task([](Frontier& f, Visit v) -> Co<> {
            co_await aio::sleep(1s);
            co_await f.complete({.visit_id = v.id, .found = {candidate("a", "/found")}});
        }(frontier, *visit));

        const std::optional<Visit> found = co_await frontier.next();
        co_await frontier.complete({.visit_id = found->id});
        const std::optional<Visit> none = co_await frontier.next();

        EXPECT_EQ(found->candidate.url, "http://a/found");
        EXPECT_EQ(found->candidate.referrer, "http://a/");
        EXPECT_FALSE(none);
        EXPECT_EQ(frontier.counts().done, 2u);
    });
}

TYPED_TEST(AnyFrontier, BringsARetryAgainAtItsTimeWithItsCount) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/")});
        const std::optional<Visit> first = co_await frontier.next();
        co_await frontier.complete({.visit_id = first->id, .retry_at = now() + 7s});

        const std::optional<Visit> second = co_await frontier.next();

        EXPECT_EQ(second->attempt, 2u);
        EXPECT_EQ(aio::elapsed(), 7s);
        const Counts counts = frontier.counts();
        EXPECT_EQ(counts.seen, counts.waiting + counts.lent + counts.done);
    });
}

TYPED_TEST(AnyFrontier, LendsARetryThatIsDueBeforeOthersAndOneThatIsNotAfterThem) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("a", "/3")});
        const std::optional<Visit> first = co_await frontier.next();
        co_await frontier.complete({.visit_id = first->id, .retry_at = now() + 5s});

        const std::optional<Visit> second = co_await frontier.next();
        EXPECT_EQ(second->candidate.url, "http://a/2");
        co_await frontier.complete({.visit_id = second->id, .host_ready_at = now() + 6s});
        const std::optional<Visit> again = co_await frontier.next();

        EXPECT_EQ(again->candidate.url, "http://a/1");
    });
}

TYPED_TEST(AnyFrontier, LendsByPriorityThenByAge) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/deep1", 3), candidate("a", "/deep2", 3),
                                candidate("a", "/deep3", 3), candidate("a", "/deep4", 3)});
        co_await frontier.push({candidate("a", "/mid", 1), candidate("a", "/seed", 0)});

        const std::vector<std::string> urls = co_await lend_all(frontier);

        EXPECT_EQ(urls,
                  (std::vector<std::string>{"http://a/seed", "http://a/mid", "http://a/deep1",
                                            "http://a/deep2", "http://a/deep3", "http://a/deep4"}));
    });
}

TYPED_TEST(AnyFrontier, ASlowHostHoldsUpNoOther) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        std::vector<Candidate> seeds{candidate("a", "/1"), candidate("a", "/2")};
        for (int i = 0; i < 50; ++i) seeds.push_back(candidate("b", fmt::format("/{}", i)));
        co_await frontier.push(std::move(seeds));
        const std::optional<Visit> slow = co_await frontier.next();
        EXPECT_EQ(slow->candidate.host, "a");

        for (int i = 0; i < 50; ++i) {
            const std::optional<Visit> fast = co_await frontier.next();
            EXPECT_EQ(fast->candidate.url, fmt::format("http://b/{}", i));
            co_await frontier.complete({.visit_id = fast->id});
        }

        EXPECT_EQ(aio::elapsed(), 0s);
    });
}

TYPED_TEST(AnyFrontier, AdmitsNoMoreThanTheHostsBudget) {
    this->run({.urls_per_host_max = 2}, [](Frontier& frontier) -> Co<> {
        const std::size_t count = co_await frontier.push(
            {candidate("a", "/1"), candidate("a", "/1"), candidate("a", "/2"), candidate("a", "/3"),
             candidate("b", "/1")});
        const HostCounts a = co_await frontier.host_counts("a");
        const HostCounts unknown = co_await frontier.host_counts("c");

        EXPECT_EQ(count, 3u);
        EXPECT_EQ(frontier.counts().over_budget, 1u);
        EXPECT_EQ(a.admitted, 2u);
        EXPECT_EQ(unknown.admitted, 0u);
    });
}

// What robots.txt keeps out is never asked for: it would fill the host's queue for nothing.
TYPED_TEST(AnyFrontier, AUrlThatWasNeverAskedForFreesItsPlace) {
    this->run({.urls_per_host_max = 2}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("a", "/3")});
        const std::optional<Visit> first = co_await frontier.next();
        co_await frontier.complete({.visit_id = first->id, .frees_place = true});
        const std::size_t count = co_await frontier.push(
            {candidate("a", "/1"), candidate("a", "/3"), candidate("a", "/4")});
        const HostCounts a = co_await frontier.host_counts("a");

        EXPECT_EQ(count, 1u);  // "/1" was seen; there is a place for one.
        EXPECT_EQ(a.admitted, 2u);
        EXPECT_EQ(a.done, 0u);
        EXPECT_EQ(frontier.counts().over_budget, 2u);
        EXPECT_EQ(frontier.counts().done, 1u);
    });
}

// Commits look at several pages before they handle the first.
TYPED_TEST(AnyFrontier, PagesThatEndTogetherAdmitWhatTheyShareOnce) {
    constexpr std::size_t kPages = 20;
    this->run({.urls_per_host_max = 2}, [](Frontier& frontier) -> Co<> {
        std::vector<Candidate> seeds;
        for (std::size_t i = 0; i < kPages; ++i) {
            seeds.push_back(candidate(fmt::format("s{}", i), "/"));
        }
        co_await frontier.push(std::move(seeds));
        std::vector<aio::Task<Completed>> ends;
        for (std::size_t i = 0; i < kPages; ++i) {
            const std::optional<Visit> visit = co_await frontier.next();
            ends.push_back(aio::create_task(
                frontier.complete({.visit_id = visit->id,
                                   .found = {candidate("a", "/1"), candidate("a", "/2"),
                                             candidate("b", "/1"), candidate("a", "/1")}})));
        }
        std::size_t new_count = 0;
        for (aio::Task<Completed>& end : ends) {
            const Completed completed = co_await end;
            new_count += completed.new_count;
        }

        EXPECT_EQ(new_count, 3u);
        EXPECT_EQ(frontier.counts().seen, kPages + 3);
        EXPECT_EQ(frontier.counts().over_budget, 0u);
        const std::vector<std::string> rest = co_await lend_all(frontier);
        EXPECT_EQ(rest.size(), 3u);
    });
}

TYPED_TEST(AnyFrontier, APausedHostWaitsUntilItIsLetGo) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("b", "/1")});
        co_await frontier.change_host({.host = "a", .ready_at = TimePoint::max()});
        const std::optional<Visit> b = co_await frontier.next();
        EXPECT_EQ(b->candidate.host, "b");
        co_await frontier.complete({.visit_id = b->id});

        aio::Task<std::optional<Visit>> waiting = aio::create_task(frontier.next());
        co_await aio::sleep(48h);
        EXPECT_FALSE(waiting.done());
        co_await frontier.change_host({.host = "a", .ready_at = now()});
        const std::optional<Visit> a = co_await waiting;

        EXPECT_EQ(a->candidate.host, "a");
    });
}

TYPED_TEST(AnyFrontier, ADroppedHostIsDoneWithAndTakesNoMore) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/1"), candidate("a", "/2"), candidate("a", "/3"),
                                candidate("b", "/1")});
        const std::optional<Visit> a = co_await frontier.next();
        EXPECT_EQ(a->candidate.host, "a");

        co_await frontier.change_host({.host = "a", .drop = true});
        EXPECT_EQ(frontier.counts().done, 2u);
        EXPECT_EQ(frontier.counts().lent, 1u);
        co_await frontier.complete(
            {.visit_id = a->id, .retry_at = now(), .found = {candidate("a", "/4")}});
        const std::vector<std::string> rest = co_await lend_all(frontier);

        EXPECT_EQ(rest, std::vector<std::string>{"http://b/1"});
        const Counts counts = frontier.counts();
        EXPECT_EQ(counts.done, 4u);
        EXPECT_EQ(counts.seen, 4u);
        EXPECT_EQ(counts.over_budget, 1u);
    });
}

TYPED_TEST(AnyFrontier, ClosedItLendsNoMore) {
    this->run({}, [](Frontier& frontier) -> Co<> {
        co_await frontier.push({candidate("a", "/")});
        frontier.close();

        const std::optional<Visit> visit = co_await frontier.next();

        EXPECT_FALSE(visit);
        EXPECT_EQ(frontier.counts().waiting, 1u);
    });
}

}  // namespace weft::frontier
