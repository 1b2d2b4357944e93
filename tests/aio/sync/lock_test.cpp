#include "aio/sync/lock.h"

#include <gtest/gtest.h>

#include "aio/sync/barrier.h"
#include "aio/sync/condition.h"
#include "aio/sync/semaphore.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

Co<> hold(Lock& lock, std::string& log, char name, Duration duration) {
    auto guard = co_await lock.acquire();
    log += name;
    co_await sleep(duration);
}

Co<> await_news(Condition& condition, std::string& log, char name) {
    auto guard = co_await condition.acquire();
    co_await condition.wait();
    EXPECT_TRUE(condition.locked());
    log += name;
}

Co<> meet(Barrier& barrier, std::vector<std::size_t>& places) {
    const std::size_t place = co_await barrier.wait();
    places.push_back(place);
}

}  // namespace

TEST(Lock, IsHeldByOneTaskAtATimeInOrder) {
    simulate([]() -> Co<> {
        Lock lock;
        std::string log;
        co_await gather(hold(lock, log, 'a', 1s), hold(lock, log, 'b', 1s),
                        hold(lock, log, 'c', 1s));
        EXPECT_EQ(log, "abc");
        EXPECT_EQ(elapsed(), 3s);
        EXPECT_FALSE(lock.locked());
    });
}

TEST(Lock, CannotBeTakenPastTheFirstInLine) {
    simulate([]() -> Co<> {
        Lock lock;
        std::string log;
        auto guard = co_await lock.acquire();
        Task<> first = create_task(hold(lock, log, 'a', 1s));
        co_await sleep(1s);
        guard.release();
        EXPECT_TRUE(lock.locked());  // Handed on, before the other has run.
        co_await hold(lock, log, 'b', 1s);
        EXPECT_EQ(log, "ab");
        co_await first;
    });
}

TEST(Lock, GivenToACancelledTaskGoesToTheNext) {
    simulate([]() -> Co<> {
        Lock lock;
        std::string log;
        auto guard = co_await lock.acquire();
        Task<> given = create_task(hold(lock, log, 'a', 1s));
        Task<> next = create_task(hold(lock, log, 'b', 1s));
        Task<> waiting = create_task(hold(lock, log, 'c', 1s));
        co_await sleep(1s);
        guard.release();
        given.cancel();
        waiting.cancel();
        co_await next;
        EXPECT_EQ(log, "b");
        EXPECT_TRUE(given.cancelled());
        EXPECT_TRUE(waiting.cancelled());
        EXPECT_FALSE(lock.locked());
    });
}

TEST(Lock, ReleasedByNobodyIsAnError) {
    Lock lock;

    EXPECT_THROW(lock.release(), InvalidStateError);
}

TEST(Condition, NotifyWakesAsManyAsAskedInOrder) {
    simulate([]() -> Co<> {
        Condition condition;
        std::string log;
        std::vector<Task<>> tasks;
        for (const char name : {'a', 'b', 'c', 'd'}) {
            tasks.push_back(create_task(await_news(condition, log, name)));
        }
        co_await sleep(1s);
        EXPECT_FALSE(condition.locked());
        {
            auto guard = co_await condition.acquire();
            condition.notify(2);
        }
        co_await sleep(1s);
        EXPECT_EQ(log, "ab");
        {
            auto guard = co_await condition.acquire();
            condition.notify_all();
        }
        co_await sleep(1s);
        EXPECT_EQ(log, "abcd");
    });
}

TEST(Condition, WaitForAsksUnderTheLockUntilItHolds) {
    simulate([]() -> Co<> {
        Condition condition;
        int value = 0;
        Task<> waiter = create_task([](Condition& news, int& seen) -> Co<> {
            auto guard = co_await news.acquire();
            co_await news.wait_for([&] { return seen == 3; });
            EXPECT_EQ(seen, 3);
        }(condition, value));
        for (int i = 0; i < 3; ++i) {
            co_await sleep(1s);
            EXPECT_FALSE(waiter.done());
            auto guard = co_await condition.acquire();
            ++value;
            condition.notify();
        }
        co_await waiter;
    });
}

TEST(Condition, HoldsTheLockAgainWhenCancelled) {
    simulate([]() -> Co<> {
        Condition condition;
        bool held_after = false;
        Task<> waiter = create_task([](Condition& news, bool& held) -> Co<> {
            auto guard = co_await news.acquire();
            try {
                co_await news.wait();
            } catch (const CancelledError&) {
                held = news.locked();
                throw;
            }
        }(condition, held_after));
        co_await sleep(1s);
        auto guard = co_await condition.acquire();
        waiter.cancel();
        co_await sleep(1s);
        EXPECT_FALSE(waiter.done());  // It cannot end before it has the lock.
        waiter.cancel();
        co_await sleep(1s);
        EXPECT_FALSE(waiter.done());
        guard.release();
        co_await sleep(1s);
        EXPECT_TRUE(waiter.cancelled());
        EXPECT_TRUE(held_after);
        EXPECT_FALSE(condition.locked());
    });
}

TEST(Condition, NewsGivenToACancelledTaskGoesToTheNext) {
    simulate([]() -> Co<> {
        Condition condition;
        std::string log;
        Task<> first = create_task(await_news(condition, log, 'a'));
        Task<> second = create_task(await_news(condition, log, 'b'));
        co_await sleep(1s);
        {
            auto guard = co_await condition.acquire();
            condition.notify();
            first.cancel();
        }
        co_await second;
        EXPECT_EQ(log, "b");
        EXPECT_TRUE(first.cancelled());
    });
}

TEST(Condition, WithoutItsLockIsAnError) {
    simulate([]() -> Co<> {
        Lock lock;
        Condition condition(lock);
        EXPECT_THROW(condition.notify(), InvalidStateError);
        const bool refused = co_await throws<InvalidStateError>(condition.wait());
        EXPECT_TRUE(refused);
    });
}

TEST(BoundedSemaphore, ReleasedTooOftenIsAnError) {
    simulate([]() -> Co<> {
        BoundedSemaphore semaphore(1);
        EXPECT_THROW(semaphore.release(), InvalidStateError);
        {
            auto permit = co_await semaphore.acquire();
            EXPECT_TRUE(semaphore.locked());
        }
        EXPECT_EQ(semaphore.free_count(), 1u);
        EXPECT_THROW(semaphore.release(), InvalidStateError);
    });
}

TEST(Semaphore, APermitGivenToACancelledTaskGoesToTheNext) {
    simulate([]() -> Co<> {
        Semaphore semaphore(1);
        const auto take = [](Semaphore& permits) -> Co<> {
            auto permit = co_await permits.acquire();
        };
        Semaphore::Permit permit = co_await semaphore.acquire();
        Task<> first = create_task(take(semaphore));
        Task<> second = create_task(take(semaphore));
        co_await sleep(1s);
        permit = {};
        first.cancel();
        co_await second;
        EXPECT_TRUE(first.cancelled());
        EXPECT_EQ(semaphore.free_count(), 1u);
    });
}

TEST(Barrier, LetsAllGoOnWhenTheLastComesAndCanBeUsedAgain) {
    simulate([]() -> Co<> {
        Barrier barrier(3);
        for (int round = 0; round < 2; ++round) {
            std::vector<std::size_t> places;
            Task<> first = create_task(meet(barrier, places));
            Task<> second = create_task(meet(barrier, places));
            co_await sleep(1s);
            EXPECT_EQ(barrier.n_waiting(), 2u);
            const std::size_t last = co_await barrier.wait();
            EXPECT_EQ(last, 2u);
            co_await sleep(1s);
            EXPECT_EQ(places, (std::vector<std::size_t>{0, 1}));
            EXPECT_EQ(barrier.n_waiting(), 0u);
        }
    });
}

TEST(Barrier, ACancelledWaitTakesItsPlaceBack) {
    simulate([]() -> Co<> {
        Barrier barrier(2);
        std::vector<std::size_t> places;
        Task<> gone = create_task(meet(barrier, places));
        co_await sleep(1s);
        gone.cancel();
        Task<> stays = create_task(meet(barrier, places));
        co_await sleep(1s);
        EXPECT_FALSE(stays.done());
        EXPECT_EQ(barrier.n_waiting(), 1u);
        co_await barrier.wait();
        co_await stays;
        EXPECT_FALSE(barrier.broken());
    });
}

// Two had the same place after a third had left.
TEST(Barrier, PlacesAreThoseOfTheTasksThatGoOn) {
    simulate([]() -> Co<> {
        Barrier barrier(2);
        const auto meet = [](Barrier& at) -> Co<std::size_t> { co_return co_await at.wait(); };
        const Task<std::size_t> impatient = create_task(meet(barrier));
        co_await sleep(0s);
        impatient.cancel();
        const Task<std::size_t> first = create_task(meet(barrier));
        co_await sleep(1s);
        const Task<std::size_t> second = create_task(meet(barrier));
        EXPECT_EQ(co_await first, 0u);
        EXPECT_EQ(co_await second, 1u);
    });
    simulate([]() -> Co<> {
        Barrier barrier(3);
        const auto meet = [](Barrier& at) -> Co<std::size_t> { co_return co_await at.wait(); };
        const Task<std::size_t> impatient = create_task(meet(barrier));
        const Task<std::size_t> first = create_task(meet(barrier));
        co_await sleep(1s);
        impatient.cancel();
        co_await sleep(1s);
        const Task<std::size_t> second = create_task(meet(barrier));
        const Task<std::size_t> third = create_task(meet(barrier));
        EXPECT_EQ(co_await first, 0u);
        EXPECT_EQ(co_await second, 1u);
        EXPECT_EQ(co_await third, 2u);
    });
}

TEST(Barrier, AbortBreaksItUntilReset) {
    simulate([]() -> Co<> {
        Barrier barrier(2);
        std::vector<std::size_t> places;
        Task<bool> waiter = create_task(throws<BrokenBarrierError>(meet(barrier, places)));
        co_await sleep(1s);
        barrier.abort();
        EXPECT_TRUE(barrier.broken());
        const bool was_broken = co_await waiter;
        EXPECT_TRUE(was_broken);
        const bool still_broken = co_await throws<BrokenBarrierError>(meet(barrier, places));
        EXPECT_TRUE(still_broken);

        barrier.reset();
        co_await gather(meet(barrier, places), meet(barrier, places));
        EXPECT_EQ(places.size(), 2u);
    });
}

TEST(Barrier, ResetTurnsAwayThoseWhoWait) {
    simulate([]() -> Co<> {
        Barrier barrier(2);
        std::vector<std::size_t> places;
        Task<bool> waiter = create_task(throws<BrokenBarrierError>(meet(barrier, places)));
        co_await sleep(1s);
        barrier.reset();
        const bool was_broken = co_await waiter;
        EXPECT_TRUE(was_broken);
        EXPECT_FALSE(barrier.broken());
        EXPECT_EQ(barrier.n_waiting(), 0u);
        EXPECT_THROW(Barrier(0), InvalidStateError);
    });
}

}  // namespace weft::aio
