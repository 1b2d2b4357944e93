#include "aio/sync/wait_until.h"

#include <vector>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"

namespace weft::aio {
namespace {

constexpr Duration kPatience = 2ms;

Co<bool> wait_for_event(Event& event) {
    co_await wait_until(event, EventLoop::running().time() + kPatience);
    co_return event.is_set();
}

Co<> do_nothing() {
    co_return;
}

// Keeps the loop from its timers until those of wait_for_event() are long due, and leaves it with
// so much to do that it fires them before whoever becomes ready next has its turn.
std::vector<Task<>> hold_up_the_loop() {
    const EventLoop& loop = EventLoop::running();
    std::vector<Task<>> crowd;
    for (int i = 0; i < 10'000; ++i) crowd.push_back(create_task(do_nothing()));
    for (const TimePoint start = loop.time(); loop.time() < start + 2 * kPatience;) {
    }
    return crowd;
}

}  // namespace

// The timer woke a task that the event had woken already: an assertion, on busy machines only.
TEST(WaitUntil, TheTimeMayPassBetweenTheEventAndTheTasksTurn) {
    run([]() -> Co<> {
        Event event;
        const Task<bool> waiting = create_task(wait_for_event(event));
        co_await yield_now();

        const std::vector<Task<>> crowd = hold_up_the_loop();
        event.set();
        const bool came = co_await waiting;

        EXPECT_TRUE(came);
    }());
}

TEST(WaitUntil, TheTimeMayPassBetweenTheCancellationAndTheTasksTurn) {
    run([]() -> Co<> {
        Event event;
        const Task<bool> waiting = create_task(wait_for_event(event));
        co_await yield_now();

        const std::vector<Task<>> crowd = hold_up_the_loop();
        waiting.cancel();
        for (const Task<>& task : crowd) co_await task;
        co_await yield_now();

        EXPECT_TRUE(waiting.cancelled());
        event.set();  // Nobody is left in its line.
    }());
}

}  // namespace weft::aio
