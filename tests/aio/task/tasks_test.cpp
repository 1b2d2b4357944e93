#include <gtest/gtest.h>

#include "aio/sync/event.h"
#include "aio/sync/shield.h"
#include "aio/task/as_completed.h"
#include "aio/task/awaitable.h"
#include "aio/task/gather.h"
#include "aio/task/result.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "aio/task/task_local.h"
#include "aio/task/wait.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

Co<int> late(int value, Duration delay) {
    co_await sleep(delay);
    co_return value;
}

Co<int> fail_late(Duration delay) {
    co_await sleep(delay);
    throw Error("boom");
}

Co<int> at_once(int& log, int value) {
    log = value;
    co_return value;
}

static_assert(Awaitable<Co<int>> && Awaitable<Task<int>> && Awaitable<Event::Wait>, "A22");
static_assert(Awaitable<Sleep> && !Awaitable<int>, "A22");
static_assert(CoroutineOf<Co<int>, int> && !CoroutineOf<Task<int>, int>);
static_assert(FutureLike<Task<int>> && FutureLike<Future<>> && !FutureLike<Co<int>>);

}  // namespace

// A task that was done before the wait began ended the wait at once.
TEST(Wait, ForAllWaitsThoughTheFirstIsDoneAlready) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(late(1, 1s)));
        tasks.push_back(create_task(late(2, 5s)));
        co_await tasks[0];
        const auto all = co_await wait(tasks);
        EXPECT_EQ(all.done.size(), 2u);
        EXPECT_EQ(elapsed(), 5s);
    });
}

TEST(Wait, EndsAtTheFirstDoneOrTheFirstFailureOrTheLimit) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(late(1, 1s)));
        tasks.push_back(create_task(fail_late(2s)));
        tasks.push_back(create_task(late(3, 1h)));
        const auto first = co_await wait(tasks, ReturnWhen::first_completed);
        EXPECT_EQ(first.done.size(), 1u);
        EXPECT_EQ(elapsed(), 1s);
        const auto failed = co_await wait(tasks, ReturnWhen::first_exception);
        EXPECT_EQ(failed.done.size(), 2u);
        EXPECT_EQ(elapsed(), 2s);
        const auto limited = co_await wait(tasks, ReturnWhen::all_completed, 5s);
        EXPECT_EQ(limited.pending.size(), 1u);
        EXPECT_FALSE(limited.pending[0].done());
        EXPECT_EQ(elapsed(), 7s);
        EXPECT_THROW(tasks[1].result(), Error);
    });
}

TEST(AsCompleted, GivesTheFirstFirst) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(late(3, 3s)));
        tasks.push_back(create_task(late(1, 1s)));
        tasks.push_back(create_task(late(2, 2s)));
        std::vector<int> order;
        AIO_FOR(auto& task, as_completed(tasks)) order.push_back(task.result());
        EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
        EXPECT_EQ(elapsed(), 3s);
    });
}

TEST(AsCompleted, GivesThoseThatFailedAndThoseDoneBefore) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(fail_late(2s)));
        tasks.push_back(create_task(late(1, 1s)));
        co_await sleep(1500ms);
        auto completed = as_completed(tasks);
        auto first = co_await completed.next();
        auto second = co_await completed.next();
        EXPECT_EQ(first->result(), 1);
        EXPECT_THROW(second->result(), Error);
    });
}

TEST(AsCompleted, WithALimitThrowsAndLeavesTheTasksAlone) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(late(1, 1s)));
        tasks.push_back(create_task(late(2, 1h)));
        auto completed = as_completed(tasks, 5s);
        co_await completed.next();
        bool timed_out = false;
        try {
            co_await completed.next();
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(elapsed(), 5s);
        EXPECT_FALSE(tasks[1].done());
    });
}

TEST(Task, EagerRunsItsFirstStepAtOnce) {
    simulate([]() -> Co<> {
        int log = 0;
        Task<int> done = create_task(eager, at_once(log, 5));
        EXPECT_EQ(log, 5);
        EXPECT_TRUE(done.done());
        EXPECT_EQ(done.result(), 5);

        Task<int> waiting = create_task(eager, late(7, 1s), "waiting");
        EXPECT_FALSE(waiting.done());
        EXPECT_FALSE(waiting.get_stack().empty());
        EXPECT_EQ(current_task()->name(), "main");
        const int value = co_await waiting;
        EXPECT_EQ(value, 7);
        EXPECT_EQ(all_tasks().size(), 1u);
    });
}

TEST(Task, EnsureFuturePassesFuturesThroughAndMakesTasksOfCoroutines) {
    simulate([]() -> Co<> {
        Task<int> task = ensure_future(late(1, 1s));
        Task<int> same = ensure_future(task);
        EXPECT_EQ(task.state(), same.state());
        Future<int> future = create_future<int>();
        EXPECT_EQ(ensure_future(future).state(), future.state());
        EXPECT_EQ(&get_running_loop(), &EventLoop::running());
        co_await task;
    });
}

TEST(AsResult, A17GivesTheExceptionAsAValue) {
    simulate([]() -> Co<> {
        const Result<int> good = co_await as_result(late(4, 1s));
        EXPECT_EQ(good.value(), 4);
        const Result<int> bad = co_await as_result(fail_late(1s));
        EXPECT_FALSE(bad.has_value());
        EXPECT_EQ(describe(bad.error()), "boom");
    });
}

TEST(AsResult, NeverTakesACancellation) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            const Result<int> never = co_await as_result(late(1, 1h));
            ADD_FAILURE() << never.has_value();
        }());
        co_await sleep(1s);
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(Gather, A22TakesAnyAwaitable) {
    simulate([]() -> Co<> {
        Event event;
        Future<int> future = create_future<int>();
        get_running_loop().call_later(1s, [&] {
            event.set();
            future.set_result(5);
        });
        auto [a, b, c, d] = co_await gather(late(1, 2s), future, event.wait(), sleep(3s));
        EXPECT_EQ(a + b, 6);
        static_cast<void>(c);
        static_cast<void>(d);
        EXPECT_EQ(elapsed(), 3s);
    });
}

TEST(Shield, TakesACoroutineToo) {
    simulate([]() -> Co<> {
        int log = 0;
        Task<> task = create_task([](int& out) -> Co<> {
            co_await shield([](int& inner) -> Co<> {
                co_await sleep(5s);
                inner = 1;
            }(out));
        }(log));
        co_await sleep(1s);
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
        EXPECT_EQ(log, 0);
        co_await sleep(5s);
        EXPECT_EQ(log, 1);
    });
}

TEST(TaskLocal, IsCopiedAtCreateTaskAndSetForOneTaskOnly) {
    simulate([]() -> Co<> {
        const TaskLocal<std::string> name("none");
        std::string seen_by_child;
        EXPECT_EQ(name.get(), "none");
        name.set("parent");
        Task<> child =
            create_task([](const TaskLocal<std::string>& local, std::string& seen) -> Co<> {
                seen = local.get();
                local.set("child");
                co_await sleep(1s);
                EXPECT_EQ(local.get(), "child");
            }(name, seen_by_child));
        name.set("later");
        co_await child;
        EXPECT_EQ(seen_by_child, "parent");
        EXPECT_EQ(name.get(), "later");
    });
}

TEST(TaskLocal, AScopePutsTheEarlierValueBack) {
    simulate([]() -> Co<> {
        const TaskLocal<int> depth(0);
        {
            const auto outer = depth.scoped(1);
            {
                const auto inner = depth.scoped(2);
                co_await sleep(1s);
                EXPECT_EQ(depth.get(), 2);
            }
            EXPECT_EQ(depth.get(), 1);
        }
        EXPECT_EQ(depth.get(), 0);
    });
}

TEST(TaskLocal, OutsideATaskHasItsInitialValue) {
    const TaskLocal<int> local(9);

    EXPECT_EQ(local.get(), 9);
    EXPECT_THROW(local.set(1), InvalidStateError);
}

// What the second child threw went to the exception handler as never retrieved.
TEST(Gather, FailuresAfterTheFirstAreNotReported) {
    std::vector<std::string> reports;

    simulate([&]() -> Co<> {
        EventLoop::running().set_exception_handler(
            [&](const std::string& what, std::exception_ptr) { reports.push_back(what); });
        const auto fail = [](Duration after, std::string what) -> Co<> {
            try {
                co_await sleep(after);
            } catch (const CancelledError&) {
                throw Error(what + " at its end");
            }
            throw Error(what);
        };
        std::string thrown;
        try {
            co_await gather(fail(1s, "first"), fail(1s, "second"), fail(1h, "third"));
        } catch (const Error& error) {
            thrown = error.what();
        }
        EXPECT_EQ(thrown, "first");
    });

    EXPECT_EQ(reports, std::vector<std::string>());
}

// Of two that had failed by then the first argument's was thrown, though the other failed before.
TEST(Gather, TheEarlierFailureIsThrown) {
    simulate([]() -> Co<> {
        Event go;
        const auto fail = [](Event& start, Duration pause, std::string what) -> Co<> {
            co_await sleep(pause);
            co_await start.wait();
            throw Error(what);
        };
        Task<> gathering = create_task([](Co<> first, Co<> second) -> Co<> {
            co_await gather(std::move(first), std::move(second));
        }(fail(go, 2ms, "first argument"), fail(go, 1ms, "second argument")));
        co_await sleep(1s);
        go.set();
        std::string thrown;
        try {
            co_await gathering;
        } catch (const Error& error) {
            thrown = error.what();
        }
        EXPECT_EQ(thrown, "second argument");
    });
}

// asyncio's FIRST_EXCEPTION; a cancelled task ended the wait.
TEST(Wait, ForTheFirstExceptionWaitsOnWhenATaskIsCancelled) {
    simulate([]() -> Co<> {
        std::vector<Task<int>> tasks;
        tasks.push_back(create_task(late(1, 1h)));
        tasks.push_back(create_task(fail_late(2s)));
        tasks.push_back(create_task(late(3, 1h)));
        tasks[0].cancel();
        const auto failed = co_await wait(tasks, ReturnWhen::first_exception);
        EXPECT_EQ(elapsed(), 2s);
        EXPECT_EQ(failed.done.size(), 2u);
        EXPECT_THROW(tasks[1].result(), Error);
    });
}

namespace {

// Has a clean-up that waits for ever.
Co<> hang_when_cancelled() {
    try {
        co_await sleep(1h);
    } catch (const CancelledError&) {
        // The clean-up stands after the handler.
    }
    co_await sleep(Duration::max());
}

}  // namespace

// The second request was kept from the tasks, so nothing but the end of the loop could end them.
TEST(Gather, EachRequestReachesTheGatheredTasks) {
    simulate([]() -> Co<> {
        for (const bool with_results : {false, true}) {
            Task<> task = create_task([](bool results) -> Co<> {
                if (results) {
                    co_await gather_results(hang_when_cancelled());
                } else {
                    co_await gather(hang_when_cancelled());
                }
            }(with_results));
            co_await sleep(1s);
            task.cancel();
            co_await sleep(1s);
            EXPECT_FALSE(task.done());
            task.cancel();
            co_await sleep(1s);
            EXPECT_TRUE(task.cancelled());
        }
    });
}

// As in asyncio the gathered tasks are cancelled with the gathering one, not a round later.
TEST(Gather, ARequestReachesTheGatheredTasksAtOnce) {
    simulate([]() -> Co<> {
        Task<> gathered;
        Task<> gathering = create_task([](Task<>& inner) -> Co<> {
            inner = create_task(hang_when_cancelled());
            co_await gather(inner);
        }(gathered));
        co_await sleep(1s);
        gathering.cancel();
        EXPECT_EQ(gathered.cancelling(), 1);
        gathering.cancel();
        EXPECT_EQ(gathered.cancelling(), 2);
        co_await sleep(1s);
        gathering.cancel();
    });
}

}  // namespace weft::aio
