#include "aio/simulated/simulation.h"

#include <gtest/gtest.h>

#include "aio/net/stream.h"
#include "aio/sync/event.h"
#include "aio/sync/queue.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::aio {
namespace {

constexpr int kTables = 24;
constexpr int kMoves = 30;
constexpr Duration kHerMove = 5s;
constexpr Duration kTheirMove = 55s;

// She plays a whole game, then goes on to the next table.
Co<> play_one_after_another() {
    for (int game = 0; game < kTables; ++game) {
        for (int move = 0; move < kMoves; ++move) {
            co_await sleep(kHerMove);
            co_await sleep(kTheirMove);
        }
    }
}

// The opponent at one table thinks while she is elsewhere.
Co<> opponent(Event& she_has_moved, Queue<int>& waiting, int number) {
    for (int move = 0; move < kMoves; ++move) {
        co_await she_has_moved.wait();
        she_has_moved.clear();
        co_await sleep(kTheirMove);
        co_await waiting.put(number);
    }
}

// She moves at whichever table waits for her, 24 tables at once.
Co<> play_interleaved(Duration& her_time) {
    Queue<int> waiting;
    std::array<Event, kTables> moved;
    co_await task_group([&](TaskGroup& group) -> Co<> {
        for (int i = 0; i < kTables; ++i) {
            group.create_task(opponent(moved[static_cast<std::size_t>(i)], waiting, i));
            waiting.put_nowait(i);
        }
        for (int move = 0; move < kMoves * kTables; ++move) {
            const int table = co_await waiting.get();
            co_await sleep(kHerMove);
            her_time += kHerMove;
            moved[static_cast<std::size_t>(table)].set();
        }
    });
}

}  // namespace

TEST(Simulation, A48TheChessExhibitionTakesTwelveHoursOrOne) {
    SimulatedLoop patient;
    patient.run(play_one_after_another());
    EXPECT_EQ(patient.now(), 43'200s);

    SimulatedLoop quick;
    Duration her_time{};
    quick.run(play_interleaved(her_time));
    EXPECT_EQ(her_time, 3'600s);
    EXPECT_EQ(quick.now(), 3'600s + 55s);
}

// Between two awaits nobody else runs: what is changed there is never seen half changed.
TEST(Simulation, A31TheMonitorNeverSeesAHalfMadeUpdate) {
    struct Progress {
        std::size_t fetched = 0;
        std::size_t bytes = 0;
    };
    SimulatedLoop loop;
    Progress progress;
    std::vector<std::pair<Duration, std::size_t>> seen;
    const auto fetch = [](Progress& shared, Duration pause) -> Co<> {
        for (int i = 0; i < 10; ++i) {
            co_await sleep(pause);
            ++shared.fetched;
            shared.bytes += 1'000;
        }
    };
    const auto monitor = [&]() -> Co<> {
        for (;;) {
            co_await sleep(1s);
            EXPECT_EQ(progress.bytes, 1'000 * progress.fetched);
            seen.emplace_back(loop.now(), progress.fetched);
        }
    };

    loop.run([](auto& start_fetch, auto& start_monitor, Progress& shared) -> Co<> {
        co_await task_group([&](TaskGroup& group) -> Co<> {
            const Task<> watching = group.create_task(start_monitor());
            co_await gather(start_fetch(shared, 300ms), start_fetch(shared, 470ms));
            watching.cancel();
        });
    }(fetch, monitor, progress));

    EXPECT_EQ(progress.fetched, 20u);
    ASSERT_EQ(seen.size(), 4u);
    EXPECT_EQ(seen.front(), std::pair(Duration(1s), std::size_t{5}));
    EXPECT_EQ(seen.back().first, 4s);
}

// Two requests go out; the answer to the second comes first, and each finds its own waiter.
TEST(Simulation, A32EventsResumeTheRequestTheyBelongTo) {
    SimulatedLoop loop;
    SimulatedNetwork& network = loop.network();
    network.host("slow.test").latency(30ms);
    network.host("fast.test").latency(10ms);
    auto slow = network.listen("slow.test", 80);
    auto fast = network.listen("fast.test", 80);
    std::vector<std::string> trace;

    const auto answer = [](Listener& listener) -> Co<> {
        Stream stream(co_await listener.accept());
        const std::string line = co_await stream.readline(100);
        co_await stream.write(line);
    };
    const auto request = [&](Endpoint to, int number) -> Co<> {
        trace.push_back(fmt::format("request{} paused", number));
        Stream stream = co_await connect(to);
        co_await stream.write(fmt::format("{}\n", number));
        const std::string line = co_await stream.readline(100);
        trace.push_back(fmt::format("response{} at {}", line.substr(0, 1), loop.now() / 1ms));
    };
    loop.run([](auto& ask, auto& reply, Listener& one, Listener& two) -> Co<> {
        co_await gather(ask(one.local(), 1), ask(two.local(), 2), reply(one), reply(two));
    }(request, answer, *slow, *fast));

    const std::vector<std::string> expected = {"request1 paused", "request2 paused",
                                               "response2 at 40", "response1 at 120"};
    EXPECT_EQ(trace, expected);
}

}  // namespace weft::aio
