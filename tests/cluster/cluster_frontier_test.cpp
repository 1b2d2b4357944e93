#include "cluster/cluster_frontier.h"

#include <set>

#include <gtest/gtest.h>

#include "cluster/made_crawl.h"
#include "support/build_kind.h"

namespace weft::cluster {

namespace {

// Under a sanitizer a crawl takes thirteen times as long.
constexpr std::uint64_t kSeedCount = tests::kIsSanitized ? 1 : 4;

using aio::Co;
using Workers = std::vector<std::unique_ptr<MadeWorker>>;

// Waits until all have ended; gives up after a day.
Co<> wait_for(const Workers& workers) {
    const TimePoint until = aio::EventLoop::running().time() + 24h;
    const auto has_ended = [](const auto& worker) { return worker->ended; };
    while (!std::ranges::all_of(workers, has_ended)) {
        if (aio::EventLoop::running().time() > until) throw Error("the crawl does not end");
        co_await aio::sleep(100ms);
    }
}

Workers start(MadeCrawl& crawl, int count) {
    Workers workers;
    for (int i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<MadeWorker>(crawl, fmt::format("worker{}", i)));
        workers.back()->start();
    }
    return workers;
}

// Every page of the web is in exactly one log, once.
void expect_whole(const MadeCrawl& crawl, const Workers& workers) {
    std::multiset<std::string> recorded;
    for (const auto& worker : workers) {
        EXPECT_EQ(worker->error, "");
        recorded.insert(worker->log.lines.begin(), worker->log.lines.end());
    }
    std::size_t missing = 0;
    std::size_t twice = 0;
    for (int host = 0; host < crawl.web.hosts; ++host) {
        for (int page = 0; page < crawl.web.pages; ++page) {
            const std::size_t count = recorded.count(crawl.web.url(host, page));
            missing += count == 0 ? 1 : 0;
            twice += count > 1 ? 1 : 0;
        }
    }
    EXPECT_EQ(missing, 0U);
    EXPECT_EQ(twice, 0U);
}

struct Sums {
    std::uint64_t seen = 0;
    std::uint64_t done = 0;
    std::uint64_t pages = 0;
};
Sums sums_of(const MadeRedis& redis) {
    Sums sums;
    for (const auto& [key, hash] : redis.lua.memory.hashes) {
        if (!key.starts_with("w1{") || !key.ends_with("}m")) continue;
        for (const auto& [field, value] : hash) {
            if (field == "seen") sums.seen += static_cast<std::uint64_t>(number_at(value, 0));
            if (field == "done") sums.done += static_cast<std::uint64_t>(number_at(value, 0));
            if (field.starts_with("p:"))
                sums.pages += static_cast<std::uint64_t>(number_at(value, 0));
        }
    }
    return sums;
}

void expect_counts(const MadeCrawl& crawl) {
    const auto all = static_cast<std::uint64_t>(crawl.web.hosts * crawl.web.pages);
    const Sums sums = sums_of(crawl.redis);
    EXPECT_EQ(sums.seen, all);
    EXPECT_EQ(sums.done, all);
    EXPECT_EQ(sums.pages, all);
}

// No two fetches of a host, by whatever workers, are closer than the delay. Only a worker that was
// killed and starts again may come back early to a host: it does not know of the fetch.
void expect_polite(const MadeCrawl& crawl) {
    int early = 0;
    for (const auto& [host, fetches] : crawl.fetches) {
        for (std::size_t i = 1; i < fetches.size(); ++i) {
            const Fetch& before = fetches[i - 1];
            if (!before.has_ended && before.worker == fetches[i].worker) continue;
            if (fetches[i].when - before.when < crawl.delay - 5ms) ++early;
        }
    }
    EXPECT_EQ(early, 0);
}

template <class Body>
void simulate(Body body, std::uint64_t seed = 1) {
    aio::SimulatedLoop loop(seed);
    loop.run([](aio::SimulatedLoop& own, Body inner) -> Co<> {
        MadeCrawl crawl{.loop = own};
        co_await inner(crawl);
    }(loop, std::move(body)));
}

TEST(ClusterFrontier, OneWorkerCrawlsAll) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        const Workers workers = start(crawl, 1);
        co_await wait_for(workers);
        expect_whole(crawl, workers);
        expect_counts(crawl);
        expect_polite(crawl);
        EXPECT_EQ(crawl.fetch_count, 400U);
    });
}

TEST(ClusterFrontier, ThreeWorkersShareACrawl) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        crawl.retry_chance = 0.1;
        const Workers workers = start(crawl, 3);
        co_await wait_for(workers);
        expect_whole(crawl, workers);
        expect_counts(crawl);
        expect_polite(crawl);
        for (const auto& worker : workers) EXPECT_GT(worker->log.lines.size(), 20U);
    });
}

// Kills workers at random moments, each within a round, and starts them again.
TEST(ClusterFrontier, KilledWorkersLoseNothingAndRecordNothingTwice) {
    for (std::uint64_t seed = 1; seed <= kSeedCount; ++seed) {
        simulate(
            [](MadeCrawl& crawl) -> Co<> {
                crawl.web.pages = 40;
                const Workers workers = start(crawl, 3);
                Random& random = crawl.random;
                for (int i = 0; i < 25; ++i) {
                    co_await aio::sleep(Duration(1ms) * static_cast<int>(random.below(4'000)));
                    MadeWorker& worker = *workers[random.below(3)];
                    if (worker.ended) break;
                    co_await worker.kill();
                    worker.start();
                }
                co_await wait_for(workers);
                expect_whole(crawl, workers);
                expect_counts(crawl);
                expect_polite(crawl);
            },
            seed);
    }
}

TEST(ClusterFrontier, TheShardsOfADeadWorkerGoOnElsewhere) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        const Workers workers = start(crawl, 2);
        co_await aio::sleep(5s);
        co_await workers[1]->kill();
        while (!workers[0]->ended) co_await aio::sleep(1s);
        expect_counts(crawl);
        expect_polite(crawl);
        // Its folder tells what it had done: together they have all.
        workers[1]->start();
        co_await wait_for(workers);
        expect_whole(crawl, workers);
    });
}

TEST(ClusterFrontier, LostAnswersAreAskedForAgain) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        crawl.redis.lost_reply_chance = 0.0005;
        crawl.retry_chance = 0.1;
        const Workers workers = start(crawl, 2);
        co_await wait_for(workers);
        expect_whole(crawl, workers);
        expect_counts(crawl);
        expect_polite(crawl);
    });
}

// Rule 2: what no replica has confirmed is lost when the master dies, and nothing was built on it.
TEST(ClusterFrontier, AFailoverThatLosesTheLastWritesLosesNoPage) {
    for (std::uint64_t seed = 1; seed <= kSeedCount; ++seed) {
        simulate(
            [](MadeCrawl& crawl) -> Co<> {
                crawl.web.pages = 30;
                crawl.redis.has_replica = true;
                const Workers workers = start(crawl, 2);
                while (!workers[0]->ended) {
                    co_await aio::sleep(Duration(1ms) *
                                        static_cast<int>(crawl.random.below(3'000)));
                    crawl.redis.is_down = true;
                    co_await aio::sleep(500ms);
                    crawl.redis.fail_over();
                    crawl.redis.is_down = false;
                }
                co_await wait_for(workers);
                expect_whole(crawl, workers);
                expect_counts(crawl);
                expect_polite(crawl);
            },
            seed);
    }
}

// Without WAIT, failovers to a replica that lags behind lose pages: rule 2 is needed.
TEST(ClusterFrontier, WithoutConfirmationAFailoverLosesPages) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        crawl.web.pages = 30;
        crawl.redis.replica_count = 0;
        const Workers workers = start(crawl, 2);
        for (int i = 0; i < 5; ++i) {
            crawl.redis.replica = crawl.redis.lua.memory;
            co_await aio::sleep(300ms);
            crawl.redis.is_down = true;
            co_await aio::sleep(500ms);
            crawl.redis.fail_over();
            crawl.redis.is_down = false;
            co_await aio::sleep(2s);
        }
        for (int i = 0; i < 300 && !workers[0]->ended; ++i) co_await aio::sleep(1s);
        const Sums sums = sums_of(crawl.redis);
        std::multiset<std::string> recorded;
        for (const auto& worker : workers) {
            recorded.insert(worker->log.lines.begin(), worker->log.lines.end());
        }
        const std::set<std::string> different(recorded.begin(), recorded.end());
        const bool is_whole = different.size() == 600 && recorded.size() == 600 &&
                              sums.seen == 600 && sums.done == 600 && sums.pages == 600;
        EXPECT_FALSE(is_whole);
    });
}

// Rule 1: the worker believes in its terms, but its clock says that they are over.
TEST(ClusterFrontier, AWorkerThatIsCutOffFetchesNothingThatOthersFetch) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        crawl.web.pages = 60;
        const Workers workers = start(crawl, 2);
        for (int i = 0; i < 3; ++i) {
            co_await aio::sleep(6s);
            workers[1]->is_cut_off = true;
            co_await aio::sleep(30s);
            workers[1]->is_cut_off = false;
        }
        co_await wait_for(workers);
        expect_whole(crawl, workers);
        expect_counts(crawl);
        expect_polite(crawl);
    });
}

TEST(ClusterFrontier, TheLimitIsExactOverAllWorkers) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        crawl.page_max = 123;
        const Workers workers = start(crawl, 3);
        co_await wait_for(workers);
        std::size_t recorded = 0;
        for (const auto& worker : workers) {
            EXPECT_EQ(worker->error, "");
            recorded += worker->log.lines.size();
        }
        EXPECT_EQ(recorded, 123U);
        EXPECT_EQ(sums_of(crawl.redis).pages, 123U);
    });
}

TEST(ClusterFrontier, TheLimitIsExactAlthoughWorkersDie) {
    for (std::uint64_t seed = 1; seed <= kSeedCount; ++seed) {
        simulate(
            [](MadeCrawl& crawl) -> Co<> {
                crawl.page_max = 211;
                const Workers workers = start(crawl, 3);
                for (int i = 0; i < 6; ++i) {
                    co_await aio::sleep(Duration(1ms) *
                                        static_cast<int>(crawl.random.below(3'000)));
                    MadeWorker& worker = *workers[crawl.random.below(3)];
                    if (worker.ended) break;
                    co_await worker.kill();
                    worker.start();
                }
                // One is never seen again: what it held is given to the others.
                if (!workers[2]->ended) co_await workers[2]->kill();
                while (!workers[0]->ended || !workers[1]->ended) co_await aio::sleep(1s);
                EXPECT_EQ(sums_of(crawl.redis).pages, 211U);
                workers[2]->start();
                co_await wait_for(workers);
                std::size_t recorded = 0;
                for (const auto& worker : workers) recorded += worker->log.lines.size();
                EXPECT_EQ(recorded, 211U);
            },
            seed);
    }
}

TEST(ClusterFrontier, AWorkerEndsWhenNoServerAnswersForItsPatience) {
    simulate([](MadeCrawl& crawl) -> Co<> {
        const Workers workers = start(crawl, 1);
        co_await aio::sleep(3s);
        crawl.redis.is_down = true;
        co_await aio::sleep(58s);
        EXPECT_FALSE(workers[0]->ended);
        co_await aio::sleep(8s);
        EXPECT_TRUE(workers[0]->ended);
        EXPECT_TRUE(workers[0]->error.contains("no server of the cluster answers for 60 s"))
            << workers[0]->error;
        // Nothing is lost: it goes on when Redis is back.
        crawl.redis.is_down = false;
        workers[0]->error.clear();
        workers[0]->start();
        co_await wait_for(workers);
        expect_whole(crawl, workers);
        expect_counts(crawl);
    });
}

}  // namespace

}  // namespace weft::cluster
