#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "aio/loop/debug.h"
#include "aio/loop/executor.h"
#include "aio/loop/run.h"
#include "aio/loop/threadsafe.h"
#include "aio/process/signals.h"
#include "aio/sync/queue.h"
#include "aio/task/frame_pool.h"
#include "aio/task/future.h"
#include "aio/task/sleep.h"
#include "base/log.h"

namespace weft::aio {
namespace {

Co<int> next_of(int& counter) {
    co_await sleep(0s);
    co_return ++counter;
}

Co<> wait_for_ever(bool& was_cancelled) {
    try {
        co_await sleep(1h);
    } catch (const CancelledError&) {
        was_cancelled = true;
        throw;
    }
}

// What the log got while this lived.
class LogCapture {
public:
    LogCapture() {
        set_log_sink([this](LogLevel, std::string_view message) { text_ += message; });
    }
    ~LogCapture() { set_log_sink(nullptr); }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace

TEST(Runner, RunsSeveralCoroutinesOnOneLoop) {
    const std::size_t before = frame_pool::live_count();
    int counter = 0;
    bool was_cancelled = false;
    {
        Runner runner;
        EventLoop& loop = runner.get_loop();
        const auto leave_task = [](bool& flag) -> Co<> {
            static_cast<void>(create_task(wait_for_ever(flag)));
            co_await sleep(0s);
        };

        EXPECT_EQ(runner.run(next_of(counter)), 1);
        runner.run(leave_task(was_cancelled));
        EXPECT_EQ(runner.run(next_of(counter)), 2);

        EXPECT_EQ(&loop, &runner.get_loop());
        EXPECT_FALSE(was_cancelled);
        runner.close();
        EXPECT_TRUE(was_cancelled);
        EXPECT_THROW(runner.get_loop(), InvalidStateError);
    }

    EXPECT_EQ(frame_pool::live_count(), before);
}

TEST(Runner, TheFirstInterruptCancelsTheMainTask) {
    bool was_cancelled = false;
    const auto interrupted = [](bool& flag) -> Co<> {
        EventLoop::running().call_soon([] { ::raise(SIGINT); });
        co_await wait_for_ever(flag);
    };

    EXPECT_THROW(run(interrupted(was_cancelled)), KeyboardInterrupt);

    EXPECT_TRUE(was_cancelled);
}

TEST(Runner, ATaskMaySwallowTheInterruptOnPurpose) {
    const auto polite = []() -> Co<int> {
        bool was_cancelled = false;
        EventLoop::running().call_soon([] { ::raise(SIGINT); });
        try {
            co_await wait_for_ever(was_cancelled);
        } catch (const CancelledError&) {
            current_task()->uncancel();
        }
        co_return 3;
    };

    EXPECT_EQ(run(polite()), 3);
}

TEST(RunnerDeathTest, TheSecondInterruptEndsTheProcess) {
    const auto stubborn = []() -> Co<> {
        for (;;) {
            bool was_cancelled = false;
            EventLoop::running().call_soon([] { ::raise(SIGINT); });
            try {
                co_await wait_for_ever(was_cancelled);
            } catch (const CancelledError&) {
                // Goes on.
            }
        }
    };

    EXPECT_EXIT(run(stubborn()), testing::KilledBySignal(SIGINT), "");
}

TEST(Signals, AwaitedGivesTheNumberAndPutsTheMeaningBack) {
    struct sigaction before{};
    ::sigaction(SIGTERM, nullptr, &before);

    const int signal = run([]() -> Co<int> {
        EventLoop::running().call_later(1ms, [] { ::raise(SIGTERM); });
        co_return co_await signals({SIGUSR2, SIGTERM});
    }());

    struct sigaction after{};
    ::sigaction(SIGTERM, nullptr, &after);
    EXPECT_EQ(signal, SIGTERM);
    EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(Signals, AQueuedCallAfterTheHandlerDiedDoesNothing) {
    int calls = 0;

    run([](int& count) -> Co<> {
        std::unique_ptr<SignalHandler> handler;
        handler = std::make_unique<SignalHandler>(SIGUSR1, [&] {
            ++count;
            handler.reset();
        });
        for (int i = 0; i < 200; ++i) ::raise(SIGUSR1);
        while (count == 0) co_await sleep(1ms);
        co_await sleep(5ms);
    }(calls));

    EXPECT_EQ(calls, 1);
}

TEST(Signals, AnInnerHandlerGivesTheSignalBackToTheOuter) {
    std::string log;

    run([](std::string& out) -> Co<> {
        const SignalHandler outer(SIGUSR1, [&] { out += 'o'; });
        {
            const SignalHandler inner(SIGUSR1, [&] { out += 'i'; });
            ::raise(SIGUSR1);
            co_await sleep(5ms);
        }
        ::raise(SIGUSR1);
        co_await sleep(5ms);
    }(log));

    EXPECT_EQ(log, "io");
}

TEST(Threadsafe, RunsACoroutineOfAnotherThreadAndGivesItsResult) {
    std::future<int> result;
    std::future<void> failure;

    run([&]() -> Co<> {
        Future<> called = create_future<>();
        EventLoop& loop = EventLoop::running();
        std::thread other([&] {
            result = run_coroutine_threadsafe(
                []() -> Co<int> {
                    co_await sleep(1ms);
                    co_return 42;
                },
                loop);
            failure = run_coroutine_threadsafe(
                []() -> Co<> {
                    throw Error("boom");
                    co_return;
                },
                loop);
            result.wait();
            failure.wait();
            loop.call_soon_threadsafe([called] { called.set_result(); });
        });
        co_await called;
        other.join();
    }());

    EXPECT_EQ(result.get(), 42);
    EXPECT_THROW(failure.get(), Error);
}

namespace {

Co<std::string> fetch_in_loop(std::string url, int tries) {
    co_await sleep(1ms);
    co_return url + " after " + std::to_string(tries);
}

}  // namespace

TEST(Threadsafe, TakesAFunctionWithItsArgumentsOrALambdaThatReturnsACoroutine) {
    std::future<std::string> with_arguments;
    std::future<std::string> by_lambda;

    run([&]() -> Co<> {
        EventLoop& loop = EventLoop::running();
        co_await to_thread([&] {
            with_arguments = run_coroutine_threadsafe(fetch_in_loop, loop, std::string("/a"), 3);
            const auto work = [] [[clang::coro_wrapper]] () -> Co<std::string> {
                return fetch_in_loop("/b", 1);
            };
            by_lambda = run_coroutine_threadsafe(work, loop);
            with_arguments.wait();
            by_lambda.wait();
        });
    }());

    EXPECT_EQ(with_arguments.get(), "/a after 3");
    EXPECT_EQ(by_lambda.get(), "/b after 1");
}

namespace {

Co<> parse_slowly() {
    co_await sleep(0s);
    std::this_thread::sleep_for(3ms);  // tidy: allow sleep: a step that is slow
}

Co<> fetch_and_parse(bool goes_on) {
    co_await parse_slowly();
    if (goes_on) co_await sleep(0s);
}

}  // namespace

TEST(Debug, A17AStepThatHoldsTheLoopUpIsReportedWithItsChainOfAwaits) {
    for (const bool goes_on : {true, false}) {
        const LogCapture log;

        run(fetch_and_parse(goes_on), {.debug = true, .slow_step = 2ms});

        const std::string& text = log.text();
        std::size_t at = 0;
        for (const std::string_view part :
             {"main held the loop up for ",
              " ms: give way with sleep(0s), or use to_thread()\nfrom\n",
              "  runner_test.cpp:", " in ", "parse_slowly", "\n  runner_test.cpp:", " in ",
              "fetch_and_parse", "\nto\n"}) {
            at = text.find(part, at);
            ASSERT_NE(at, std::string::npos) << part << "\n" << text;
        }
        const std::string end = text.substr(at);
        EXPECT_NE(end.find(goes_on ? "fetch_and_parse" : "its end"), std::string::npos) << text;
    }
}

TEST(Debug, A17TheLimitOfAStepIsTenMilliseconds) {
    EXPECT_EQ(RunOptions().slow_step, 10ms);
    const LogCapture log;

    run(
        []() -> Co<> {
            co_await sleep(0s);
            std::this_thread::sleep_for(11ms);  // tidy: allow sleep: a step that is slow
            co_await sleep(0s);
        }(),
        {.debug = true});

    EXPECT_NE(log.text().find("main held the loop up for "), std::string::npos) << log.text();
}

TEST(Debug, ReportsATaskThatAteACancellation) {
    const auto eater = []() -> Co<> {
        try {
            co_await sleep(1h);
        } catch (const CancelledError&) {
            // Goes on as if nothing was.
        }
    };
    const auto honest = []() -> Co<> {
        try {
            co_await sleep(1h);
        } catch (const CancelledError&) {
            current_task()->uncancel();
        }
    };
    const LogCapture log;

    run(
        [](auto first, auto second) -> Co<> {
            Task<> eating = create_task(first(), "eater");
            Task<> telling = create_task(second(), "honest");
            co_await sleep(0s);
            eating.cancel();
            telling.cancel();
            co_await sleep(1ms);
        }(eater, honest),
        {.debug = true});

    EXPECT_NE(log.text().find("eater was cancelled but went on to its end: whoever catches "
                              "CancelledError rethrows it, or calls uncancel()"),
              std::string::npos)
        << log.text();
    EXPECT_EQ(log.text().find("honest"), std::string::npos) << log.text();
}

TEST(Debug, ReportsACoroutineThatWasNeverAwaited) {
    int counter = 0;
    const LogCapture log;

    set_debug_by_default(true);
    {
        Co<int> dropped = next_of(counter);
    }
    set_debug_by_default(false);

    EXPECT_NE(log.text().find("never awaited, so it did not run: co_await it or give it to "
                              "create_task()"),
              std::string::npos)
        << log.text();
    EXPECT_NE(log.text().find("next_of"), std::string::npos) << log.text();
}

TEST(Debug, ReportsATaskThatAnotherThreadWoke) {
    const LogCapture log;

    run(
        []() -> Co<> {
            Queue<int> queue;
            Task<int> getter = create_task(
                [](Queue<int>& from) -> Co<int> { co_return co_await from.get(); }(queue));
            co_await sleep(0s);
            // The loop stands still meanwhile, so that nothing is raced for.
            std::thread([&] { queue.put_nowait(7); }).join();
            const int got = co_await getter;
            EXPECT_EQ(got, 7);
        }(),
        {.debug = true});

    EXPECT_NE(log.text().find("a loop was used from another thread"), std::string::npos)
        << log.text();
    EXPECT_NE(log.text().find("put_nowait()"), std::string::npos) << log.text();
}

TEST(Debug, A17DumpsAllTasksOnSignal) {
    const LogCapture log;

    run(
        []() -> Co<> {
            bool was_cancelled = false;
            Task<> task = create_task(wait_for_ever(was_cancelled), "sleeper");
            co_await sleep(0s);
            ::raise(SIGUSR1);
            co_await sleep(5ms);
            task.cancel();
            co_await sleep(0s);
        }(),
        {.debug = true});

    EXPECT_NE(log.text().find("2 tasks"), std::string::npos) << log.text();
    EXPECT_NE(log.text().find("sleeper"), std::string::npos) << log.text();
    EXPECT_NE(log.text().find("wait_for_ever"), std::string::npos) << log.text();
}

TEST(EventLoop, FreesTimersThatNeverCameDue) {
    const auto owned = std::make_shared<int>(1);

    run([](std::shared_ptr<int> held) -> Co<> {
        EventLoop::running().call_later(1h, [held] {});
        co_return;
    }(owned));

    EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace weft::aio
