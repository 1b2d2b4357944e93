// Whatever can be awaited is taken by every word that awaits.
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
#include "aio/task/gather.h"
#include "aio/task/result.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

// Neither assigned nor default-made.
struct Fixed {
    const int number;
};

Co<Fixed> make_fixed(int number) {
    co_await sleep(1ms);
    co_return Fixed{number};
}

}  // namespace

TEST(Awaitables, WaitForTakesThemAll) {
    simulate([]() -> Co<> {
        Queue<int> queue(1);
        Event event;
        Lock lock;
        Semaphore semaphore(1);
        Barrier barrier(1);
        Future<int> future = create_future<int>();

        EXPECT_THROW(co_await wait_for(queue.get(), 1s), TimeoutError);
        co_await wait_for(queue.put(7), 1s);
        EXPECT_THROW(co_await wait_for(queue.put(8), 1s), TimeoutError);
        EXPECT_THROW(co_await wait_for(queue.join(), 1s), TimeoutError);
        EXPECT_EQ(co_await wait_for(queue.get(), 1s), 7);
        queue.task_done();
        co_await wait_for(queue.join(), 1s);
        EXPECT_THROW(co_await wait_for(event.wait(), 1s), TimeoutError);
        event.set();
        co_await wait_for(event.wait(), 1s);
        co_await wait_for(wait_until(event, std::nullopt), 1s);
        {
            auto guard = co_await wait_for(lock.acquire(), 1s);
            EXPECT_THROW(static_cast<void>(co_await wait_for(lock.acquire(), 1s)), TimeoutError);
        }
        auto permit = co_await wait_for(semaphore.acquire(), 1s);
        EXPECT_THROW(static_cast<void>(co_await wait_for(semaphore.acquire(), 1s)), TimeoutError);
        EXPECT_EQ(co_await wait_for(barrier.wait(), 1s), 0u);
        EXPECT_THROW(co_await wait_for(shield(future), 1s), TimeoutError);
        EXPECT_THROW(co_await wait_for(future, 1s), TimeoutError);
        EXPECT_THROW(co_await wait_for(sleep(2s), 1s), TimeoutError);
        co_await wait_for(yield_now(), 1s);
        EXPECT_EQ(elapsed(), 9s);
    });
}

TEST(Awaitables, SoDoTasksGroupsResultsAndGather) {
    simulate([]() -> Co<> {
        Queue<int> queue(1);
        Event event;
        Lock lock;
        Task<int> getting = create_task(queue.get(), "getting");
        Task<> putting = create_task(queue.put(1));
        EXPECT_EQ(co_await getting, 1);
        co_await putting;
        queue.put_nowait(2);
        const Result<int> two = co_await as_result(queue.get());
        EXPECT_EQ(two.value(), 2);
        queue.put_nowait(3);
        EXPECT_EQ(co_await shield(queue.get()), 3);
        event.set();
        queue.put_nowait(5);
        auto [set, five, guard] = co_await gather(event.wait(), queue.get(), lock.acquire());
        EXPECT_EQ(five, 5);
        guard.release();
        std::vector<Task<int>> tasks;
        for (int i = 0; i < 3; ++i) {
            tasks.push_back(create_task([](int n) -> Co<int> { co_return n; }(i)));
        }
        EXPECT_EQ(co_await gather(tasks), (std::vector<int>{0, 1, 2}));
        const auto results = co_await gather_results(tasks);
        EXPECT_EQ(results[2].value(), 2);
        queue.put_nowait(6);
        const auto [six, again] = co_await gather_results(queue.get(), event.wait());
        EXPECT_EQ(six.value(), 6);
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task(sleep(1s));
            group.create_task(event.wait());
            co_return;
        });
    });
}

// Task<T> asked for a T that can be assigned.
TEST(Awaitables, AResultNeedOnlyBeMovable) {
    simulate([]() -> Co<> {
        Task<Fixed> task = create_task(make_fixed(1));
        const Fixed one = co_await task;
        const Fixed two = co_await wait_for(make_fixed(2), 1s);
        auto [three, four] = co_await gather(make_fixed(3), make_fixed(4));
        EXPECT_EQ(one.number + two.number + three.number + four.number, 10);
    });
}

TEST(Awaitables, LengthsOfTimeMayBeInAnyUnit) {
    simulate([]() -> Co<> {
        co_await sleep(std::chrono::duration<double>(0.5));
        EXPECT_EQ(elapsed(), 500ms);
        Task<> task = create_task(sleep(std::chrono::hours::max()));
        co_await wait_for(sleep(1s), std::chrono::years(10'000));
        EXPECT_FALSE(task.done());
        EXPECT_EQ(elapsed(), 1500ms);
        task.cancel();
    });
}

}  // namespace weft::aio
