#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "aio/loop/executor.h"
#include "aio/loop/run.h"
#include "aio/loop/threadsafe.h"
#include "aio/sync/mailbox.h"
#include "aio/sync/timeout.h"
#include "aio/task/frame_pool.h"
#include "aio/task/sleep.h"
#include "base/random.h"

// What other threads may do to a loop, in a random order from a seed: calls, coroutines, work for
// threads, mail, and the loop's end in the midst of it. No schedule is the same twice, so each test
// checks what holds in all of them. ThreadSanitizer sees these tests too.
namespace weft::aio {
namespace {

constexpr std::uint64_t kSeeds = 30;
constexpr int kThreads = 4;
constexpr int kStepsPerThread = 60;

class RandomFailure : public Error {
public:
    RandomFailure() : Error("a random failure") {}
};

enum class RandomEnd { value, failure, cancellation };

// Ends as it is told, some rounds later.
Co<int> end_as(RandomEnd end, std::uint64_t rounds, int value) {
    for (; rounds > 0; --rounds) co_await yield_now();
    if (end == RandomEnd::failure) throw RandomFailure();
    if (end == RandomEnd::cancellation) current_task()->cancel();
    co_await yield_now();
    co_return value;
}

struct AskedCoroutine {
    std::future<int> future;
    RandomEnd end;
    int value;
};

// What one thread did, and what the loop's thread noted of it.
struct ThreadRecord {
    std::vector<AskedCoroutine> asked;
    int calls = 0;
    std::vector<int> heard;  // Only the loop's thread writes it.
};

void act_at_random(EventLoop& loop, std::uint64_t seed, ThreadRecord& record) {
    Random random(seed);
    for (int step = 0; step < kStepsPerThread; ++step) {
        switch (random.below(4)) {
            case 0:
                loop.call_soon_threadsafe(
                    [&record, number = record.calls++] { record.heard.push_back(number); });
                break;
            case 1: std::this_thread::yield(); break;
            default: {
                const auto end = static_cast<RandomEnd>(random.below(3));
                record.asked.push_back(
                    {run_coroutine_threadsafe(end_as, loop, end, random.below(5), step), end,
                     step});
            }
        }
    }
}

void expect_asked_end(AskedCoroutine& asked) {
    switch (asked.end) {
        case RandomEnd::value: EXPECT_EQ(asked.future.get(), asked.value); break;
        case RandomEnd::failure: EXPECT_THROW(asked.future.get(), RandomFailure); break;
        case RandomEnd::cancellation: EXPECT_THROW(asked.future.get(), CancelledError); break;
    }
}

// Runs `body` in threads of its own while the loop waits for them.
template <class Body>
Co<> while_threads_run(Body body) {
    EventLoop& loop = EventLoop::running();
    Future<> over = create_future();
    int running = kThreads;
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            body(loop, i);
            loop.call_soon_threadsafe([&] {
                if (--running == 0) over.set_result();
            });
        });
    }
    co_await over;
}

}  // namespace

TEST(RandomThreads, EveryCallRunsInOrderAndEveryCoroutineEndsAsItDid) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::vector<ThreadRecord> records(kThreads);
        run([](std::uint64_t from, std::vector<ThreadRecord>& into) -> Co<> {
            co_await while_threads_run([&](EventLoop& loop, int i) {
                const auto index = static_cast<std::size_t>(i);
                act_at_random(loop, from * kThreads + index, into[index]);
                for (AskedCoroutine& asked : into[index].asked) expect_asked_end(asked);
            });
        }(seed, records));
        for (const ThreadRecord& record : records) {
            EXPECT_EQ(record.heard.size(), static_cast<std::size_t>(record.calls)) << seed;
            EXPECT_TRUE(std::ranges::is_sorted(record.heard)) << seed;
        }
    }
    EXPECT_EQ(frame_pool::live_count(), 0u);
}

namespace {

// The end it was asked for, or that of a loop that closed before.
void expect_answered(AskedCoroutine& asked) {
    ASSERT_EQ(asked.future.wait_for(0s), std::future_status::ready);
    try {
        EXPECT_EQ(asked.future.get(), asked.value);
        EXPECT_EQ(asked.end, RandomEnd::value);
    } catch (const RandomFailure&) {
        EXPECT_EQ(asked.end, RandomEnd::failure);
    } catch (const CancelledError&) {
        // It asked for that, or the loop's end did.
    } catch (const std::future_error& error) {
        EXPECT_EQ(error.code(), std::future_errc::broken_promise);
    }
}

}  // namespace

TEST(RandomThreads, ALoopThatClosesMeanwhileLeavesNoFutureUnanswered) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::vector<ThreadRecord> records(kThreads);
        {
            Runner runner;
            EventLoop& loop = runner.get_loop();
            std::vector<std::jthread> threads;  // Ends before the loop does: it must live.
            for (std::size_t i = 0; i < kThreads; ++i) {
                threads.emplace_back(
                    [&, i] { act_at_random(loop, seed * kThreads + i, records[i]); });
            }
            runner.run(end_as(RandomEnd::value, Random(seed).below(40), 0));
            runner.close();
        }
        for (ThreadRecord& record : records) {
            EXPECT_TRUE(std::ranges::is_sorted(record.heard)) << seed;
            for (AskedCoroutine& asked : record.asked) expect_answered(asked);
        }
    }
    EXPECT_EQ(frame_pool::live_count(), 0u);
}

TEST(RandomThreads, StopEndsARunAndTheNextOneGoesOn) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        Runner runner;
        EventLoop& loop = runner.get_loop();
        std::atomic<int> heard = 0;
        std::jthread caller([&, random = Random(seed)]() mutable {
            for (int i = 0; i < kStepsPerThread; ++i) {
                const bool stops = random.below(8) == 0;
                loop.call_soon_threadsafe([&, stops] {
                    ++heard;
                    if (stops) loop.stop();
                });
            }
        });
        while (heard < kStepsPerThread) {
            try {
                runner.run([](std::atomic<int>& count) -> Co<> {
                    while (count < kStepsPerThread) co_await yield_now();
                }(heard));
            } catch (const InvalidStateError&) {
                // Stopped: what it left behind goes on in the next run.
            }
        }
        EXPECT_EQ(heard, kStepsPerThread) << seed;
    }
    EXPECT_EQ(frame_pool::live_count(), 0u);
}

namespace {

// Work for threads, some of it cancelled before or while it runs.
Co<> work_in_threads(std::uint64_t seed, std::atomic<int>& begun, std::atomic<int>& ended) {
    Random random(seed);
    std::vector<Task<int>> tasks;
    for (int i = 0; i < kStepsPerThread; ++i) {
        const bool fails = random.below(4) == 0;
        tasks.push_back(create_task(to_thread([&begun, &ended, fails, i] {
            ++begun;
            std::this_thread::yield();
            ++ended;
            if (fails) throw RandomFailure();
            return i;
        })));
        if (random.below(3) == 0) tasks[random.below(tasks.size())].cancel();
        if (random.below(3) == 0) co_await yield_now();
    }
    for (int i = 0; i < kStepsPerThread; ++i) {
        Task<int>& task = tasks[static_cast<std::size_t>(i)];
        try {
            const int value = co_await task;
            EXPECT_EQ(value, i);
        } catch (const RandomFailure&) {
            EXPECT_FALSE(task.cancelled());
        } catch (const CancelledError&) {
            EXPECT_TRUE(task.cancelled());
        }
    }
}

}  // namespace

TEST(RandomThreads, WorkThatHasBegunHasEndedWhenTheLoopIsClosed) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        std::atomic<int> begun = 0;
        std::atomic<int> ended = 0;
        run(work_in_threads(seed, begun, ended));
        EXPECT_EQ(begun, ended) << seed;
        EXPECT_LE(begun, kStepsPerThread);
    }
    EXPECT_EQ(frame_pool::live_count(), 0u);
}

namespace {

// Sends numbers in batches of random length, some of which are cancelled. Gives what was sent.
Co<std::vector<int>> send_at_random(Mailbox<int>& mailbox, std::uint64_t seed) {
    Random random(seed);
    std::vector<int> sent;
    int next = 0;
    for (int i = 0; i < kStepsPerThread; ++i) {
        std::vector<int> batch;
        for (std::uint64_t n = random.below(4) + 1; n > 0; --n) batch.push_back(next++);
        Task<> sending = create_task(mailbox.send(batch));
        const std::uint64_t rounds = random.below(4);
        for (std::uint64_t n = rounds; n > 0; --n) co_await yield_now();
        if (rounds == 0 && random.below(2) == 0) sending.cancel();
        try {
            co_await sending;
            sent.insert(sent.end(), batch.begin(), batch.end());
        } catch (const CancelledError&) {
            // Cancelled, nothing was sent.
        }
    }
    co_return sent;
}

Co<std::vector<int>> receive_all(Mailbox<int>& mailbox) {
    std::vector<int> got;
    for (;;) {
        const std::vector<int> batch = co_await mailbox.receive();
        if (batch.empty()) co_return got;
        got.insert(got.end(), batch.begin(), batch.end());
    }
}

}  // namespace

TEST(RandomThreads, AMailboxGivesExactlyWhatWasSent) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        Mailbox<int> mailbox(5);
        std::vector<std::vector<int>> sent(kThreads);
        std::vector<int> got;
        std::jthread receiver([&] { got = run(receive_all(mailbox)); });
        {
            std::vector<std::jthread> senders;
            for (std::size_t i = 0; i < kThreads; ++i) {
                senders.emplace_back(
                    [&, i] { sent[i] = run(send_at_random(mailbox, seed * kThreads + i)); });
            }
        }
        mailbox.close();
        receiver.join();
        std::vector<int> expected;
        for (const std::vector<int>& part : sent) {
            expected.insert(expected.end(), part.begin(), part.end());
        }
        std::ranges::sort(expected);
        std::ranges::sort(got);
        EXPECT_EQ(got, expected) << seed;
    }
}

}  // namespace weft::aio
