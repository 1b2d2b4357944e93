#include "frontier/bench/due.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "base/random.h"
#include "frontier/bench/queued_url.h"

namespace weft::frontier {
namespace {

WallTime at(std::int64_t seconds) {
    return WallTime(std::chrono::seconds(seconds));
}

Pending retry(WallTime not_before) {
    std::string bytes;
    put_entry(bytes, {.url = "http://a.test/", .attempt = 2, .not_before = not_before});
    return Pending(0, bytes, "");
}

}  // namespace

TEST(DueTime, IsThatOfTheHostIfAFreshUrlWaits) {
    Host host{.ready_at = at(10)};
    host.lane(kFirstRetryLane).pending.emplace_back(retry(at(99)));
    host.lane(3).next = 1;

    EXPECT_EQ(due_time(host), at(10));
}

TEST(DueTime, IsThatOfTheFirstRetryIfNoOtherUrlWaits) {
    Host host{.ready_at = at(10)};
    host.lane(3);
    host.lane(kFirstRetryLane).pending.emplace_back(retry(at(99)));
    host.lane(kFirstRetryLane + 1).pending.emplace_back(retry(at(77)));

    EXPECT_EQ(due_time(host), at(77));
    host.ready_at = at(200);
    EXPECT_EQ(due_time(host), at(200));
}

TEST(DueList, GivesAllInOrderHoweverManySegmentsTheyFill) {
    aio::MemoryFiles files;
    Random random(1);
    std::vector<Due> dues;
    for (std::uint64_t id = 0; id < 2 * kDuesPerSegment + 100; ++id) {
        dues.push_back({at(static_cast<std::int64_t>(random.below(1'000))), id});
    }
    std::string segments;
    {
        RunWriter run(files, "run");
        DueWriter writer(run);
        for (const Due& due : dues) writer.add(due);
        segments = writer.finish();
        run.finish("");
    }
    std::ranges::sort(dues);

    RunFile file(files, "run");
    DueList list(file, segments);

    for (const Due& due : dues) {
        ASSERT_EQ(list.first(), due);
        list.take_first();
    }
    EXPECT_EQ(list.first(), std::nullopt);
    EXPECT_LT(list.memory_bytes(), 16_KiB);
}

}  // namespace weft::frontier
