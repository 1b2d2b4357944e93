#include <gtest/gtest.h>

#include "aio/sync/barrier.h"
#include "aio/sync/condition.h"
#include "aio/sync/event.h"
#include "aio/sync/lock.h"
#include "aio/sync/queue.h"
#include "aio/sync/semaphore.h"
#include "aio/sync/shield.h"
#include "aio/sync/timeout.h"
#include "aio/sync/wait_until.h"
#include "aio/task/co_function.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

Co<> sleep_noting(std::vector<std::string>& log, Duration duration) {
    try {
        co_await sleep(duration);
        log.push_back("woke");
    } catch (const CancelledError&) {
        log.push_back("cancelled");
        throw;
    }
}

Co<> fail_after(Duration duration) {
    co_await sleep(duration);
    throw Error("boom");
}

Co<> sleep_long() {
    co_await sleep(1h);
}

Co<> fail_never() {
    co_await sleep(1ms);
}

}  // namespace

TEST(Cancel, A40ThrowsWhereTheTaskWaits) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        Task<> task = create_task(sleep_noting(log, 1h));
        co_await sleep(1s);
        EXPECT_TRUE(task.cancel());
        bool was_thrown = false;
        try {
            co_await task;
        } catch (const CancelledError&) {
            was_thrown = true;
        }
        EXPECT_TRUE(was_thrown);
        EXPECT_TRUE(task.cancelled());
        EXPECT_FALSE(task.cancel());
    });

    EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
}

TEST(Cancel, BeforeTheFirstStepNothingRuns) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        Task<> task = create_task(sleep_noting(log, 1h));
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
    });

    EXPECT_TRUE(log.empty());
}

TEST(Cancel, OfAWaitingTaskReachesTheTaskItAwaits) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        Task<> inner = create_task(sleep_noting(log, 1h));
        Task<> outer = create_task([](Task<> awaited) -> Co<> { co_await awaited; }(inner));
        co_await sleep(1s);
        outer.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(inner.cancelled());
        EXPECT_TRUE(outer.cancelled());
    });
}

// Each passed the request to the next by a call, until the stack was full.
TEST(Cancel, AChainOfAHundredThousandTasksNeedsNoStack) {
    simulate([]() -> Co<> {
        const auto link = [](Task<> next) -> Co<> { co_await next; };
        const auto end = []() -> Co<> { co_await sleep(1h); };
        Task<> first = create_task(end());
        for (int i = 0; i < 100'000; ++i) first = create_task(link(first));
        co_await sleep(1s);
        first.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(first.cancelled());
        EXPECT_EQ(all_tasks().size(), 1u);
    });
}

TEST(Cancel, ACircleOfTasksThatWaitForEachOtherIsBroken) {
    simulate([]() -> Co<> {
        const auto wait = [](Task<>& other) -> Co<> { co_await other; };
        Task<> lead;
        Task<> one;
        Task<> other;
        one = create_task(wait(other));
        other = create_task(wait(one));
        lead = create_task(wait(one));
        co_await sleep(1s);
        lead.cancel();
        EXPECT_EQ(lead.cancelling(), 1);
        EXPECT_EQ(one.cancelling(), 1);
        EXPECT_EQ(other.cancelling(), 1);
        co_await sleep(1s);
        EXPECT_TRUE(lead.cancelled() && one.cancelled() && other.cancelled());
    });
}

TEST(Shield, KeepsTheAwaitedTaskAlive) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        Task<> inner = create_task(sleep_noting(log, 10s));
        Task<> outer = create_task([](Task<> awaited) -> Co<> { co_await shield(awaited); }(inner));
        co_await sleep(1s);
        outer.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(outer.cancelled());
        EXPECT_FALSE(inner.done());
        co_await inner;
    });

    EXPECT_EQ(log, (std::vector<std::string>{"woke"}));
}

TEST(Timeout, BecomesTimeoutErrorAtTheEdgeOfItsCoroutine) {
    std::vector<std::string> log;
    const auto slow = [](std::vector<std::string>& out) -> Co<> {
        auto deadline = co_await timeout(4s);
        co_await sleep_noting(out, 1h);
    };

    simulate([&]() -> Co<> {
        bool timed_out = false;
        try {
            co_await slow(log);
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });

    EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
}

TEST(Timeout, TheOuterOneEndsTheInnerAsACancellation) {
    std::vector<std::string> log;
    const auto inner = [](std::vector<std::string>& out) -> Co<> {
        auto deadline = co_await timeout(1h);
        co_await sleep_noting(out, 2h);
    };
    const auto outer = [&](std::vector<std::string>& out) -> Co<> {
        auto deadline = co_await timeout(1s);
        co_await inner(out);
    };

    simulate([&]() -> Co<> {
        bool timed_out = false;
        try {
            co_await outer(log);
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(EventLoop::running().time().time_since_epoch(), 1s);
    });
}

TEST(Timeout, CanBeMoved) {
    simulate([]() -> Co<> {
        const auto patient = []() -> Co<int> {
            auto deadline = co_await timeout(1s);
            co_await sleep(500ms);
            deadline.reschedule(10s);
            co_await sleep(5s);
            co_return 7;
        };
        const int value = co_await patient();
        EXPECT_EQ(value, 7);
    });
}

TEST(WaitFor, GivesTheResultThatComesInTime) {
    simulate([]() -> Co<> {
        const auto quick = []() -> Co<int> {
            co_await sleep(1s);
            co_return 5;
        };
        const int value = co_await wait_for(quick(), 1s + 1ns);
        EXPECT_EQ(value, 5);
    });
}

TEST(WaitFor, ACancellationFromElsewhereStaysOne) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            std::vector<std::string> log;
            co_await wait_for(sleep_noting(log, 1h), 2h);
        }());
        co_await sleep(1s);
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(Gather, A28GivesResultsInTheOrderOfTheArguments) {
    simulate([]() -> Co<> {
        const auto late = [](int value, Duration delay) -> Co<int> {
            co_await sleep(delay);
            co_return value;
        };
        auto [a, b, c] = co_await gather(late(1, 3s), late(2, 1s), fail_never());
        EXPECT_EQ(a, 1);
        EXPECT_EQ(b, 2);
        static_cast<void>(c);
    });
}

TEST(Gather, A28ResultsOfDifferentTypesSayHowEachEnded) {
    simulate([]() -> Co<> {
        const auto good = []() -> Co<int> {
            co_await sleep(2s);
            co_return 7;
        };
        const auto bad = []() -> Co<> {
            co_await sleep(1s);
            throw Error("boom");
        };
        auto [number, nothing] = co_await gather_results(good(), bad());
        EXPECT_EQ(number.value(), 7);
        EXPECT_EQ(describe(nothing.error()), "boom");
        EXPECT_EQ(elapsed(), 2s);
    });
}

TEST(Gather, A28TheFirstFailureEndsTheOthersAndIsThrown) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        std::string what;
        try {
            co_await gather(sleep_noting(log, 1h), fail_after(1s));
        } catch (const Error& error) {
            what = error.what();
        }
        EXPECT_EQ(what, "boom");
        EXPECT_EQ(EventLoop::running().time().time_since_epoch(), 1s);
    });

    EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
}

TEST(TaskGroup, AFailureCancelsTheSiblingsAndTheBody) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        std::size_t error_count = 0;
        try {
            co_await task_group([&](TaskGroup& group) -> Co<> {
                group.create_task(sleep_noting(log, 1h));
                group.create_task(fail_after(2s));
                co_await sleep_noting(log, 1h);
            });
        } catch (const ExceptionGroup& group) {
            error_count = group.exceptions().size();
        }
        EXPECT_EQ(error_count, 1u);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });

    EXPECT_EQ(log, (std::vector<std::string>{"cancelled", "cancelled"}));
}

TEST(TaskGroup, WaitsForAllItsTasks) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task(sleep_noting(log, 2s));
            group.create_task(sleep_noting(log, 1s));
            co_return;
        });
        EXPECT_EQ(EventLoop::running().time().time_since_epoch(), 2s);
    });

    EXPECT_EQ(log.size(), 2u);
}

TEST(TaskGroup, InsideATimeoutEndsAsTimeoutError) {
    std::vector<std::string> log;

    simulate([&]() -> Co<> {
        bool timed_out = false;
        try {
            co_await wait_for(task_group([&](TaskGroup& group) -> Co<> {
                                  group.create_task(sleep_noting(log, 1h));
                                  co_return;
                              }),
                              1s);
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
    });

    EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
}

TEST(Queue, A39JoinEndsWhenEveryItemIsDoneAndCanBeUsedAgain) {
    simulate([]() -> Co<> {
        Queue<int> queue(2);
        int sum = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            const auto work = [](Queue<int>& items, int& total) -> Co<> {
                for (;;) {
                    const int item = co_await items.get();
                    co_await sleep(1ms);
                    total += item;
                    items.task_done();
                }
            };
            for (int i = 0; i < 3; ++i) group.create_task(work(queue, sum));
            for (int i = 1; i <= 10; ++i) co_await queue.put(i);
            co_await queue.join();
            EXPECT_EQ(sum, 55);
            co_await queue.put(45);
            co_await queue.join();
            EXPECT_EQ(sum, 100);
            group.cancel();
        });
        EXPECT_THROW(queue.task_done(), InvalidStateError);
    });
}

TEST(Queue, AnItemIsNeverLostToACancelledGetter) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        const auto get = [](Queue<int>& items, std::vector<int>& out) -> Co<> {
            const int item = co_await items.get();
            out.push_back(item);
        };
        std::vector<int> got;
        Task<> first = create_task(get(queue, got));
        Task<> second = create_task(get(queue, got));
        co_await sleep(1ms);
        queue.put_nowait(7);
        first.cancel();  // Woken with the item set aside, not yet run.
        co_await sleep(1ms);
        EXPECT_TRUE(first.cancelled());
        EXPECT_TRUE(second.done());
        EXPECT_EQ(got, std::vector<int>{7});
    });
}

TEST(Queue, ACancelledPutHasPutNothing) {
    simulate([]() -> Co<> {
        Queue<int> queue(1);
        queue.put_nowait(1);
        Task<> blocked =
            create_task([](Queue<int>& items) -> Co<> { co_await items.put(2); }(queue));
        Task<> next = create_task([](Queue<int>& items) -> Co<> { co_await items.put(3); }(queue));
        co_await sleep(1ms);
        EXPECT_EQ(queue.get_nowait(), 1);
        blocked.cancel();
        co_await sleep(1ms);
        EXPECT_TRUE(blocked.cancelled());
        EXPECT_TRUE(next.done());
        EXPECT_EQ(queue.get_nowait(), 3);
        EXPECT_THROW(queue.get_nowait(), QueueEmpty);
    });
}

TEST(Queue, ShutdownLetsGettersFinishWhatIsThere) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        queue.put_nowait(1);
        queue.shutdown();
        const int item = co_await queue.get();
        EXPECT_EQ(item, 1);
        bool was_shut_down = false;
        try {
            co_await queue.get();
        } catch (const QueueShutDown&) {
            was_shut_down = true;
        }
        EXPECT_TRUE(was_shut_down);
        EXPECT_THROW(queue.put_nowait(2), QueueShutDown);
    });
}

TEST(Future, A23A24StatesAreAsInAsyncio) {
    simulate([]() -> Co<> {
        Future<int> future = create_future<int>();
        EXPECT_THROW(future.result(), InvalidStateError);
        EXPECT_THROW(future.exception(), InvalidStateError);
        Task<int> first =
            create_task([](Future<int> awaited) -> Co<int> { co_return co_await awaited; }(future));
        Task<int> second =
            create_task([](Future<int> awaited) -> Co<int> { co_return co_await awaited; }(future));
        co_await sleep(1s);
        future.set_result(9);
        EXPECT_THROW(future.set_result(1), InvalidStateError);
        const int at_once = co_await future;
        EXPECT_EQ(at_once, 9);
        co_await sleep(1s);
        EXPECT_EQ(first.result() + second.result(), 18);
        EXPECT_EQ(future.exception(), nullptr);

        EXPECT_TRUE(future.done());

        Future<int> failed = create_future<int>();
        EXPECT_FALSE(failed.done());
        const auto wait = [](Future<int> awaited) -> Co<bool> {
            co_return co_await throws<Error>(
                [](Future<int> inner) -> Co<int> { co_return co_await inner; }(awaited));
        };
        Task<bool> sleeping = create_task(wait(failed));
        co_await sleep(1s);
        failed.set_exception(std::make_exception_ptr(Error("boom")));
        EXPECT_TRUE(co_await sleeping);
        EXPECT_TRUE(co_await wait(failed));  // At once.
        EXPECT_EQ(describe(failed.exception()), "boom");
        EXPECT_THROW(failed.result(), Error);

        Future<int> dropped = create_future<int>();
        EXPECT_TRUE(dropped.cancel());
        EXPECT_TRUE(dropped.cancelled());
        EXPECT_THROW(dropped.result(), CancelledError);
        EXPECT_THROW(dropped.exception(), CancelledError);
    });
}

namespace {

// Every kind of wait, none of which ends by itself.
struct Waits {
    Event event;
    Lock lock;
    Semaphore semaphore{0};
    Condition condition;
    Barrier barrier{2};
    Queue<int> empty;
    Queue<int> full{1};
    Future<> future = create_future();
    Task<> task = create_task([]() -> Co<> { co_await sleep(1h); }());

    Waits() { full.put_nowait(1); }

    std::vector<CoFunction<Co<>()>> all() {
        std::vector<CoFunction<Co<>()>> waits;
        waits.push_back([]() -> Co<> { co_await sleep(1h); });
        waits.push_back([this]() -> Co<> { co_await event.wait(); });
        waits.push_back([this]() -> Co<> { co_await wait_until(event, std::nullopt); });
        waits.push_back([this]() -> Co<> { auto guard = co_await lock.acquire(); });
        waits.push_back([this]() -> Co<> { auto permit = co_await semaphore.acquire(); });
        waits.push_back([this]() -> Co<> {
            auto guard = co_await condition.acquire();
            co_await condition.wait();
        });
        waits.push_back([this]() -> Co<> { co_await barrier.wait(); });
        waits.push_back([this]() -> Co<> { co_await empty.get(); });
        waits.push_back([this]() -> Co<> { co_await full.put(2); });
        waits.push_back([this]() -> Co<> { co_await shield(future); });
        waits.push_back([this]() -> Co<> { co_await future; });
        waits.push_back([this]() -> Co<> { co_await task; });
        return waits;
    }
};

// How often the wait and the clean-up after it end in CancelledError.
Co<int> count_throws(const CoFunction<Co<>()>& wait) {
    int thrown = 0;
    try {
        co_await wait();
    } catch (const CancelledError&) {
        ++thrown;
    }
    for (int i = 0; i < 3; ++i) {
        try {
            co_await sleep(1s);
        } catch (const CancelledError&) {
            ++thrown;
        }
    }
    co_return thrown;
}

}  // namespace

// The await that the first request had ended left the second one pending, for the clean-up.
TEST(Cancel, TwoRequestsInOneTurnAreThrownOnce) {
    simulate([]() -> Co<> {
        Waits waits;
        auto held = co_await waits.lock.acquire();
        const auto all = waits.all();
        for (std::size_t i = 0; i < all.size(); ++i) {
            Task<int> task = create_task(count_throws(all[i]));
            co_await sleep(1s);
            task.cancel();
            task.cancel();
            EXPECT_EQ(co_await task, 1) << "wait " << i;
            EXPECT_EQ(task.cancelling(), 2) << "wait " << i;
        }
    });
}

TEST(Cancel, ARequestInALaterTurnIsThrownAgain) {
    simulate([]() -> Co<> {
        const CoFunction<Co<>()> wait = []() -> Co<> { co_await sleep(1h); };
        Task<int> task = create_task(count_throws(wait));
        co_await sleep(1s);
        task.cancel();
        co_await sleep(500ms);
        task.cancel();
        EXPECT_EQ(co_await task, 2);
    });
}

TEST(Cancel, ADeadlineAndARequestInOneTurnAreOneCancellation) {
    simulate([]() -> Co<> {
        const CoFunction<Co<>()> wait = []() -> Co<> { co_await wait_for(sleep_long(), 5s); };
        Task<int> task = create_task(count_throws(wait));
        EventLoop::running().call_later(5s, [task] { task.cancel(); });
        EXPECT_EQ(co_await task, 1);
    });
}

// The request was lost: the task ended with its value, and the task that awaited it went on.
TEST(Cancel, InItsLastStepATaskIsCancelledAndItsValueDropped) {
    simulate([]() -> Co<> {
        Task<int> task = create_task([]() -> Co<int> {
            current_task()->cancel();
            co_return 5;
        }());
        const bool was_cancelled = co_await throws<CancelledError>(as_co(task));
        EXPECT_TRUE(was_cancelled);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(Cancel, ByTheAwaitedTaskReachesTheTaskThatAwaits) {
    simulate([]() -> Co<> {
        Task<> outer;
        Task<> inner = create_task([](Task<>& awaiting) -> Co<> {
            co_await sleep(1s);
            awaiting.cancel();
        }(outer));
        outer = create_task([](Task<> awaited) -> Co<> { co_await awaited; }(inner));
        co_await sleep(2s);
        EXPECT_TRUE(inner.cancelled());
        EXPECT_TRUE(outer.cancelled());
    });
}

// An error of the last step is not hidden by a request that came too late.
TEST(Cancel, InItsLastStepLeavesAnErrorAsItIs) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            current_task()->cancel();
            throw Error("last words");
            co_return;
        }());
        const bool has_failed = co_await throws<Error>(as_co(task));
        EXPECT_TRUE(has_failed);
        EXPECT_FALSE(task.cancelled());
    });
}

}  // namespace weft::aio
