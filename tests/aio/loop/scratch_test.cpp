// No memory that tasks share is in use where another task can run: the loop checks it wherever a
// coroutine is suspended, in builds with sanitizers or without optimisation.
#include "base/scratch.h"

#include <array>

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/async_generator.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

using Room = std::array<char, 64>;

Co<> do_nothing() {
    co_return;
}

Co<> hold_over_a_sleep() {
    const Scratch<Room, struct SleepRoom> room;
    co_await sleep(1ms);  // tidy: allow scratch: to be caught
}

Co<> hold_over_a_call() {
    const Scratch<Room, struct CallRoom> room;
    co_await do_nothing();  // tidy: allow scratch: to be caught even if nothing waits
}

AsyncGenerator<int> hold_over_a_yield() {
    const Scratch<Room, struct YieldRoom> room;
    co_yield 1;  // tidy: allow scratch: to be caught
}

Co<> take_one() {
    AsyncGenerator<int> numbers = hold_over_a_yield();
    co_await numbers.next();
}

// As the fetches of one thread once were: fills the room, lets others run, hands it on.
Co<std::string> fill_and_pause(char mark) {
    std::string_view view;
    {
        const Scratch<Room, struct SharedRoom> room;
        room->fill(mark);
        view = {room->data(), room->size()};
    }
    co_await yield_now();
    co_return std::string(view);
}

Co<> use_in_turns() {
    for (int i = 0; i < 3; ++i) {
        {
            const Scratch<Room, struct TurnRoom> room;
            room->fill('x');
        }
        co_await yield_now();
    }
}

template <class Body>
void expect_caught(Body body, const char* words) {
    if (!kChecksScratch) GTEST_SKIP() << "this build does not check";
    EXPECT_DEATH(SimulatedLoop().run(body()), words);
}

}  // namespace

TEST(Scratch, H135InUseOverAWaitIsCaught) {
    expect_caught(hold_over_a_sleep, "scratch_test.cpp.*lives over a co_await");
}

TEST(Scratch, H135InUseOverACallThatDoesNotWaitIsCaught) {
    expect_caught(hold_over_a_call, "lives over a co_await");
}

TEST(Scratch, H135InUseOverAYieldIsCaught) {
    expect_caught(take_one, "lives over a co_await");
}

TEST(Scratch, H135AViewHeldOverAWaitIsCaught) {
    if (!kChecksScratch) GTEST_SKIP() << "this build does not check";
    const auto read_stale = [] {
        const std::string bytes = SimulatedLoop().run(fill_and_pause('x'));
        if (bytes[0] != 'x') std::abort();  // Without AddressSanitizer it is only overwritten.
    };
    EXPECT_DEATH(read_stale(), "");
}

TEST(Scratch, BetweenWaitsTasksTakeTurns) {
    simulate([]() -> Co<> {
        co_await task_group([](TaskGroup& group) -> Co<> {
            for (int i = 0; i < 10; ++i) group.create_task(use_in_turns());
            co_return;
        });
    });
}

}  // namespace weft::aio
