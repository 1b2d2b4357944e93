#include <gtest/gtest.h>

#include "aio/loop/debug.h"
#include "aio/sync/barrier.h"
#include "aio/sync/condition.h"
#include "aio/sync/lock.h"
#include "aio/sync/queue.h"
#include "aio/sync/semaphore.h"
#include "aio/sync/shield.h"
#include "aio/sync/timeout.h"
#include "aio/sync/wait_until.h"
#include "aio/task/as_completed.h"
#include "aio/task/exit_stack.h"
#include "aio/task/gather.h"
#include "aio/task/result.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "aio/task/with.h"
#include "support/simulate.h"

// A program that uses every primitive, cancelled at its N-th suspension for every N: it must end,
// nothing may be left behind, and what the primitives guard must be as before.
namespace weft::aio {
namespace {

// What the parts of the program share; each is free again when all have ended.
struct Shared {
    Lock lock;
    Condition condition;
    Semaphore semaphore{1};
    Barrier barrier{2};
    Queue<int> queue{1};
    Event event;
    int entered = 0;  // Of resources not left again.
};

struct Resource {
    Shared& shared;
    Co<> aenter() {
        co_await sleep(1ms);
        ++shared.entered;
    }
    Co<> aexit(std::exception_ptr) {
        co_await sleep(1ms);
        --shared.entered;
    }
};

Co<> use_locks(Shared& shared) {
    auto guard = co_await shared.lock.acquire();
    co_await sleep(1ms);
    auto permit = co_await shared.semaphore.acquire();
    co_await sleep(1ms);
}

Co<> wait_news(Shared& shared, bool& told) {
    auto guard = co_await shared.condition.acquire();
    co_await shared.condition.wait_for([&] { return told; });
}

Co<> tell_news(Shared& shared, bool& told) {
    co_await sleep(1ms);
    auto guard = co_await shared.condition.acquire();
    co_await sleep(1ms);
    told = true;
    shared.condition.notify_all();
}

Co<> produce(Shared& shared) {
    for (int i = 0; i < 3; ++i) co_await shared.queue.put(i);
    co_await shared.queue.join();
}

Co<> consume(Shared& shared) {
    for (int i = 0; i < 3; ++i) {
        co_await shared.queue.get();
        struct Done {
            Queue<int>& queue;
            ~Done() { queue.task_done(); }
        } done{shared.queue};
        co_await sleep(1ms);
    }
}

AsyncGenerator<int> numbers() {
    for (int i = 0; i < 3; ++i) {
        co_await sleep(1ms);
        co_yield i;
    }
}

Co<int> late(Duration delay) {
    co_await sleep(delay);
    co_return 1;
}

Co<> meet(Shared& shared) {
    co_await shared.barrier.wait();
}

Co<> use_tasks(Shared& shared) {
    bool told = false;
    co_await gather(use_locks(shared), use_locks(shared), use_locks(shared));
    co_await gather(wait_news(shared, told), wait_news(shared, told), tell_news(shared, told));
    co_await gather(meet(shared), meet(shared));
    co_await task_group([&](TaskGroup& group) -> Co<> {
        group.create_task(produce(shared));
        group.create_task(consume(shared));
        co_await sleep(1ms);
    });
    std::vector<Task<int>> tasks;
    for (int i = 1; i <= 3; ++i) tasks.push_back(create_task(late(i * 1ms)));
    AIO_FOR(auto& task, as_completed(tasks)) static_cast<void>(task.result());
}

Co<> use_scopes(Shared& shared) {
    co_await with(Resource{shared}, [&](Resource&) -> Co<> { co_await sleep(1ms); });
    co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
        co_await stack.enter(Resource{shared});
        co_await stack.enter(Resource{shared});
        co_await sleep(1ms);
    });
    co_await aclosing(numbers(), [](AsyncGenerator<int>& all) -> Co<> {
        while (auto number = co_await all.next()) {
            if (*number == 1) break;
        }
    });
    try {
        co_await with(timeout(1ms), [](Timeout&) -> Co<> { co_await sleep(1s); });
    } catch (const TimeoutError&) {
        // As it should be.
    }
    const Result<int> result = co_await as_result(wait_for(late(1ms), 1s));
    EXPECT_TRUE(result.has_value());
    co_await shield(late(2ms));
    Event never;
    co_await wait_until(never, EventLoop::running().time() + 1ms);
    EventLoop::running().call_later(1ms, [&] { shared.event.set(); });
    co_await shared.event.wait();
}

Co<> use_all(Shared& shared) {
    co_await use_tasks(shared);
    co_await use_scopes(shared);
}

enum class Victim { the_program, its_youngest_task };

// Lets the loop go `rounds` rounds, then cancels. False when the program had ended before.
Co<bool> cancel_after(int rounds, Victim victim) {
    Shared shared;
    Task<> program = create_task(use_all(shared), "program");
    const TaskBase* self = current_task();
    for (int round = 0; round < rounds && !program.done(); ++round) co_await sleep(100us);
    const bool cancels = !program.done();
    if (cancels && victim == Victim::the_program) program.cancel();
    if (cancels && victim == Victim::its_youngest_task) {
        TaskBase* youngest = all_tasks().back();
        const bool is_cleanup = youngest->name() == "clean-up";  // Shielded from all but itself.
        if (youngest != self && !is_cleanup) youngest->cancel();
    }
    bool is_stuck = co_await throws<TimeoutError>(wait_for(wait_futures({program.state()}), 5s));
    if (is_stuck && victim == Victim::its_youngest_task) {  // It waits for the one that is gone.
        program.cancel();
        is_stuck = co_await throws<TimeoutError>(wait_for(wait_futures({program.state()}), 5s));
    }
    EXPECT_FALSE(is_stuck) << dump_tasks();
    if (program.done() && !program.cancelled()) static_cast<void>(program.exception());
    while (all_tasks().size() > 1 && elapsed() < 20s) co_await sleep(10ms);  // Shielded work.
    EXPECT_EQ(all_tasks().size(), 1u) << dump_tasks();
    EXPECT_FALSE(shared.lock.locked());
    EXPECT_FALSE(shared.condition.locked());
    EXPECT_EQ(shared.semaphore.free_count(), 1u);
    EXPECT_EQ(shared.barrier.n_waiting(), 0u);
    EXPECT_EQ(shared.entered, 0);
    EXPECT_EQ(current_task()->cancelling(), 0);
    co_return cancels;
}

void cancel_everywhere(Victim victim) {
    bool cancels = true;
    int rounds = 0;
    for (; cancels; ++rounds) {
        SCOPED_TRACE(rounds);
        simulate([&]() -> Co<> { cancels = co_await cancel_after(rounds, victim); });
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(rounds, 100);
}

}  // namespace

TEST(CancelEverywhere, A40A41TheProgramAtEveryMomentLeavesNothing) {
    cancel_everywhere(Victim::the_program);
}

TEST(CancelEverywhere, A40A41ItsYoungestTaskAtEveryMomentLeavesNothing) {
    cancel_everywhere(Victim::its_youngest_task);
}

}  // namespace weft::aio
