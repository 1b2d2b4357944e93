#include "aio/sync/timeout.h"

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "aio/task/with.h"
#include "support/counting_selector.h"
#include "support/simulate.h"

// What asyncio promises of timeouts, in virtual time.
namespace weft::aio {
namespace {

Co<> sleep_time(Duration duration) {
    co_await sleep(duration);
}

Co<int> value_after(Duration duration) {
    co_await sleep(duration);
    co_return 1;
}

// Does not let itself be cancelled.
Co<int> refuse(Duration duration) {
    for (const TimePoint end = EventLoop::running().time() + duration;;) {
        try {
            co_await sleep(end - EventLoop::running().time());
            co_return 2;
        } catch (const CancelledError&) {
            // Once more.
        }
    }
}

}  // namespace

TEST(Timeout, DoesNothingToABodyThatEndsInTime) {
    simulate([]() -> Co<> {
        co_await with(timeout(10s), [](Timeout& deadline) -> Co<> {
            EXPECT_EQ(deadline.deadline(), TimePoint(10s));
            co_await sleep(1s);
            EXPECT_FALSE(deadline.expired());
        });
        co_await sleep(1h);  // The timer is gone.
        EXPECT_EQ(current_task()->cancelling(), 0);
    });
}

TEST(Timeout, InThePastEndsTheFirstAwait) {
    simulate([]() -> Co<> {
        bool reached = false;
        const bool timed_out =
            co_await throws<TimeoutError>(with(timeout(-1s), [&](Timeout&) -> Co<> {
                co_await sleep(1h);
                reached = true;
            }));
        EXPECT_TRUE(timed_out);
        EXPECT_FALSE(reached);
        EXPECT_EQ(elapsed(), 0s);
    });
}

TEST(Timeout, OfNoneNeverEnds) {
    simulate([]() -> Co<> {
        co_await with(timeout_at(std::nullopt), [](Timeout& deadline) -> Co<> {
            EXPECT_EQ(deadline.deadline(), std::nullopt);
            co_await sleep(1000h);
        });
    });
}

TEST(Timeout, AtAMomentEndsThen) {
    simulate([]() -> Co<> {
        const TimePoint when = EventLoop::running().time() + 7s;
        const bool timed_out = co_await throws<TimeoutError>(
            with(timeout_at(when), [](Timeout&) -> Co<> { co_await sleep(1h); }));
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(elapsed(), 7s);
    });
}

TEST(Timeout, TheInnerOneIsATimeoutErrorInsideTheOuter) {
    simulate([]() -> Co<> {
        co_await with(timeout(1h), [](Timeout& outer) -> Co<> {
            const bool timed_out = co_await throws<TimeoutError>(
                with(timeout(1s), [](Timeout&) -> Co<> { co_await sleep(2h); }));
            EXPECT_TRUE(timed_out);
            EXPECT_FALSE(outer.expired());
            co_await sleep(1s);  // Goes on unharmed.
        });
        EXPECT_EQ(elapsed(), 2s);
    });
}

TEST(Timeout, BothPassingAtOnceIsATimeoutOfTheOuter) {
    simulate([]() -> Co<> {
        bool inner_timed_out = false;
        const bool outer_timed_out =
            co_await throws<TimeoutError>(with(timeout(1s), [&](Timeout&) -> Co<> {
                try {
                    co_await with(timeout(1s), [](Timeout&) -> Co<> { co_await sleep(1h); });
                } catch (const TimeoutError&) {
                    inner_timed_out = true;
                    throw;
                }
            }));
        EXPECT_TRUE(outer_timed_out);
        EXPECT_EQ(current_task()->cancelling(), 0);
        static_cast<void>(inner_timed_out);  // Either may be named, as in asyncio.
    });
}

TEST(Timeout, AnErrorOfTheBodyStaysThatErrorThoughTimeIsUp) {
    simulate([]() -> Co<> {
        const bool is_own_error =
            co_await throws<InvalidStateError>(with(timeout(1s), [](Timeout&) -> Co<> {
                try {
                    co_await sleep(1h);
                } catch (const CancelledError&) {
                    throw InvalidStateError("while ending");
                }
            }));
        EXPECT_TRUE(is_own_error);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });
}

TEST(Timeout, ACancellationFromOutsideWinsOverAPassedDeadline) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            co_await with(timeout(2s), [](Timeout&) -> Co<> { co_await sleep(1h); });
        }());
        get_running_loop().call_later(2s, [task] { task.cancel(); });
        co_await sleep(3s);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(Timeout, ADeadlineThatWasCaughtDoesNotColourALaterCancellation) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            try {
                auto deadline = co_await timeout(1s);
                co_await sleep(1h);
            } catch (const CancelledError&) {
                // The scope has ended; a handler in the same coroutine sees this.
            }
            co_await sleep(1h);
        }());
        co_await sleep(2s);
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(Timeout, ATaskGroupInsideEndsAndLeavesNoCancellation) {
    simulate([]() -> Co<> {
        Task<> member;
        const bool timed_out =
            co_await throws<TimeoutError>(with(timeout(1s), [&](Timeout&) -> Co<> {
                co_await task_group([&](TaskGroup& group) -> Co<> {
                    member = group.create_task(sleep_time(1h));
                    co_await sleep(2h);
                });
            }));
        EXPECT_TRUE(timed_out);
        EXPECT_TRUE(member.cancelled());
        EXPECT_EQ(current_task()->cancelling(), 0);
        co_await sleep(1s);
    });
}

TEST(Timeout, InsideATaskOfAGroupIsThatTasksError) {
    simulate([]() -> Co<> {
        std::size_t errors = 0;
        try {
            co_await task_group([](TaskGroup& group) -> Co<> {
                group.create_task(wait_for(sleep_time(1h), 1s));
                group.create_task(sleep_time(2h));
                co_return;
            });
        } catch (const ExceptionGroup& group) {
            errors = group.exceptions().size();
        }
        EXPECT_EQ(errors, 1u);
        EXPECT_EQ(elapsed(), 1s);
    });
}

TEST(WaitFor, OfZeroEndsWhatIsNotDone) {
    simulate([]() -> Co<> {
        const bool timed_out = co_await throws<TimeoutError>(wait_for(value_after(1s), 0s));
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(elapsed(), 0s);
    });
}

TEST(WaitFor, WaitsForACancelledCoroutineToEnd) {
    simulate([]() -> Co<> {
        bool cleaned = false;
        const auto slow_to_end = [](bool& flag) -> Co<> {
            bool was_cancelled = false;
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                was_cancelled = true;
            }
            if (!was_cancelled) co_return;
            co_await sleep(5s);
            flag = true;
            throw CancelledError();
        };
        const bool timed_out = co_await throws<TimeoutError>(wait_for(slow_to_end(cleaned), 1s));
        EXPECT_TRUE(timed_out);
        EXPECT_TRUE(cleaned);
        EXPECT_EQ(elapsed(), 6s);
    });
}

TEST(WaitFor, GivesTheResultOfACoroutineThatRefusesToBeCancelled) {
    simulate([]() -> Co<> {
        const int value = co_await wait_for(refuse(10s), 1s);
        EXPECT_EQ(value, 2);
        EXPECT_EQ(elapsed(), 10s);
        EXPECT_EQ(current_task()->cancelling(), 0);
        co_await sleep(1s);  // No cancellation is left behind.
    });
}

TEST(WaitFor, CancelsTheTaskThatItWaitsFor) {
    simulate([]() -> Co<> {
        Task<int> task = create_task(value_after(1h));
        const bool timed_out = co_await throws<TimeoutError>(wait_for(task, 1s));
        EXPECT_TRUE(timed_out);
        EXPECT_TRUE(task.cancelled());

        Task<int> quick = create_task(value_after(1s));
        const int value = co_await wait_for(quick, 1h);
        EXPECT_EQ(value, 1);
    });
}

TEST(WaitFor, CancelledWhenTheResultIsThereThrowsTheCancellation) {
    simulate([]() -> Co<> {
        Future<int> future = create_future<int>();
        Task<int> waiter = create_task(wait_for(future, 1h));
        co_await sleep(1s);
        future.set_result(1);
        waiter.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(waiter.cancelled());  // A request is never lost.
    });
}

// now() + Duration::max() is in the past: the deadline passed at once, and the loop never slept.
TEST(Timeout, ForEverIsForEver) {
    simulate([]() -> Co<> {
        EventLoop& loop = EventLoop::running();
        int calls = 0;
        const Handle later = loop.call_later(Duration::max(), [&] { ++calls; });
        const Handle before = loop.call_at(TimePoint::min(), [&] { calls += 10; });
        Task<> sleeper = create_task([]() -> Co<> { co_await sleep(Duration::max()); }());

        co_await wait_for([]() -> Co<> { co_await sleep(1h); }(), Duration::max());
        auto deadline = co_await timeout(1s);
        deadline.reschedule(Duration::max());
        co_await sleep(1h);

        EXPECT_EQ(elapsed(), 2h);
        EXPECT_EQ(calls, 10);
        EXPECT_FALSE(sleeper.done());
        EXPECT_FALSE(deadline.expired());
        later.cancel();
        sleeper.cancel();
    });
}

TEST(Timeout, NegativeLengthsHavePassed) {
    simulate([]() -> Co<> {
        co_await sleep(Duration::min());
        bool was_late = false;
        try {
            co_await wait_for([]() -> Co<> { co_await sleep(1h); }(), Duration::min());
        } catch (const TimeoutError&) {
            was_late = true;
        }
        EXPECT_TRUE(was_late);
        EXPECT_EQ(elapsed(), 0s);
    });
}

// On a real selector for ever is no number that the kernel would refuse.
TEST(Timeout, ForEverOnEachSelector) {
    for (const char* selector : {"epoll", "io_uring", "poll", "select"}) {
        try {
            tests::run_on_selector(selector, []() -> Co<> {
                Task<> sleeper = create_task([]() -> Co<> { co_await sleep(Duration::max()); }());
                co_await wait_for([]() -> Co<> { co_await sleep(1ms); }(), Duration::max());
                co_await wait_for([]() -> Co<> { co_await sleep(1ms); }(), 24h * 365 * 100);
                EXPECT_FALSE(sleeper.done());
                sleeper.cancel();
            }());
        } catch (const UsageError& error) {
            EXPECT_STREQ(selector, "io_uring") << error.what();
        }
    }
}

}  // namespace weft::aio
