#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "frontier/made_crawl.h"

// A crawl is cut off at every change to its files and goes on: nothing lost, nothing twice.
namespace weft::frontier {
namespace {

using aio::Co;
using aio::CrashLoss;

struct Plan {
    SyncMode sync = SyncMode::interval;
    std::uint64_t memory_bytes = 256_MiB;
    MadeWeb web{.page_count = 25};
};

std::unique_ptr<MadeCrawl> make_crawl(const Plan& plan, aio::SimulatedLoop& loop,
                                      std::uint64_t seed) {
    auto crawl = std::make_unique<MadeCrawl>(plan.web, loop.files(), seed);
    crawl->sync_mode = plan.sync;
    crawl->memory_bytes = plan.memory_bytes;
    return crawl;
}

// How many changes an undisturbed crawl makes.
std::uint64_t changes_of(const Plan& plan) {
    aio::SimulatedLoop loop;
    const std::unique_ptr<MadeCrawl> crawl = make_crawl(plan, loop, 1);
    loop.run(crawl->run());
    EXPECT_EQ(crawl->complaint(), "");
    return loop.files().change_count();
}

Co<bool> ends_well(MadeCrawl& crawl) {
    try {
        co_await crawl.run();
    } catch (const Error&) {
        co_return false;
    }
    co_return true;
}

// Power goes at the n-th change, again and again at a random one, until the crawl ends.
void crawl_with_crashes(const Plan& plan, std::uint64_t first, CrashLoss loss, std::uint64_t seed) {
    aio::SimulatedLoop loop(seed);
    Random random(seed);
    const std::unique_ptr<MadeCrawl> crawl = make_crawl(plan, loop, seed);
    aio::MemoryFiles& files = loop.files();
    crawl->keeps_acknowledged = loss == CrashLoss::none || plan.sync == SyncMode::commit;
    loop.run([&]() -> Co<> {
        files.power_off_after(first);
        for (int round = 0;; ++round) {
            const bool ended = co_await ends_well(*crawl);
            if (ended) co_return;
            files.crash(loss, seed + static_cast<std::uint64_t>(round));
            if (round < 3) files.power_off_after(random.below(first + 10));
        }
    }());
    files.crash(CrashLoss::none);  // Power is on again.
    EXPECT_EQ(crawl->complaint(), "") << "first " << first << " seed " << seed;
}

void sweep(const Plan& plan, std::uint64_t tries) {
    const std::uint64_t change_count = changes_of(plan);
    for (std::uint64_t i = 0; i < tries; ++i) {
        const auto loss = static_cast<CrashLoss>(i % 3);
        crawl_with_crashes(plan, 1 + i * change_count / tries, loss, i + 1);
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace

TEST(FrontierCrash, H85H86LosesNothingAndDoublesNothingWhereverThePowerGoes) {
    sweep({.sync = SyncMode::interval}, 60);
}

TEST(FrontierCrash, H85H86NorWhenEveryCommitIsSynced) {
    sweep({.sync = SyncMode::commit}, 60);
}

TEST(FrontierCrash, H85H86NorWhenNothingFitsIntoMemory) {
    sweep({.memory_bytes = 1, .web = {.page_count = 25}}, 60);
}

TEST(FrontierCrash, H85H86NorWhenLittleFitsIntoMemory) {
    sweep({.memory_bytes = 64_KiB, .web = {.page_count = 40}}, 20);
}

}  // namespace weft::frontier
