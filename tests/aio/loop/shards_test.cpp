#include "aio/loop/shards.h"

#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "aio/simulated/simulated_shards.h"
#include "aio/simulated/simulation.h"
#include "aio/sync/mailbox.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::aio {
namespace {

std::size_t open_descriptor_count() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

using Numbers = std::vector<int>;

// Sanitizers reserve more address space than a limit could leave.
constexpr bool is_instrumented() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
}

// A web of numbers, found by several shards: n leads to 2n and 2n + 1, and each is owned by the
// shard n % count. A number is counted where it is first seen, by check and insert without a lock.
class NumberWeb {
public:
    NumberWeb(std::size_t shard_count, int limit) : limit_(limit) {
        for (std::size_t i = 0; i < shard_count; ++i) {
            boxes_.push_back(std::make_unique<Mailbox<int>>(8));
        }
        seen_.resize(shard_count);
    }

    Co<> run(Shard shard) {
        Mailbox<int>& inbox = *boxes_[shard.index];
        if (shard.index == 1 % shard.count) take(shard, 1);
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task(follow(shard));
            for (;;) {
                const Numbers batch = co_await inbox.receive();
                if (batch.empty()) break;
                for (const int number : batch) take(shard, number);
            }
            over_[shard.index] = true;
        });
    }

    std::size_t seen_count() const {
        std::size_t total = 0;
        for (const std::set<int>& numbers : seen_) total += numbers.size();
        return total;
    }
    int followed_count() const { return followed_; }

private:
    void take(const Shard& shard, int number) {
        if (!seen_[shard.index].insert(number).second) return;
        todo_[shard.index].push_back(number);
    }

    // Sends on what the numbers of this shard lead to. Never receives: see Mailbox.
    Co<> follow(Shard shard) {
        Numbers& todo = todo_[shard.index];
        while (!over_[shard.index]) {
            if (todo.empty()) {
                co_await sleep(100us);
                continue;
            }
            const int number = todo.back();
            todo.pop_back();
            for (const int next : {2 * number, 2 * number + 1, number / 2}) {
                if (next < 1 || next > limit_) continue;
                Mailbox<int>& box = *boxes_[static_cast<std::size_t>(next) % shard.count];
                try {
                    co_await box.send({next});
                } catch (const QueueShutDown&) {
                    co_return;  // All are followed: this one was known.
                }
            }
            if (++followed_ == limit_) {
                for (const auto& box : boxes_) box->close();
            }
        }
    }

    int limit_;
    std::vector<std::unique_ptr<Mailbox<int>>> boxes_;
    std::vector<std::set<int>> seen_;
    std::array<Numbers, 8> todo_;
    std::array<bool, 8> over_{};
    std::atomic<int> followed_ = 0;
};

}  // namespace

TEST(Shards, A19ManyShardsFindEachNumberOnce) {
    NumberWeb web(4, 5'000);
    Shards shards(4);

    shards.run([&](const Shard& shard) -> Co<> { co_await web.run(shard); });

    EXPECT_EQ(web.seen_count(), 5'000u);
    EXPECT_EQ(web.followed_count(), 5'000);
}

TEST(Shards, A41NothingIsLeftAfterARun) {
    const std::size_t before = open_descriptor_count();
    for (int i = 0; i < 3; ++i) {
        Shards shards(3);
        shards.run([](const Shard&) -> Co<> {
            const Task<> left_running = create_task([]() -> Co<> { co_await sleep(1h); }());
            co_await sleep(1ms);
        });
    }
    EXPECT_EQ(open_descriptor_count(), before);
}

TEST(Shards, OneFailureCancelsTheOthersAndIsThrown) {
    std::atomic<int> sleeping = 0;
    std::atomic<int> cancelled = 0;
    Shards shards(3);
    const auto main = [&](const Shard& shard) -> Co<> {
        while (shard.index == 1 && sleeping < 2) co_await sleep(100us);
        if (shard.index == 1) throw Error("shard 1 is broken");
        ++sleeping;
        try {
            co_await sleep(1h);
        } catch (const CancelledError&) {
            ++cancelled;
            throw;
        }
    };

    EXPECT_THROW(shards.run(main), Error);
    EXPECT_EQ(cancelled, 2);
}

TEST(Mailbox, ACircleOfSendersThatAreAllFullGoesOn) {
    constexpr std::size_t kShards = 3;
    constexpr int kBatches = 2'000;
    std::vector<std::unique_ptr<Mailbox<int>>> boxes;
    for (std::size_t i = 0; i < kShards; ++i) boxes.push_back(std::make_unique<Mailbox<int>>(4));
    std::array<long, kShards> sums{};
    const ShardMain main = [&](const Shard& shard) -> Co<> {
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task([](Mailbox<int>& target) -> Co<> {
                for (int i = 0; i < kBatches; ++i) co_await target.send({i, i, i});
                target.close();
            }(*boxes[(shard.index + 1) % shard.count]));
            for (;;) {
                const Numbers batch = co_await boxes[shard.index]->receive();
                if (batch.empty()) co_return;
                EXPECT_LE(batch.size(), 4u);
                for (const int number : batch) sums[shard.index] += number;
            }
        });
    };

    Shards(kShards).run(main);

    for (const long sum : sums) EXPECT_EQ(sum, 3l * kBatches * (kBatches - 1) / 2);
}

TEST(Mailbox, ACancelledSenderLeavesNoTrace) {
    SimulatedShards shards(1);
    Mailbox<int> box(1);

    shards.run([&](const Shard&) -> Co<> {
        co_await box.send({1});
        const Task<> waiting =
            create_task([](Mailbox<int>& target) -> Co<> { co_await target.send({2}); }(box));
        co_await sleep(1s);
        EXPECT_FALSE(waiting.done());
        waiting.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(waiting.cancelled());
        const Numbers batch = co_await box.receive();
        EXPECT_EQ(batch, Numbers{1});
        EXPECT_EQ(box.size(), 0u);
    });
}

namespace {

// In which order three shards write into one mailbox.
Numbers meeting_order(std::uint64_t seed) {
    SimulatedShards shards(4, seed);
    Mailbox<int> box(100);
    Numbers order;
    shards.run([&](const Shard& shard) -> Co<> {
        for (int i = 0; shard.index > 0 && i < 10; ++i) {
            co_await box.send({static_cast<int>(shard.index)});
            co_await sleep(1s);
        }
        if (shard.index > 0) co_return;
        while (order.size() < 30) {
            const Numbers batch = co_await box.receive();
            order.insert(order.end(), batch.begin(), batch.end());
        }
    });
    EXPECT_EQ(shards.now(), 10s);
    return order;
}

}  // namespace

TEST(SimulatedShards, TheSeedDecidesWhoComesFirst) {
    EXPECT_EQ(meeting_order(1), meeting_order(1));
    EXPECT_NE(meeting_order(1), meeting_order(2));
}

TEST(SimulatedShards, A19FindEachNumberOnceInEveryOrder) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        NumberWeb web(4, 300);
        SimulatedShards shards(4, seed);
        shards.run([&](const Shard& shard) -> Co<> { co_await web.run(shard); });
        EXPECT_EQ(web.seen_count(), 300u);
        EXPECT_EQ(web.followed_count(), 300);
    }
}

TEST(SimulatedShards, AReceiverThatWaitsToSendIsShownAsADeadlock) {
    SimulatedShards shards(2);
    std::array<Mailbox<int>, 2> boxes{Mailbox<int>(1), Mailbox<int>(1)};
    const ShardMain main = [&](const Shard& shard) -> Co<> {
        for (;;) {
            co_await boxes[1 - shard.index].send({1});
            co_await boxes[1 - shard.index].send({2});
            co_await boxes[shard.index].receive();
        }
    };

    EXPECT_THROW(shards.run(main), Error);
}

// The first threads were still running when their handles went: std::terminate.
TEST(Shards, AThreadThatCannotStartIsAnError) {
    struct rlimit before{};
    ::getrlimit(RLIMIT_AS, &before);
    Shards shards(100);
    std::string told;
    std::atomic<int> ended = 0;
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;

    // Room for some stacks of 8 MiB, not for all.
    const struct rlimit little{.rlim_cur = pages * 4096 + (64UL << 20),
                               .rlim_max = before.rlim_max};
    if (is_instrumented() || ::setrlimit(RLIMIT_AS, &little) != 0) GTEST_SKIP();
    try {
        shards.run([&](const Shard&) -> Co<> {
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                ++ended;
                throw;
            }
        });
    } catch (const std::exception& error) {
        told = error.what();
    }
    ::setrlimit(RLIMIT_AS, &before);

    EXPECT_NE(told, "");
}

// The loop died before its shard was taken from the list: whoever cancelled all used it.
TEST(Shards, AShardThatFailsAtOnceIsOutOfTheList) {
    for (int round = 0; round < 20; ++round) {
        Shards shards(4);
        EXPECT_THROW(shards.run([](const Shard& shard) -> Co<> {
            if (shard.index % 2 == 0) throw Error("at once");
            co_await sleep(1h);
        }),
                     Error);
    }
}

// Each batch that was taken woke all who waited, of whom one could send: 3.6 s for 4,000.
TEST(Mailbox, ManySendersAreLetInOneByOne) {
    const std::clock_t start = std::clock();
    SimulatedLoop loop;
    loop.run([]() -> Co<> {
        constexpr int kSenders = 20'000;
        Mailbox<int> mailbox(1);
        std::vector<Task<>> sending;
        for (int i = 0; i < kSenders; ++i) {
            sending.push_back(create_task([](Mailbox<int>& to, int number) -> Co<> {
                co_await to.send({number});
            }(mailbox, i)));
        }
        int expected = 0;
        while (expected < kSenders) {
            const Numbers batch = co_await mailbox.receive();
            for (const int number : batch) EXPECT_EQ(number, expected++);
        }
    }());
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 20);
}

TEST(Mailbox, ACancelledSenderGivesItsRoomToTheNext) {
    SimulatedLoop loop;
    loop.run([]() -> Co<> {
        Mailbox<int> mailbox(2);
        co_await mailbox.send({1, 2});
        const auto send = [](Mailbox<int>& to, Numbers batch) -> Co<> {
            co_await to.send(std::move(batch));
        };
        Task<> first = create_task(send(mailbox, {3, 4}));
        Task<> second = create_task(send(mailbox, {5}));
        Task<> third = create_task(send(mailbox, {6, 7, 8}));
        co_await sleep(1ms);
        Numbers more{9};
        EXPECT_FALSE(mailbox.try_send(more));

        EXPECT_EQ(co_await mailbox.receive(), (Numbers{1, 2}));
        first.cancel();  // Let in, but not there yet.
        EXPECT_EQ(co_await mailbox.receive(), (Numbers{5}));
        EXPECT_EQ(co_await mailbox.receive(), (Numbers{6, 7, 8}));

        EXPECT_TRUE(first.cancelled() && second.done() && third.done());
        EXPECT_TRUE(mailbox.try_send(more));
        Task<> last = create_task(send(mailbox, {10, 11}));
        co_await sleep(1ms);
        mailbox.close();
        EXPECT_EQ(co_await mailbox.receive(), (Numbers{9}));
        EXPECT_THROW(co_await last, QueueShutDown);
    }());
}

}  // namespace weft::aio
