#include "frontier/shards/disk_frontier.h"

#include <map>

#include <gtest/gtest.h>

#include "aio/loop/executor.h"
#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "frontier/candidates.h"
#include "frontier/made_crawl.h"

namespace weft::frontier {
namespace {

using aio::Co;
using aio::CrashLoss;

Co<std::unique_ptr<DiskFrontier>> open(std::uint64_t memory_bytes = 256_MiB,
                                       SyncMode sync = SyncMode::interval) {
    DiskOptions options;
    options.max_per_host = 2;
    options.memory_bytes = memory_bytes;
    options.sync = sync;
    co_return co_await DiskFrontier::open("state", std::move(options));
}

Co<std::string> error_of(Co<std::unique_ptr<DiskFrontier>> opening) {
    try {
        co_await std::move(opening);
    } catch (const StoreError& error) {
        co_return error.what();
    }
    co_return "";
}

Co<std::string> next_url(Frontier& frontier) {
    const std::optional<Visit> visit = co_await frontier.next();
    co_return visit ? visit->candidate.url : "";
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// Files of a crawl that are one text: all outcomes.
struct OutcomeText final : CrawlFiles {
    void add_outcome(std::string_view outcome) override { text += outcome; }
    Co<> sync() override { co_return; }
    std::string save() override { return text; }
    bool holds(std::string_view, std::uint64_t) override { return true; }

    std::string text;
};

class DiskFrontierWithBudget : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Budgets, DiskFrontierWithBudget, testing::Values(1, 256_MiB),
                         [](const auto& each) { return each.param == 1 ? "Tiny" : "Large"; });

}  // namespace

TEST_P(DiskFrontierWithBudget, WhatWasLentWaitsAgainInItsOldPlace) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        {
            const auto frontier = co_await open(memory);
            co_await frontier->push({candidate("a", "/1"), candidate("a", "/2"),
                                     candidate("a", "/3"), candidate("a", "/4")});
            const std::optional<Visit> first = co_await frontier->next();
            const std::optional<Visit> second = co_await frontier->next();
            EXPECT_EQ(first->candidate.url, "http://a/1");
            co_await frontier->complete({.visit_id = second->id});
        }
        const auto frontier = co_await open(memory);
        const Counts counts = frontier->recovered().counts;
        EXPECT_EQ(counts.seen, 4u);
        EXPECT_EQ(counts.waiting, 3u);
        EXPECT_EQ(counts.lent, 0u);
        EXPECT_EQ(counts.done, 1u);
        for (const char* expected : {"http://a/1", "http://a/3"}) {
            const std::string url = co_await next_url(*frontier);
            EXPECT_EQ(url, expected);
        }
        const std::size_t again = co_await frontier->push({candidate("a", "/2")});
        EXPECT_EQ(again, 0u);
    }(GetParam()));
}

TEST_P(DiskFrontierWithBudget, WhatWasNotBegunWaitsAgainAsIfItHadNotBeenLent) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        {
            const auto frontier = co_await open(memory);
            co_await frontier->push({candidate("a", "/1"), candidate("b", "/1")});
            const std::optional<Visit> first = co_await frontier->next();
            const std::optional<Visit> second = co_await frontier->next();
            co_await frontier->complete({.visit_id = first->id, .retry_at = now()});
            const std::optional<Visit> third = co_await frontier->next();
            EXPECT_EQ(third->attempt, 2u);
            frontier->close();
            for (const auto& visit : {second, third}) {
                co_await frontier->complete(
                    {.visit_id = visit->id, .retry_at = now() + 1h, .is_unbegun = true});
            }
            EXPECT_EQ(frontier->counts().waiting, 2u);
            EXPECT_EQ(frontier->counts().lent, 0u);
            co_await frontier->finish();
        }
        const auto frontier = co_await open(memory);
        std::map<std::string, std::uint32_t> attempts;
        for (int i = 0; i < 2; ++i) {
            const std::optional<Visit> visit = co_await frontier->next();
            attempts[visit->candidate.host] = visit->attempt;
        }
        EXPECT_EQ(attempts, (std::map<std::string, std::uint32_t>{{"a", 2}, {"b", 1}}));
        EXPECT_EQ(now().time_since_epoch(), 0s);
    }(GetParam()));
}

TEST_P(DiskFrontierWithBudget, TimesOfHostsAndRetriesOutliveTheProcess) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        {
            const auto frontier = co_await open(memory);
            co_await frontier->push(
                {candidate("a", "/"), candidate("b", "/1"), candidate("b", "/2")});
            const std::optional<Visit> a = co_await frontier->next();
            co_await frontier->complete({.visit_id = a->id, .retry_at = now() + 20s});
            const std::optional<Visit> b = co_await frontier->next();
            co_await frontier->complete({.visit_id = b->id, .host_ready_at = now() + 10s});
        }
        const auto frontier = co_await open(memory);
        const std::optional<Visit> b = co_await frontier->next();
        EXPECT_EQ(b->candidate.url, "http://b/2");
        EXPECT_EQ(now().time_since_epoch(), 10s);
        const std::optional<Visit> a = co_await frontier->next();
        EXPECT_EQ(a->attempt, 2u);
        EXPECT_EQ(now().time_since_epoch(), 20s);
    }(GetParam()));
}

TEST_P(DiskFrontierWithBudget, PlacesAndOutcomesAreGivenBack) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        OutcomeText files;
        const DiskOptions options{.memory_bytes = memory, .crawl_files = &files};
        {
            const auto frontier = co_await DiskFrontier::open("state", options);
            EXPECT_FALSE(frontier->recovered().was_there);
            co_await frontier->push({candidate("a", "/1"), candidate("a", "/2")});
            for (std::uint64_t i = 0; i < 2; ++i) {
                const std::optional<Visit> visit = co_await frontier->next();
                co_await frontier->complete({.visit_id = visit->id,
                                             .outcome = i == 0 ? "one " : "two ",
                                             .archived = ArchivePlace{"w", 100 * i, 50}});
            }
        }
        EXPECT_EQ(files.text, "one two ");
        files.text.clear();
        const auto frontier = co_await DiskFrontier::open("state", options);
        const Recovered& recovered = frontier->recovered();
        EXPECT_TRUE(recovered.was_there);
        EXPECT_EQ(recovered.archived.at("w").offset, 100u);
        EXPECT_EQ(recovered.saved + files.text, "one two ");
    }(GetParam()));
}

TEST_P(DiskFrontierWithBudget, H87AFullDiskStopsItAndLosesNothing) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        auto& files = static_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        std::size_t acknowledged = 0;
        {
            const auto frontier = co_await open(memory);
            files.set_space(5'000);
            std::string error;
            try {
                for (int i = 0;; ++i) {
                    const std::size_t count =
                        co_await frontier->push({candidate("a", fmt::format("/{}", i))});
                    acknowledged += count;
                }
            } catch (const StoreError& caught) {
                error = caught.what();
            }
            EXPECT_TRUE(contains(error, "state/")) << error;
            EXPECT_TRUE(contains(error, "No space left on device")) << error;
            EXPECT_TRUE(contains(error, "free some space")) << error;
            bool still_fails = false;
            try {
                co_await frontier->next();
            } catch (const StoreError&) {
                still_fails = true;
            }
            EXPECT_TRUE(still_fails);
        }
        files.set_space(std::nullopt);
        const auto frontier = co_await open(memory);
        EXPECT_GE(frontier->recovered().counts.waiting, acknowledged);
        const std::string url = co_await next_url(*frontier);
        EXPECT_EQ(url, "http://a/0");
    }(GetParam()));
}

// The bench has two places; a host that must wait for an hour gives its place up.
TEST(DiskFrontier, HostsThatWaitLongDoNotHoldUpOthers) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        const auto frontier = co_await open(1);
        constexpr int kHostCount = 30;
        std::vector<Candidate> seeds;
        for (int i = 0; i < kHostCount; ++i) {
            for (const char* path : {"/1", "/2", "/3"}) {
                seeds.push_back(candidate(fmt::format("h{}", i), path));
            }
        }
        co_await frontier->push(std::move(seeds));
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < kHostCount; ++i) {
                const std::optional<Visit> visit = co_await frontier->next();
                co_await frontier->complete({.visit_id = visit->id, .host_ready_at = now() + 1h});
            }
            EXPECT_EQ(now().time_since_epoch(), round * 1h);
        }
        EXPECT_EQ(frontier->counts().done, 3u * kHostCount);
    }());
}

TEST(DiskFrontier, H88AFolderThatCannotBeIsNamed) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        aio::EventLoop::running().files().write_all("state", "a file");

        const std::string error = co_await error_of(open());

        EXPECT_TRUE(contains(error, "state")) << error;
        EXPECT_TRUE(contains(error, "Not a directory")) << error;
    }());
}

TEST(DiskFrontier, H89AFailedSyncStopsItAndIsNotTriedAgain) {
    for (std::uint64_t n = 1; n < 6; ++n) {
        aio::SimulatedLoop loop;
        loop.run([](std::uint64_t nth) -> Co<> {
            auto& files = static_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
            std::size_t acknowledged = 0;
            {
                const auto frontier = co_await open(256_MiB, SyncMode::commit);
                files.fail_sync(nth);
                std::string error;
                try {
                    for (int i = 0; i < 10; ++i) {
                        const std::size_t count =
                            co_await frontier->push({candidate("a", fmt::format("/{}", i))});
                        acknowledged += count;
                    }
                } catch (const StoreError& caught) {
                    error = caught.what();
                }
                EXPECT_TRUE(contains(error, "cannot sync")) << error;
            }
            EXPECT_EQ(acknowledged, nth - 1);
            files.crash(CrashLoss::all);
            const auto frontier = co_await open();
            EXPECT_EQ(frontier->recovered().counts.waiting, nth - 1);
        }(n));
    }
}

TEST(DiskFrontier, H89WhatAFailedSyncLeftInDoubtIsWrittenAnewWhenItIsOpened) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        auto& files = static_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        {
            const auto frontier = co_await open(256_MiB, SyncMode::commit);
            co_await frontier->push({candidate("a", "/1")});
            files.fail_sync(1);
            try {
                co_await frontier->push({candidate("a", "/2")});
            } catch (const StoreError&) {
            }
        }
        // The system still shows what the disk may not hold.
        std::uint64_t waiting = 0;
        {
            const auto frontier = co_await open(256_MiB, SyncMode::commit);
            waiting = frontier->recovered().counts.waiting;
            co_await frontier->push({candidate("a", "/3")});
        }
        files.crash(CrashLoss::all);

        const auto frontier = co_await open();

        EXPECT_EQ(frontier->recovered().counts.waiting, waiting + 1);
    }());
}

TEST(DiskFrontier, H90AMissingFileIsNamedAndNoNewCrawlIsStartedOverAnOldOne) {
    for (const std::string missing : {"manifest", "log-", "seen-", "hosts-"}) {
        aio::SimulatedLoop loop;
        loop.run([](std::string name) -> Co<> {
            aio::FileSystem& files = aio::EventLoop::running().files();
            {
                const auto frontier = co_await open(1);
                co_await frontier->push({candidate("a", "/1")});
                co_await frontier->push({candidate("a", "/2")});
                co_await frontier->finish();
            }
            for (const std::string& file : files.list("state")) {
                if (file.starts_with(name)) files.remove("state/" + file);
            }
            const std::string error = co_await error_of(open(1));
            EXPECT_TRUE(contains(error, name)) << error;
            EXPECT_TRUE(contains(error, "missing")) << error;
        }(missing));
    }
}

TEST(DiskFrontier, H90AFlippedBitIsFoundOrDoesNoHarm) {
    const MadeWeb web{.page_count = 15};
    Random random(7);
    int found_count = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        aio::SimulatedLoop loop(i + 1);
        aio::MemoryFiles& files = loop.files();
        MadeCrawl crawl(web, files, i + 1);
        crawl.memory_bytes = i % 2 == 0 ? 1 : 256_MiB;
        bool was_found = false;
        loop.run([&]() -> Co<> {
            files.power_off_after(60 + random.below(150));
            try {
                co_await crawl.run();
            } catch (const Error&) {
            }
            files.crash(CrashLoss::none);
            std::vector<std::string> names = files.list("state");
            // The lock is empty, and a file that was being made may be.
            std::erase_if(names, [&](const std::string& name) {
                return files.open("state/" + name, aio::OpenMode::read)->size() == 0;
            });
            const std::string path = "state/" + names[random.below(names.size())];
            std::string bytes = files.read_all(path, 10_MiB);
            bytes[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
            files.remove(path);
            files.open(path, aio::OpenMode::create)->append(bytes);
            try {
                co_await crawl.run();
            } catch (const Error&) {
                was_found = true;
            }
        }());
        found_count += was_found ? 1 : 0;
        if (!was_found) EXPECT_EQ(crawl.complaint(), "") << i;
    }
    EXPECT_GT(found_count, 10);
}

TEST(DiskFrontier, H92ASecondProcessIsRefused) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        auto first = co_await open();

        const std::string error = co_await error_of(open());
        co_await first->finish();
        const std::string later = co_await error_of(open());

        EXPECT_TRUE(contains(error, "in use by another process")) << error;
        EXPECT_EQ(later, "");
    }());
}

TEST(DiskFrontier, AFolderThatIsHeldForAMomentIsWaitedFor) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        co_await (co_await open())->finish();
        std::unique_ptr<aio::FileLock> held =
            aio::EventLoop::running().files().try_lock("state/lock");
        const aio::Task<> reader = aio::create_task([](auto& lock) -> Co<> {
            co_await aio::sleep(1s);
            lock.reset();
        }(held));

        EXPECT_EQ(co_await error_of(open()), "");
    }());
}

// A thread drops a job that it has done only after the loop knows the result: by then the program
// may be at its next step. A repair once took itself for another process, which had the lock.
TEST(DiskFrontier, AJobThatIsDroppedLateKeepsNoLock) {
    class LateDropper final : public aio::Executor {
    public:
        void execute(std::move_only_function<void()> job) override {
            job();
            done_.push_back(std::move(job));
        }

    private:
        std::vector<std::move_only_function<void()>> done_;
    };
    const aio::SystemPlatform system;
    aio::MemoryFiles files;
    LateDropper executor;
    aio::Platform platform = system.get();
    platform.files = &files;
    platform.executor = &executor;
    aio::EventLoop loop(platform);
    aio::run_on(loop, []() -> Co<> {
        const auto first = co_await open();
        co_await first->push({candidate("a", "/1")});
        co_await first->finish();

        EXPECT_TRUE(aio::EventLoop::running().files().try_lock("state/lock"));
    }());
}

}  // namespace weft::frontier
