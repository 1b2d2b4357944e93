// The end of a loop: it comes, whatever callbacks and tasks do about it.
#include <algorithm>
#include <atomic>
#include <ctime>
#include <thread>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/loop/threadsafe.h"
#include "aio/sync/event.h"
#include "aio/sync/shielded.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

struct Again {
    EventLoop& loop;
    void operator()() const { loop.call_soon(Again{loop}); }
};

Co<> endless() {
    Event never;
    co_await never.wait();
}

// Runs `body` in virtual time; what the loop reported.
template <class Body>
std::vector<std::string> reports_of(Body body) {
    std::vector<std::string> reports;
    SimulatedLoop loop;
    loop.loop().set_exception_handler([&](const std::string& what, std::exception_ptr exception) {
        reports.push_back(what + ": " + describe(exception));
    });
    loop.run(body());
    return reports;
}

}  // namespace

// Closing waited until nothing was ready.
TEST(Closing, ACallbackThatAlwaysComesAgainIsDropped) {
    run([]() -> Co<> {
        EventLoop::running().call_soon(Again{EventLoop::running()});
        co_return;
    }());
    simulate([]() -> Co<> {
        EventLoop::running().call_soon(Again{EventLoop::running()});
        co_return;
    });
}

// Closing waited for the task that the clean-up had made.
TEST(Closing, TasksThatACleanUpMadeAreCancelledToo) {
    simulate([]() -> Co<> {
        create_task([]() -> Co<> {
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                create_task(endless());
                throw;
            }
        }());
        co_await sleep(1s);
    });
}

TEST(Closing, WhatACleanUpAwaitsIsWaitedFor) {
    std::string log;
    simulate([&]() -> Co<> {
        create_task([](std::string& out) -> Co<> {
            bool was_cancelled = false;
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                was_cancelled = true;
            }
            Task<> helper = create_task([](std::string& words) -> Co<> {
                co_await sleep(3s);
                words += "helped ";
            }(out));
            co_await helper;
            if (was_cancelled) out += "cleaned up";
        }(log));
        co_await sleep(1s);
    });
    EXPECT_EQ(log, "helped cleaned up");
}

TEST(Closing, CoroutinesOfOtherThreadsDoNotKeepItOpen) {
    std::atomic<bool> over = false;
    Runner runner;
    EventLoop& loop = runner.get_loop();
    std::thread other([&] {
        while (!over) {
            static_cast<void>(run_coroutine_threadsafe([]() -> Co<> { co_await endless(); }, loop));
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    });
    runner.run([]() -> Co<> {
        create_task([]() -> Co<> {
            bool was_cancelled = false;
            try {
                co_await endless();
            } catch (const CancelledError&) {
                was_cancelled = true;
            }
            if (was_cancelled) co_await sleep(20ms);
        }());
        co_await sleep(5ms);
    }());

    runner.close();

    over = true;
    other.join();
    EXPECT_EQ(loop.task_count(), 0u);
}

// Closing waited for ever; in virtual time the deadlock was thrown out of run().
TEST(Closing, TasksThatWillNotEndAreGivenUpAndNamed) {
    int requests = 0;
    const std::vector<std::string> reports = reports_of([&]() -> Co<> {
        create_task(
            [](int& count) -> Co<> {
                for (Event never;;) {
                    try {
                        co_await never.wait();
                    } catch (const CancelledError&) {
                        ++count;
                    }
                }
            }(requests),
            "stubborn");
        create_task(shielded(endless()), "shielded");
        co_await sleep(1s);
    });

    EXPECT_EQ(requests, 2);
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_NE(reports[0].find("would not end"), std::string::npos) << reports[0];
    EXPECT_NE(reports[0].find("stubborn"), std::string::npos) << reports[0];
    EXPECT_EQ(reports[0].find("clean-up"), std::string::npos) << reports[0];
}

TEST(Closing, TasksThatAlwaysMakeAnotherAreGivenUp) {
    struct Chain {
        static Co<> link() {
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                create_task(link(), "link");
            }
            co_await sleep(1s);  // Until the other has begun.
        }
    };
    const std::vector<std::string> reports = reports_of([]() -> Co<> {
        create_task(Chain::link());
        co_await sleep(1s);
    });

    ASSERT_EQ(reports.size(), 1u);
    EXPECT_NE(reports[0].find("link"), std::string::npos) << reports[0];
}

// The task lived on in a loop that was gone: an assertion ended the process.
TEST(Closing, ALateCallbackCannotMakeATask) {
    const std::vector<std::string> reports = reports_of([]() -> Co<> {
        EventLoop& loop = EventLoop::running();
        loop.call_soon([&loop] {
            loop.call_soon([&loop] { loop.call_soon([] { create_task(endless()); }); });
        });
        co_return;
    });

    ASSERT_EQ(reports.size(), 1u);
    EXPECT_NE(reports[0].find("the loop is closing"), std::string::npos) << reports[0];
}

TEST(Closing, ALoopMayBeUsedAgainAfterwards) {
    SimulatedLoop loop;
    for (int i = 0; i < 3; ++i) {
        const int answer = loop.run([]() -> Co<int> {
            create_task(endless());
            co_await sleep(1s);
            EventLoop::running().call_soon(Again{EventLoop::running()});
            co_return 42;
        }());
        EXPECT_EQ(answer, 42);
    }
}

namespace {

// The CPU time of closing a loop in which so many tasks wait for each other.
std::clock_t close_chain(int length) {
    const std::clock_t start = std::clock();
    simulate([length]() -> Co<> {
        const auto link = [](Task<> next) -> Co<> { co_await next; };
        Task<> last = create_task(endless());
        for (int i = 0; i < length; ++i) last = create_task(link(last));
        co_await sleep(1s);
    });
    return std::clock() - start;
}

}  // namespace

// A walk along the chain for each of its tasks took 100 times as long for ten times the tasks.
TEST(Closing, AChainOfTasksIsCancelledInOneGo) {
    const std::clock_t least = CLOCKS_PER_SEC / 100;

    const std::clock_t few = std::max(close_chain(4'000), least);
    const std::clock_t many = close_chain(40'000);

    EXPECT_LT(many, 40 * few);
}

}  // namespace weft::aio
