#include "aio/task/task.h"

#include <set>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/simulated/simulation.h"
#include "aio/sync/shield.h"
#include "aio/sync/timeout.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "base/log.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

Co<int> answer() {
    co_return 42;
}

Co<int> add(int a, int b) {
    co_await sleep(1ms);
    co_return a + b;
}

Co<> fail(std::string what) {
    co_await sleep(1ms);
    throw Error(what);
}

Co<> note(std::vector<std::string>& log, std::string word) {
    log.push_back(std::move(word));
    co_return;
}

}  // namespace

TEST(Run, A29GivesTheResultOfTheCoroutine) {
    EXPECT_EQ(run(answer()), 42);
    EXPECT_EQ(run(add(1, 2)), 3);
}

TEST(Run, A42PassesTheExceptionOut) {
    EXPECT_THROW(run(fail("boom")), Error);
}

TEST(Run, A29RefusesToStartInsideARunningLoop) {
    std::string told;

    run([](std::string& out) -> Co<> {
        try {
            run(answer());
        } catch (const InvalidStateError& error) {
            out = error.what();
        }
        EXPECT_EQ(co_await answer(), 42);  // The outer loop is as it was.
    }(told));

    EXPECT_NE(told.find("inside a running loop: co_await the coroutine instead of run"),
              std::string::npos)
        << told;
}

TEST(Co, A20RunsNothingUntilAwaited) {
    const std::size_t before = frame_pool::live_count();
    std::vector<std::string> log;
    {
        Co<> dropped = note(log, "dropped");
    }
    SimulatedLoop loop;

    loop.run([](std::vector<std::string>& out) -> Co<> {
        Co<> later = note(out, "later");
        out.push_back("before");
        co_await std::move(later);
    }(log));

    EXPECT_EQ(log, (std::vector<std::string>{"before", "later"}));
    EXPECT_EQ(frame_pool::live_count(), before);
}

TEST(Co, AwaitedTwiceSaysWhatToDo) {
    std::string told;
    SimulatedLoop loop;

    loop.run([](std::string& out) -> Co<> {
        Co<int> co = answer();
        co_await std::move(co);
        try {
            co_await std::move(co);
        } catch (const InvalidStateError& error) {
            out = error.what();
        }
        EXPECT_THROW(create_task(std::move(co)), InvalidStateError);
    }(told));

    EXPECT_NE(told.find("awaited twice"), std::string::npos) << told;
    EXPECT_NE(told.find("call the coroutine function again"), std::string::npos) << told;
    EXPECT_NE(told.find("make it a Task"), std::string::npos) << told;
}

TEST(Co, A21AMillionAwaitsInARowUseNoStack) {
    SimulatedLoop loop;

    const int sum = loop.run([]() -> Co<int> {
        int total = 0;
        for (int i = 0; i < 1'000'000; ++i) total += co_await answer() == 42;
        co_return total;
    }());

    EXPECT_EQ(sum, 1'000'000);
}

TEST(Co, A21AHundredThousandNestedAwaitsUseNoStack) {
    struct Nest {
        static Co<int> descend(int depth) {
            if (depth == 0) co_return 0;
            const int below = co_await descend(depth - 1);
            co_return below + 1;
        }
    };
    SimulatedLoop loop;

    EXPECT_EQ(loop.run(Nest::descend(100'000)), 100'000);
}

TEST(Task, A27StartsInTheNextRoundNeverInline) {
    std::vector<std::string> log;
    SimulatedLoop loop;

    loop.run([](std::vector<std::string>& out) -> Co<> {
        Task<> task = create_task(note(out, "task"));
        out.push_back("created");
        EXPECT_FALSE(task.done());
        co_await task;
        EXPECT_TRUE(task.done());
    }(log));

    EXPECT_EQ(log, (std::vector<std::string>{"created", "task"}));
}

TEST(Task, A27OutsideALoopIsAnErrorThatSaysWhatToDo) {
    EXPECT_THROW(static_cast<void>(create_task(answer())), NoRunningLoop);
}

TEST(Task, A26KeepsItsResultForManyWaiters) {
    SimulatedLoop loop;

    loop.run([]() -> Co<> {
        Task<int> task = create_task(add(20, 22));
        const int first = co_await task;
        const int second = co_await task;
        EXPECT_EQ(first, 42);
        EXPECT_EQ(second, 42);
        EXPECT_EQ(task.result(), 42);
    }());
}

TEST(Task, A26IsDoneOnlyWhenItsCoroutineHasEnded) {
    SimulatedLoop loop;

    loop.run([]() -> Co<> {
        const auto two_steps = []() -> Co<int> {
            co_await sleep(1s);
            co_await sleep(1s);
            co_return 2;
        };
        const Task<int> task = create_task(two_steps());
        co_await sleep(1500ms);
        EXPECT_FALSE(task.done());
        EXPECT_THROW(task.result(), InvalidStateError);
        co_await task;
        EXPECT_TRUE(task.done());
        EXPECT_EQ(task.result(), 2);
        EXPECT_FALSE(task.cancel());

        const Task<int> ended = create_task(two_steps());
        EXPECT_TRUE(ended.cancel());
        co_await sleep(0s);
        EXPECT_TRUE(ended.done() && ended.cancelled());
        EXPECT_THROW(ended.result(), CancelledError);
    }());
}

TEST(Task, ThatAwaitsItselfIsToldSo) {
    SimulatedLoop loop;

    loop.run([]() -> Co<> {
        Task<> self;
        const auto await_it = [](Task<>& which) -> Co<> { co_await which; };
        self = create_task(await_it(self));
        co_await sleep(1s);
        EXPECT_TRUE(self.done());
        EXPECT_EQ(describe(self.exception()), "a task awaits itself: it would wait for ever");
    }());
}

// Its exception was reported to a loop that was no more.
TEST(Task, AHandleMayOutliveItsLoop) {
    Task<> kept;
    {
        SimulatedLoop loop;
        loop.run([](Task<>& out) -> Co<> {
            const auto failing = []() -> Co<> {
                throw Error("nobody asked");
                co_return;
            };
            out = create_task(failing());
            co_await sleep(1s);
        }(kept));
    }
    std::string logged;
    set_log_sink([&](LogLevel, std::string_view message) { logged += message; });

    kept = {};

    set_log_sink(nullptr);
    EXPECT_NE(logged.find("nobody asked"), std::string::npos) << logged;
}

TEST(Task, A19WhatHappensBetweenAwaitsIsAtomic) {
    SimulatedLoop loop;
    std::set<int> seen;
    int duplicates = 0;

    loop.run([](std::set<int>& known, int& twice) -> Co<> {
        const auto work = [](int number, std::set<int>& all, int& again) -> Co<> {
            for (int i = 0; i < 20; ++i) {
                const int url = (number * 7 + i * 13) % 500;
                co_await sleep((url % 5) * 1ms);
                if (all.contains(url)) continue;  // No lock: nobody runs between these lines.
                const bool is_new = all.insert(url).second;
                if (!is_new) ++again;
            }
        };
        std::vector<Co<>> workers;
        for (int i = 0; i < 1'000; ++i) workers.push_back(work(i, known, twice));
        co_await gather(std::move(workers));
    }(seen, duplicates));

    EXPECT_EQ(seen.size(), 500u);
    EXPECT_EQ(duplicates, 0);
}

TEST(Run, A42AStoppedLoopSaysThatTheCoroutineHasNotEnded) {
    const auto stop = []() -> Co<> {
        get_running_loop().stop();
        co_await sleep(1h);
    };
    EXPECT_THROW(run(stop()), InvalidStateError);
    SimulatedLoop loop;
    EXPECT_THROW(loop.run(stop()), InvalidStateError);
}

TEST(Task, GivesAMoveOnlyResult) {
    SimulatedLoop loop;

    const std::unique_ptr<int> value = loop.run([]() -> Co<std::unique_ptr<int>> {
        Task<std::unique_ptr<int>> task =
            create_task([]() -> Co<std::unique_ptr<int>> { co_return std::make_unique<int>(7); }());
        co_return co_await std::move(task);
    }());

    EXPECT_EQ(*value, 7);
}

TEST(Task, A18AHundredThousandInstancesKeepTheirOwnLocals) {
    const auto own = [](std::size_t id, std::vector<std::size_t>& out) -> Co<> {
        const std::size_t mine = id * 2;
        co_await sleep(0s);
        out[id] = mine;
    };
    SimulatedLoop loop;
    std::vector<std::size_t> results(100'000);

    loop.run([](auto start, std::vector<std::size_t>& out) -> Co<> {
        std::vector<Task<>> tasks;
        for (std::size_t i = 0; i < out.size(); ++i) tasks.push_back(create_task(start(i, out)));
        for (Task<>& task : tasks) co_await task;
    }(own, results));

    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], i * 2);
}

TEST(Sleep, A30TasksThatGiveWayInterleaveStrictly) {
    std::string log;
    const auto count = [](std::string& out, char name) -> Co<> {
        for (int i = 0; i <= 5; ++i) {
            out += name;
            out += static_cast<char>('0' + i);
            co_await sleep(0s);
        }
    };
    SimulatedLoop loop;

    loop.run([](auto counter, std::string& out) -> Co<> {
        std::vector<Task<>> tasks;
        for (char name : std::string("abcd")) tasks.push_back(create_task(counter(out, name)));
        for (Task<>& task : tasks) co_await task;
    }(count, log));

    EXPECT_EQ(log, "a0b0c0d0a1b1c1d1a2b2c2d2a3b3c3d3a4b4c4d4a5b5c5d5");
}

TEST(Task, AnExceptionNobodyAskedForReachesTheHandler) {
    std::vector<std::string> reports;
    SimulatedLoop loop;
    loop.loop().set_exception_handler([&](const std::string& what, std::exception_ptr exception) {
        reports.push_back(what + ": " + describe(exception));
    });

    loop.run([]() -> Co<> {
        static_cast<void>(create_task(fail("lost")));
        co_await sleep(10ms);
    }());

    EXPECT_EQ(reports, (std::vector<std::string>{"an exception was never retrieved: lost"}));
}

// It ended the process.
TEST(Task, AnExceptionHandlerThatThrowsIsLoggedAndTheLoopGoesOn) {
    std::string logged;
    set_log_sink([&](LogLevel, std::string_view message) { logged.append(message) += '\n'; });
    SimulatedLoop loop;
    loop.loop().set_exception_handler(
        [](const std::string&, std::exception_ptr) { throw Error("the disk is full"); });

    const int got = loop.run([]() -> Co<int> {
        static_cast<void>(create_task(fail("lost")));
        co_await sleep(10ms);
        co_return co_await answer();
    }());
    set_log_sink(nullptr);

    EXPECT_EQ(got, 42);
    EXPECT_EQ(logged,
              "an exception was never retrieved: lost\n"
              "the exception handler failed: the disk is full\n");
}

TEST(Task, A17StackNamesEachPendingAwait) {
    struct Chain {
        static Co<> inner() { co_await sleep(1h); }
        static Co<> outer() { co_await inner(); }
    };
    SimulatedLoop loop;

    const std::string stack = loop.run([]() -> Co<std::string> {
        Task<> task = create_task(Chain::outer());
        co_await sleep(1s);
        std::string text = task.print_stack();
        task.cancel();
        co_return text;
    }());

    EXPECT_NE(stack.find("task_test.cpp"), std::string::npos) << stack;
    EXPECT_LT(stack.find("inner"), stack.find("outer")) << stack;
}

TEST(Task, A17AnExceptionKnowsTheAwaitsItCameThrough) {
    struct Chain {
        static Co<> parse() {
            co_await sleep(1ms);
            throw Error("bad page");
        }
        static Co<> fetch() { co_await parse(); }
        static Co<std::string> work() {
            try {
                co_await fetch();
            } catch (const Error&) {
                co_return format_stack(current_task()->exception_stack());
            }
            co_return "";
        }
    };
    SimulatedLoop loop;

    const std::string stack = loop.run(Chain::work());

    EXPECT_LT(stack.find("parse"), stack.find("fetch")) << stack;
    EXPECT_LT(stack.find("fetch"), stack.find("work")) << stack;
}

TEST(Task, OneThatGoesFirstRunsBeforeOthersThatAreReadyAndSoDoThoseItMakes) {
    struct Order {
        static Co<> say(std::string& said, char word) {
            said += word;
            co_await yield_now();
            said += word;
        }
        static Co<> hurry(std::string& said) {
            current_task()->go_first();
            co_await yield_now();
            const Task<> a = create_task(say(said, 'a'));
            const Task<> b = create_task(say(said, 'b'));
            co_await a;
            co_await b;
        }
    };
    std::string said;

    SimulatedLoop().run([](std::string& words) -> Co<> {
        const Task<> hurried = create_task(Order::hurry(words));
        const Task<> x = create_task(Order::say(words, 'x'));
        const Task<> y = create_task(Order::say(words, 'y'));
        co_await hurried;
        co_await x;
        co_await y;
    }(said));

    EXPECT_EQ(said, "ababxyxy");
}

TEST(Simulation, A48TheChessExhibitionTakesOneHourOfHerTime) {
    struct Exhibition {
        static Co<> table(Duration& her_time, bool interleaved) {
            for (int move = 0; move < 30; ++move) {
                co_await sleep(5s);
                her_time += 5s;
                if (!interleaved) co_await sleep(55s);
            }
        }
        static Co<> one_after_another(Duration& her_time) {
            for (int i = 0; i < 24; ++i) co_await table(her_time, false);
        }
    };
    SimulatedLoop loop;
    Duration her_time{};

    loop.run(Exhibition::one_after_another(her_time));

    EXPECT_EQ(loop.now(), 43'200s);
    EXPECT_EQ(her_time, 3'600s);
}

TEST(Simulation, SaysWhereEachTaskWaitsWhenNothingCanHappen) {
    SimulatedLoop loop;

    try {
        loop.run([]() -> Co<> { co_await create_future<>(); }());
        FAIL() << "the loop should have found the deadlock";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("task_test.cpp"), std::string::npos);
    }
}

// The result was moved out of the task, though others had handles to it.
TEST(Task, ItsResultStaysForEveryHandle) {
    const auto text = []() -> Co<std::string> {
        co_await sleep(1s);
        co_return "a result that is too long for the string itself";
    };
    simulate([&]() -> Co<> {
        const std::string expected = co_await text();
        Task<std::string> task = create_task(text());
        EXPECT_EQ(co_await wait_for(task, 1h), expected);
        auto [first, second] = co_await gather(task, text());
        EXPECT_EQ(first, expected);
        EXPECT_EQ(co_await ensure_future(task), expected);
        EXPECT_EQ(co_await shield(task), expected);
        EXPECT_EQ(co_await Task<std::string>(task), expected);
        EXPECT_EQ(task.result(), expected);
        EXPECT_EQ(task.result(), expected);
    });
}

TEST(Task, AResultThatCannotBeCopiedIsGivenOnce) {
    const auto make = []() -> Co<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
    simulate([&]() -> Co<> {
        Task<std::unique_ptr<int>> task = create_task(make());
        const std::unique_ptr<int> number = co_await wait_for(task, 1h);
        EXPECT_EQ(*number, 7);
        EXPECT_THROW(static_cast<void>(task.result()), InvalidStateError);
        EXPECT_THROW(co_await task, InvalidStateError);
    });
}

}  // namespace weft::aio
