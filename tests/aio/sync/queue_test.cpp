#include "aio/sync/queue.h"

#include <gtest/gtest.h>

#include "aio/sync/timeout.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "support/simulate.h"

// What asyncio promises of its queues, in virtual time.
namespace weft::aio {
namespace {

Co<> put(Queue<int>& queue, int item) {
    co_await queue.put(item);
}

Co<int> get(Queue<int>& queue) {
    co_return co_await queue.get();
}

}  // namespace

TEST(Queue, A39GetWaitsForPutInOrderOfAsking) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        Task<int> first = create_task(get(queue));
        Task<int> second = create_task(get(queue));
        co_await sleep(1s);
        queue.put_nowait(1);
        queue.put_nowait(2);
        co_await sleep(1s);
        EXPECT_EQ(first.result(), 1);
        EXPECT_EQ(second.result(), 2);
    });
}

TEST(Queue, A39APutIntoAFullQueueWaitsForAPlace) {
    simulate([]() -> Co<> {
        Queue<int> queue(1);
        queue.put_nowait(1);
        EXPECT_TRUE(queue.full());
        EXPECT_THROW(queue.put_nowait(2), QueueFull);
        Task<> waiting = create_task(put(queue, 2));
        co_await sleep(1s);
        EXPECT_FALSE(waiting.done());
        EXPECT_EQ(queue.get_nowait(), 1);
        EXPECT_THROW(queue.put_nowait(3), QueueFull);  // The place is the waiting one's.
        co_await waiting;
        EXPECT_EQ(queue.get_nowait(), 2);
        EXPECT_TRUE(queue.empty());
    });
}

TEST(Queue, ATimedOutGetTakesNothing) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        const bool timed_out = co_await throws<TimeoutError>(wait_for(get(queue), 1s));
        EXPECT_TRUE(timed_out);
        queue.put_nowait(1);
        EXPECT_EQ(queue.size(), 1u);
    });
}

TEST(Queue, JoinOfAnUnusedQueueEndsAtOnce) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        co_await queue.join();
        EXPECT_EQ(elapsed(), 0s);
        EXPECT_THROW(queue.task_done(), InvalidStateError);
    });
}

TEST(Queue, ShutdownWakesThoseWhoWaitToGetAndToPut) {
    simulate([]() -> Co<> {
        Queue<int> empty;
        Queue<int> full(1);
        full.put_nowait(1);
        Task<bool> getter = create_task(throws<QueueShutDown>(get(empty)));
        Task<bool> putter = create_task(throws<QueueShutDown>(put(full, 2)));
        co_await sleep(1s);
        empty.shutdown();
        full.shutdown();
        const bool getter_ended = co_await getter;
        const bool putter_ended = co_await putter;
        EXPECT_TRUE(getter_ended);
        EXPECT_TRUE(putter_ended);
        EXPECT_EQ(full.get_nowait(), 1);
        EXPECT_THROW(full.get_nowait(), QueueShutDown);
    });
}

TEST(Queue, ShutdownAtOnceDropsWhatIsThereAndEndsJoin) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        for (int i = 0; i < 3; ++i) queue.put_nowait(i);
        queue.shutdown(true);
        co_await queue.join();
        EXPECT_TRUE(queue.empty());
        EXPECT_THROW(queue.get_nowait(), QueueShutDown);
        queue.shutdown();  // Again is allowed.
    });
}

// task_done() may come before the item is got; the shutdown then called it once too often and
// threw.
TEST(Queue, ShutdownAtOnceHoldsWhereItemsWereMarkedDoneEarly) {
    Queue<int> queue;
    queue.put_nowait(1);
    queue.task_done();

    EXPECT_NO_THROW(queue.shutdown(true));

    EXPECT_TRUE(queue.empty());
}

// The getter got the item all the same.
TEST(Queue, ShutdownAtOnceDropsWhatAWokenGetterHasNotTakenYet) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        Task<bool> getter = create_task(throws<QueueShutDown>(get(queue)));
        co_await sleep(1s);
        queue.put_nowait(1);
        queue.shutdown(true);
        const bool was_shut_out = co_await getter;
        EXPECT_TRUE(was_shut_out);
        EXPECT_TRUE(queue.empty());
    });
}

TEST(Queue, ShutdownDoesNotEndJoinBeforeWhatWasGotIsDone) {
    simulate([]() -> Co<> {
        Queue<int> queue;
        queue.put_nowait(1);
        queue.get_nowait();
        queue.shutdown(true);
        Task<> joining =
            create_task([](Queue<int>& items) -> Co<> { co_await items.join(); }(queue));
        co_await sleep(1s);
        EXPECT_FALSE(joining.done());
        queue.task_done();
        co_await joining;
    });
}

TEST(LifoQueue, GivesTheLastFirst) {
    LifoQueue<int> queue;
    for (int i = 1; i <= 3; ++i) queue.put_nowait(i);

    EXPECT_EQ(queue.get_nowait(), 3);
    EXPECT_EQ(queue.get_nowait(), 2);
}

TEST(PriorityQueue, GivesTheLeastFirst) {
    PriorityQueue<int> queue;
    for (const int item : {3, 1, 2}) queue.put_nowait(item);

    EXPECT_EQ(queue.get_nowait(), 1);
    EXPECT_EQ(queue.get_nowait(), 2);
    EXPECT_EQ(queue.get_nowait(), 3);
}

}  // namespace weft::aio
