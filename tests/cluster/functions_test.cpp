// Every function of frontier.lua, in a real server and in Lua with virtual time.

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "cluster/function_scene.h"
#include "cluster/limits.h"

namespace weft::cluster {

namespace {

using aio::Co;

template <class Server>
class FrontierFunctions : public testing::Test {};

struct ServerNames {
    template <class Server>
    static std::string GetName(int) {
        return std::is_same_v<Server, InLua> ? "Lua" : "Redis";
    }
};

using Servers = testing::Types<InLua, InRedis>;
TYPED_TEST_SUITE(FrontierFunctions, Servers, ServerNames);

TYPED_TEST(FrontierFunctions, PushSaysWhatIsNew) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        LinkBatch batch{.groups = {links_of("a.test", 0, 3), links_of("b.test", 0, 1)}};
        const auto first = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(first), "nnnn");
        batch.groups[0] = links_of("a.test", 2, 2);
        const auto second = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(second), "dnd");
        const Look look_a = co_await scene.call(look(scene.key, "a.test", hash64("a.test/1")));
        EXPECT_TRUE(look_a.is_known);
        EXPECT_EQ(look_a.admitted, 4U);
        EXPECT_EQ(look_a.owner, "");
        const Look unknown = co_await scene.call(look(scene.key, "c.test", hash64("a.test/9")));
        EXPECT_FALSE(unknown.is_known);
        EXPECT_FALSE(unknown.wait);
    });
}

TYPED_TEST(FrontierFunctions, AFullHostTakesNoMore) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const LinkBatch batch{.host_max = 2, .groups = {links_of("a.test", 0, 4)}};
        const auto first = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(first), "nnoo");
        const auto again = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(again), "ddoo");
    });
}

TYPED_TEST(FrontierFunctions, AFullDomainTakesNoMoreHosts) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const LinkBatch batch{.domain_max = 2,
                              .groups = {links_of("a.test", 0, 1), links_of("b.test", 0, 1),
                                         links_of("c.test", 0, 1), links_of("a.test", 1, 1)}};
        const auto first = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(first), "nnon");
    });
}

TYPED_TEST(FrontierFunctions, CallsAreBounded) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const int most = static_cast<int>(kUrlsPerCallMax);
        LinkBatch urls{.groups = {links_of("a.test", 0, most)}};
        const auto all = co_await scene.call(push(scene.key, urls));
        EXPECT_EQ(all.size(), kUrlsPerCallMax);
        urls.groups[0] = links_of("a.test", 0, most + 1);
        EXPECT_THROW(co_await scene.call(push(scene.key, urls)), CallError);

        LinkBatch hosts;
        for (std::size_t i = 0; i < kHostsPerCallMax; ++i) {
            hosts.groups.push_back(links_of(fmt::format("h{}.test", i), 0, 1));
        }
        const auto each = co_await scene.call(push(scene.key, hosts));
        EXPECT_EQ(each.size(), kHostsPerCallMax);
        hosts.groups.push_back(links_of("z.test", 0, 1));
        EXPECT_THROW(co_await scene.call(push(scene.key, hosts)), CallError);

        const Term term = co_await scene.claim_shard("w/1");
        const Due due_all = co_await scene.call(
            due(scene.key, term, {.hosts_max = kHostsPerCallMax, .urls_max = 500}));
        EXPECT_EQ(due_all.hosts.size(), kHostsPerCallMax);
        EXPECT_THROW(co_await scene.call(due(scene.key, term, {.hosts_max = kHostsPerCallMax + 1})),
                     CallError);

        std::vector<CompletedUrl> done_urls;
        for (std::size_t i = 0; i <= kCompletionsPerCallMax; ++i) {
            done_urls.push_back(ended("a.test", QueuePlace{0, i}));
        }
        EXPECT_THROW(co_await scene.call(done(scene.key, term, 1, done_urls, {})), CallError);
        done_urls.pop_back();
        const Done most_done = co_await scene.call(done(scene.key, term, 1, done_urls, {}));
        EXPECT_EQ(most_done.waiting.back(), kUrlsPerCallMax - kCompletionsPerCallMax);
    });
}

TYPED_TEST(FrontierFunctions, AShardHasOneOwner) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term mine = co_await scene.claim_shard("w1/a", Milliseconds(300));
        EXPECT_EQ(mine.number, 1U);
        const Claimed refused = co_await scene.call(claim(scene.key, "w2/a", Milliseconds(300)));
        EXPECT_FALSE(refused.number);
        EXPECT_EQ(refused.owner, "w1/a");
        EXPECT_GT(refused.left.count(), 0);
        EXPECT_LE(refused.left.count(), 300);
        // The same worker comes back: its old process is gone.
        const Term again = co_await scene.claim_shard("w1/b", Milliseconds(300));
        EXPECT_EQ(again.number, 2U);
        const Result<Ok> old =
            co_await send(scene.cluster, renew(scene.key, mine, Milliseconds(9)));
        EXPECT_EQ(old.error().reason, Refusal::Reason::stale);
        EXPECT_EQ(old.error().text, "STALE w1/b 2");
        co_await aio::sleep(310ms);
        const Term next = co_await scene.claim_shard("w2/a");
        EXPECT_EQ(next.number, 3U);
    });
}

TYPED_TEST(FrontierFunctions, ARenewedTermGoesOnAndAReleasedOneEnds) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term mine = co_await scene.claim_shard("w1/a", Milliseconds(100));
        co_await scene.call(renew(scene.key, mine, Milliseconds(10'000)));
        co_await aio::sleep(120ms);
        const Claimed refused = co_await scene.call(claim(scene.key, "w2/a", Milliseconds(10)));
        EXPECT_FALSE(refused.number);
        const Fate before = co_await scene.call(fate(scene.key, 1));
        EXPECT_TRUE(before.goes_on);
        co_await scene.call(release(scene.key, mine));
        const Fate after = co_await scene.call(fate(scene.key, 1));
        EXPECT_FALSE(after.goes_on);
        const Term next = co_await scene.claim_shard("w2/a");
        EXPECT_EQ(next.number, 2U);
    });
}

TYPED_TEST(FrontierFunctions, CallsOfAnEndedTermAreStale) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term old = co_await scene.claim_shard("w1/a");
        co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 0, 2)}}));
        co_await scene.claim_shard("w1/b");
        const auto is_stale = [](const auto& result) {
            return !result && result.error().reason == Refusal::Reason::stale;
        };
        redis::Cluster& cluster = scene.cluster;
        const std::string& key = scene.key;
        EXPECT_TRUE(is_stale(co_await send(cluster, renew(key, old, Milliseconds(9)))));
        EXPECT_TRUE(is_stale(co_await send(cluster, release(key, old))));
        EXPECT_TRUE(is_stale(co_await send(cluster, due(key, old, {}))));
        EXPECT_TRUE(is_stale(co_await send(cluster, take(key, old, 4, {{.host = "a.test"}}))));
        EXPECT_TRUE(is_stale(
            co_await send(cluster, done(key, old, 1, {ended("a.test", QueuePlace{})}, {}))));
        EXPECT_TRUE(is_stale(co_await send(cluster, rest(key, old, {{"a.test", {}}}))));
        EXPECT_TRUE(
            is_stale(co_await send(cluster, change(key, old, {.host = "a.test", .drop = true}))));
    });
}

TYPED_TEST(FrontierFunctions, DueGivesHostsOnceWithTheirUrlsByClass) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        const LinkBatch batch{.groups = {links_of("a.test", 0, 2, 3), links_of("a.test", 2, 2, 1),
                                         links_of("b.test", 0, 1)}};
        co_await scene.call(push(scene.key, batch));
        const Due first = co_await scene.call(due(scene.key, term, {.urls_max = 3}));
        EXPECT_EQ(first.hosts.size(), 2U);
        EXPECT_FALSE(first.next);
        for (const HostEntries& host : first.hosts) {
            if (host.host != "a.test") continue;
            EXPECT_EQ(entries(host),
                      (std::vector<std::string>{"a.test/2", "a.test/3", "a.test/0"}));
            EXPECT_EQ(host.admitted, 4U);
            EXPECT_EQ(host.wait.count(), 0);
        }
        const Due again = co_await scene.call(due(scene.key, term, {}));
        EXPECT_TRUE(again.hosts.empty());
        const auto more = co_await scene.call(
            take(scene.key, term, 4, {{.host = "a.test", .first = {0, 1, 0, 1}}}));
        EXPECT_EQ(entries(more.at(0)), (std::vector<std::string>{"a.test/3", "a.test/1"}));

        // The next owner gets all of it again.
        const Term next = co_await scene.claim_shard("w1/b");
        const Due anew = co_await scene.call(due(scene.key, next, {}));
        EXPECT_EQ(anew.hosts.size(), 2U);
    });
}

TYPED_TEST(FrontierFunctions, ACompletionIsCountedOnce) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 0, 3)}}));
        CompletedUrl url = ended("a.test", QueuePlace{0, 0});
        url.ready_in = Milliseconds(60'000);
        url.is_page = true;
        url.bytes = 5'000'000'000'000'000;
        url.time = Milliseconds(7);
        const LinkBatch found{.groups = {links_of("a.test", 2, 2), links_of("b.test", 0, 1)}};
        const Done first = co_await scene.call(done(scene.key, term, 1, {url}, found));
        EXPECT_EQ(first.waiting, std::vector<std::uint64_t>{3});
        EXPECT_EQ(letters(first.links), "dnn");
        const Done again = co_await scene.call(done(scene.key, term, 1, {url}, found));
        EXPECT_TRUE(again.was_done_before);

        const auto hosts = co_await scene.call(take(scene.key, term, 9, {{.host = "a.test"}}));
        EXPECT_EQ(hosts.at(0).done, 1U);
        EXPECT_EQ(hosts.at(0).pages, 1U);
        EXPECT_EQ(hosts.at(0).bytes, 5'000'000'000'000'000U);
        EXPECT_EQ(hosts.at(0).time, Milliseconds(7));
        EXPECT_EQ(entries(hosts.at(0)),
                  (std::vector<std::string>{"a.test/1", "a.test/2", "a.test/3"}));
        const Fate taken = co_await scene.call(fate(scene.key, term.number));
        EXPECT_EQ(taken.taken, 1U);

        const Result<Done> hole = co_await send(scene.cluster, done(scene.key, term, 3, {url}, {}));
        EXPECT_EQ(hole.error().reason, Refusal::Reason::gap);
        EXPECT_EQ(hole.error().text, "GAP 1");
    });
}

TYPED_TEST(FrontierFunctions, UrlsMayEndInAnyOrder) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 0, 5)}}));
        const auto complete = [&scene, &term](std::uint64_t seq, std::uint64_t number) {
            return done(scene.key, term, seq, {ended("a.test", QueuePlace{0, number})}, {});
        };
        co_await scene.call(complete(1, 1));
        co_await scene.call(complete(2, 3));
        const auto middle = co_await scene.call(take(scene.key, term, 9, {{.host = "a.test"}}));
        EXPECT_EQ(entries(middle.at(0)),
                  (std::vector<std::string>{"a.test/0", "a.test/2", "a.test/4"}));
        co_await scene.call(complete(3, 0));
        co_await scene.call(complete(4, 2));
        const auto end = co_await scene.call(take(scene.key, term, 9, {{.host = "a.test"}}));
        EXPECT_EQ(std::get<QueuePlace>(end.at(0).urls.at(0).place).number, 4U);
        const Done last = co_await scene.call(complete(5, 4));
        EXPECT_EQ(last.waiting.at(0), 0U);
        const Due none = co_await scene.call(due(scene.key, term, {}));
        EXPECT_TRUE(none.hosts.empty());
    });
}

TYPED_TEST(FrontierFunctions, AUrlIsTriedAgainAtItsTime) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 0, 1)}}));
        CompletedUrl url = ended("a.test", QueuePlace{0, 0});
        url.retry_in = Milliseconds(60'000);
        url.retry_entry = "second";
        const Done first = co_await scene.call(done(scene.key, term, 1, {url}, {}));
        EXPECT_EQ(first.waiting.at(0), 1U);
        auto hosts = co_await scene.call(take(scene.key, term, 9, {{.host = "a.test"}}));
        EXPECT_EQ(hosts.at(0).urls.at(0).entry, "second");
        EXPECT_GT(hosts.at(0).urls.at(0).not_before, Milliseconds(50'000));

        url.place = RetryPlace{"second"};
        url.retry_entry = "third";
        co_await scene.call(done(scene.key, term, 2, {url}, {}));
        hosts = co_await scene.call(take(scene.key, term, 9, {{.host = "a.test"}}));
        EXPECT_EQ(entries(hosts.at(0)), std::vector<std::string>{"third"});
        const Done last = co_await scene.call(
            done(scene.key, term, 3, {ended("a.test", RetryPlace{"third"})}, {}));
        EXPECT_EQ(last.waiting.at(0), 0U);
    });
}

TYPED_TEST(FrontierFunctions, APlaceThatIsFreedTakesAnotherUrl) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        const LinkBatch batch{.host_max = 1, .groups = {links_of("a.test", 0, 2)}};
        co_await scene.call(push(scene.key, batch));
        CompletedUrl url = ended("a.test", QueuePlace{0, 0});
        url.frees_place = true;
        co_await scene.call(done(scene.key, term, 1, {url}, {}));
        const auto again = co_await scene.call(push(scene.key, batch));
        EXPECT_EQ(letters(again), "dn");
    });
}

TYPED_TEST(FrontierFunctions, AHostWaitsForItsTime) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        const LinkBatch batch{.groups = {links_of("a.test", 0, 2), links_of("b.test", 0, 1)}};
        co_await scene.call(push(scene.key, batch));
        co_await scene.call(due(scene.key, term, {}));
        co_await scene.call(rest(scene.key, term, {{"a.test", Milliseconds(60'000)}}));
        const Due none = co_await scene.call(due(scene.key, term, {}));
        EXPECT_TRUE(none.hosts.empty());
        EXPECT_GT(none.next.value(), Milliseconds(50'000));
        co_await scene.call(
            change(scene.key, term, {.host = "a.test", .ready_in = Milliseconds(0)}));
        const Due now = co_await scene.call(due(scene.key, term, {}));
        EXPECT_EQ(now.hosts.at(0).host, "a.test");

        // An empty host keeps its time for the next URL.
        CompletedUrl url = ended("b.test", QueuePlace{0, 0});
        url.ready_in = Milliseconds(60'000);
        co_await scene.call(done(scene.key, term, 1, {url}, {}));
        co_await scene.call(push(scene.key, {.groups = {links_of("b.test", 1, 1)}}));
        const Look b = co_await scene.call(look(scene.key, "b.test", 0));
        EXPECT_GT(b.wait.value(), Milliseconds(50'000));
    });
}

TYPED_TEST(FrontierFunctions, ADroppedHostGetsNothingMore) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await scene.claim_shard("w1/a");
        co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 0, 5)}}));
        const std::uint64_t dropped = co_await scene.call(
            change(scene.key, term, {.host = "a.test", .drop = true, .lent = 2}));
        EXPECT_EQ(dropped, 3U);
        const auto more =
            co_await scene.call(push(scene.key, {.groups = {links_of("a.test", 4, 2)}}));
        EXPECT_EQ(letters(more), "do");
        CompletedUrl url = ended("a.test", QueuePlace{0, 0});
        url.retry_in = Milliseconds(1);
        const Done first = co_await scene.call(done(scene.key, term, 1, {url}, {}));
        EXPECT_EQ(first.waiting.at(0), 1U);
        const Done last =
            co_await scene.call(done(scene.key, term, 2, {ended("a.test", QueuePlace{0, 1})}, {}));
        EXPECT_EQ(last.waiting.at(0), 0U);
        const Look a = co_await scene.call(look(scene.key, "a.test", 0));
        EXPECT_TRUE(a.is_dropped);
        EXPECT_EQ(a.done, 5U);
    });
}

TYPED_TEST(FrontierFunctions, GrantsNeverExceedTheLimit) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const std::string key = scene.keys.budget();
        Grant a = co_await scene.call(grant(key, "w1", {.max = 100, .used = 0, .want = 60}));
        EXPECT_EQ(a.granted, 60U);
        EXPECT_EQ(a.left, 40U);
        const Grant b = co_await scene.call(grant(key, "w2", {.max = 100, .used = 0, .want = 60}));
        EXPECT_EQ(b.granted, 40U);
        EXPECT_EQ(b.held_by_others, 60U);
        a = co_await scene.call(grant(key, "w1", {.max = 100, .used = 50, .held = 10, .want = 10}));
        EXPECT_EQ(a.granted, 0U);
        EXPECT_EQ(a.held_by_others, 40U);
        // The same call again, as after a lost answer, gives the same.
        a = co_await scene.call(grant(key, "w1", {.max = 100, .used = 50, .held = 10, .want = 10}));
        EXPECT_EQ(a.granted, 0U);
        // Five are given back, and w2 gets them.
        a = co_await scene.call(grant(key, "w1", {.max = 100, .used = 50, .held = 5, .want = 0}));
        EXPECT_EQ(a.left, 5U);
        const Grant more =
            co_await scene.call(grant(key, "w2", {.max = 100, .used = 0, .held = 40, .want = 60}));
        EXPECT_EQ(more.granted, 5U);
        // w2 is gone; 15 of its pages were taken.
        co_await scene.call(bury(key, "w2", 15));
        a = co_await scene.call(grant(key, "w1", {.max = 100, .used = 55, .want = 99}));
        EXPECT_EQ(a.granted, 30U);
        EXPECT_EQ(a.left, 0U);
        EXPECT_EQ(a.held_by_others, 0U);
    });
}

TYPED_TEST(FrontierFunctions, WorkersHearEachOther) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const std::string key = scene.keys.workers();
        co_await scene.call(beat(key, "w1", "3 pages\nand more"));
        co_await aio::sleep(20ms);
        const auto heard = co_await scene.call(beat(key, "w2", ""));
        EXPECT_EQ(heard.size(), 2U);
        for (const Heard& worker : heard) {
            if (worker.worker != "w1") continue;
            EXPECT_GE(worker.age, Milliseconds(19));
            EXPECT_EQ(worker.text, "3 pages\nand more");
        }
        co_await scene.call(leave(key, "w1"));
        const auto left = co_await scene.call(beat(key, "w2", ""));
        EXPECT_EQ(left.size(), 1U);
    });
}

TYPED_TEST(FrontierFunctions, WorkersMeetAtAnAddress) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        const std::string key = scene.keys.address("192.0.2.1");
        EXPECT_EQ(co_await scene.call(meet(key, "w1", Milliseconds(40))), 1U);
        EXPECT_EQ(co_await scene.call(meet(key, "w2", Milliseconds(10'000))), 2U);
        co_await aio::sleep(60ms);
        EXPECT_EQ(co_await scene.call(meet(key, "w2", Milliseconds(10'000))), 1U);
    });
}

TYPED_TEST(FrontierFunctions, BucketsOfTheSeenSetStaySmall) {
    TypeParam::run([](FunctionScene& scene) -> Co<> {
        for (int first = 0; first < 20'000; first += 500) {
            co_await scene.call(push(scene.key, {.groups = {links_of("a.test", first, 500)}}));
        }
        for (int first = 0; first < 20'000; first += 4'500) {
            const auto again =
                co_await scene.call(push(scene.key, {.groups = {links_of("a.test", first, 500)}}));
            EXPECT_EQ(letters(again), std::string(500, 'd'));
        }
        if (!scene.lua) co_return;
        std::size_t most = 0;
        for (const auto& [name, set] : scene.lua->memory.sets) most = std::max(most, set.size());
        EXPECT_LE(most, 350U);
        EXPECT_GE(scene.lua->memory.sets.size(), 100U);
    });
}

}  // namespace

}  // namespace weft::cluster
