#include "frontier/store/store_snapshot.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "frontier/candidates.h"
#include "frontier/shards/disk_frontier.h"

namespace weft::frontier {
namespace {

using aio::Co;

std::string path_of(int number) {
    return "/" + std::to_string(number);
}

// With little memory there is a checkpoint every few commits; with much there is none.
class GlanceWithBudget : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Budgets, GlanceWithBudget, testing::Values(1, 256_MiB),
                         [](const auto& each) { return each.param == 1 ? "Tiny" : "Large"; });

}  // namespace

TEST_P(GlanceWithBudget, SeesWhatIsQueuedBesideTheProcessAtWork) {
    aio::SimulatedLoop loop;
    loop.run([](std::uint64_t memory) -> Co<> {
        aio::FileSystem& files = aio::EventLoop::running().files();
        DiskOptions options;
        options.memory_bytes = memory;
        const auto frontier = co_await DiskFrontier::open("state", std::move(options));
        co_await frontier->push({candidate("a", "/0"), candidate("b", "/0")});
        for (int page = 0; page < 20; ++page) {
            std::optional<Visit> visit = co_await frontier->next();
            Completion completion{.visit_id = visit->id};
            completion.outcome = R"({"url":")" + visit->candidate.url + R"("})";
            for (int link = 0; link < 10; ++link) {
                completion.found.push_back(
                    candidate(visit->candidate.host, path_of(1 + 10 * page + link)));
                completion.found.back().depth = 7;
            }
            co_await frontier->complete(std::move(completion));
        }

        const Counts counts = counts_in_store(files, "state");
        EXPECT_EQ(counts.seen, 202u);
        EXPECT_EQ(counts.done, 20u);
        EXPECT_EQ(counts.waiting, 182u);
        std::uint64_t admitted = 0;
        for (const char* host : {"a", "b"}) {
            for (int number = 1; number <= 200; ++number) {
                const Candidate sought = candidate(host, path_of(number));
                const StoreSnapshot seen = find_in_store(files, "state", sought);
                admitted += seen.is_admitted ? 1 : 0;
                if (!seen.candidate) continue;
                EXPECT_TRUE(seen.is_admitted);
                EXPECT_EQ(seen.candidate->url, sought.url);
                EXPECT_EQ(seen.candidate->depth, 7u);
                EXPECT_TRUE(seen.candidate->referrer.starts_with("http://"));
            }
        }
        EXPECT_EQ(admitted, 200u);
        const StoreSnapshot last = find_in_store(files, "state", candidate("a", "/0"));
        EXPECT_TRUE(last.is_admitted);
        const HostCounts host = co_await frontier->host_counts("a");
        EXPECT_EQ(last.host.admitted, host.admitted);
        EXPECT_EQ(last.host.done, host.done);
        EXPECT_FALSE(find_in_store(files, "state", candidate("a", "/never")).is_admitted);
        EXPECT_EQ(find_in_store(files, "state", candidate("c", "/0")).host.admitted, 0u);
    }(GetParam()));
}

TEST(StoreSnapshot, ARetryAndTheTimeOfAHostAreSeen) {
    aio::SimulatedLoop loop;
    loop.run([]() -> Co<> {
        aio::FileSystem& files = aio::EventLoop::running().files();
        const auto frontier = co_await DiskFrontier::open("state", {});
        co_await frontier->push({candidate("a", "/0")});
        const std::optional<Visit> visit = co_await frontier->next();
        Completion completion{.visit_id = visit->id, .retry_at = now() + 60s};
        completion.host_ready_at = now() + 30s;
        co_await frontier->complete(std::move(completion));

        const StoreSnapshot seen = find_in_store(files, "state", candidate("a", "/0"));

        EXPECT_TRUE(seen.is_admitted);
        EXPECT_EQ(seen.host.done, 0u);
        EXPECT_GT(seen.host_ready_at, aio::EventLoop::running().wall_time() + 29s);
    }());
}

}  // namespace weft::frontier
