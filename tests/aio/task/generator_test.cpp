#include "aio/task/generator.h"

#include <thread>

#include <gtest/gtest.h>
#include <malloc.h>

#include "aio/simulated/simulation.h"
#include "aio/sync/timeout.h"
#include "aio/task/async_generator.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_local.h"
#include "base/units.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

Generator<int, int> times2() {
    int x = co_yield 0;
    for (;;) x = co_yield x * 2;
}

Generator<int> count(int to) {
    for (int i = 0; i < to; ++i) co_yield i;
}

AsyncGenerator<int> three_one() {
    co_yield 3;
    co_await sleep(1s);
    co_yield 1;
}

AsyncGenerator<int, int> doubled_squares() {
    int x = 1;
    for (int i = 0; i < 4; ++i) x = co_yield x * x * 2;
}

// Notes how it ended: by RAII, by exception, or to its end.
AsyncGenerator<int> noting(std::string& log) {
    struct Leaving {
        std::string& log;
        ~Leaving() { log += "left "; }
    } leaving{log};
    bool closed = false;
    try {
        for (int i = 0;; ++i) co_yield i;
    } catch (const GeneratorExit&) {
        closed = true;
    } catch (const Error& error) {
        log += error.what();
        log += ' ';
    }
    if (closed) {
        co_await sleep(1s);
        log += "cleaned ";
        throw GeneratorExit();
    }
    co_yield -1;
}

AsyncGenerator<int> stubborn() {
    bool told = false;
    while (!told) {
        try {
            co_yield 1;
        } catch (const GeneratorExit&) {
            told = true;
        }
    }
    co_yield 2;
}

AsyncGenerator<int> failing() {
    co_yield 1;
    throw Error("no more");
}

template <class T>
concept HasCoAwait = requires(T&& value) { std::forward<T>(value).operator co_await(); };
template <class T>
concept IsAwaiter = requires(T&& value) { value.await_ready(); };
template <class Promise>
concept ReturnsValue = requires(Promise& promise) { promise.return_value(1); };

static_assert(!HasCoAwait<AsyncGenerator<int>> && !IsAwaiter<AsyncGenerator<int>>, "A36");
static_assert(!ReturnsValue<AsyncGenerator<int>::promise_type>, "A36");

}  // namespace

TEST(Generator, A38Times2GivesEightForFourAndEighteenForNine) {
    Generator<int, int> doubled = times2();

    EXPECT_THROW(doubled.send(1), InvalidStateError);
    doubled.next();

    EXPECT_EQ(doubled.send(4), 8);
    EXPECT_EQ(doubled.send(9), 18);
}

TEST(Generator, WorksInARangeForAndStaysEnded) {
    std::vector<int> seen;
    Generator<int> numbers = count(4);

    for (const int number : numbers) seen.push_back(number);

    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(numbers.next(), std::nullopt);
    EXPECT_EQ(numbers.next(), std::nullopt);
}

TEST(Generator, DroppedEarlyFreesItsFrame) {
    const std::size_t before = frame_pool::live_count();
    {
        Generator<int> numbers = count(4);
        numbers.next();
    }

    EXPECT_EQ(frame_pool::live_count(), before);
}

// A slab of 64 KiB was lost with each thread that had no loop.
TEST(Generator, AThreadWithoutALoopGivesTheMemoryOfItsFramesBack) {
    constexpr std::size_t kThreads = 64;
    const auto in_use = [] { return ::mallinfo2().uordblks; };  // 0 under the sanitizers.
    const auto use_generator = [] {
        for (const int number : count(4)) EXPECT_LT(number, 4);
    };
    std::thread(use_generator).join();  // What the first thread of a process allocates stays.

    const std::size_t before = in_use();
    for (std::size_t i = 0; i < kThreads; ++i) std::thread(use_generator).join();

    EXPECT_LT(in_use(), before + kThreads * 64_KiB / 4);
}

TEST(AsyncGenerator, A35A36YieldsThreeThenOneThenStaysEnded) {
    simulate([]() -> Co<> {
        AsyncGenerator<int> generator = three_one();
        std::vector<int> seen;
        while (auto value = co_await generator.next()) seen.push_back(*value);
        EXPECT_EQ(seen, (std::vector<int>{3, 1}));
        EXPECT_EQ(elapsed(), 1s);
        const auto after = co_await generator.next();
        EXPECT_EQ(after, std::nullopt);
        const auto later = co_await anext(generator);
        EXPECT_EQ(later, std::nullopt);
    });
}

TEST(AsyncGenerator, A35HasALoopFormAndACollection) {
    simulate([]() -> Co<> {
        std::vector<int> seen;
        AIO_FOR(const int value, three_one()) seen.push_back(value);
        EXPECT_EQ(seen, (std::vector<int>{3, 1}));
        const std::vector<int> all = co_await collect(three_one());
        EXPECT_EQ(all, seen);
    });
}

TEST(AsyncGenerator, A37AsendGives2And8And128And32768ThenTheEnd) {
    simulate([]() -> Co<> {
        AsyncGenerator<int, int> generator = doubled_squares();
        std::vector<int> seen;
        auto value = co_await generator.next();
        while (value) {
            seen.push_back(*value);
            value = co_await generator.asend(*value);
        }
        EXPECT_EQ(seen, (std::vector<int>{2, 8, 128, 32768}));
    });
}

TEST(AsyncGenerator, AValueSentBeforeTheFirstNextIsAnError) {
    simulate([]() -> Co<> {
        AsyncGenerator<int, int> generator = doubled_squares();
        EXPECT_THROW(static_cast<void>(generator.asend(1)), InvalidStateError);
        co_return;
    });
}

TEST(AsyncGenerator, A36AnEarlyBreakRunsItsCleanUp) {
    std::string log;

    simulate([&]() -> Co<> {
        AIO_FOR(const int value, noting(log)) {
            if (value == 2) break;
        }
        EXPECT_EQ(log, "left ");
    });
}

TEST(AsyncGenerator, A36AcloseWaitsForTheCleanUp) {
    std::string log;

    simulate([&]() -> Co<> {
        AsyncGenerator<int> generator = noting(log);
        co_await generator.next();
        co_await generator.aclose();
        EXPECT_EQ(log, "cleaned left ");
        EXPECT_EQ(elapsed(), 1s);
        EXPECT_TRUE(generator.ended());
        co_await generator.aclose();
        const auto after = co_await generator.next();
        EXPECT_EQ(after, std::nullopt);
    });
}

TEST(AsyncGenerator, AcloseBeforeTheFirstStepRunsNothing) {
    std::string log;

    simulate([&]() -> Co<> {
        AsyncGenerator<int> generator = noting(log);
        co_await generator.aclose();
        EXPECT_EQ(log, "");
        EXPECT_TRUE(generator.ended());
    });
}

TEST(AsyncGenerator, ThatYieldsWhenToldToCloseIsAnError) {
    simulate([]() -> Co<> {
        AsyncGenerator<int> generator = stubborn();
        co_await generator.next();
        const bool refused = co_await throws<InvalidStateError>(generator.aclose());
        EXPECT_TRUE(refused);
        EXPECT_TRUE(generator.ended());
    });
}

TEST(AsyncGenerator, AthrowThrowsAtTheYieldAndGivesTheNextValue) {
    std::string log;

    simulate([&]() -> Co<> {
        AsyncGenerator<int> generator = noting(log);
        co_await generator.next();
        const auto value = co_await generator.athrow(std::make_exception_ptr(Error("thrown")));
        EXPECT_EQ(value, -1);
        EXPECT_EQ(log, "thrown ");
    });
}

TEST(AsyncGenerator, AnExceptionOfItsBodyEndsIt) {
    simulate([]() -> Co<> {
        AsyncGenerator<int> generator = failing();
        co_await generator.next();
        bool has_failed = false;
        try {
            co_await generator.next();
        } catch (const Error&) {
            has_failed = true;
        }
        EXPECT_TRUE(has_failed);
        const auto after = co_await generator.next();
        EXPECT_EQ(after, std::nullopt);
    });
}

TEST(AsyncGenerator, ACancellationInsideItEndsIt) {
    simulate([]() -> Co<> {
        Task<> task = create_task([]() -> Co<> {
            AsyncGenerator<int> generator = three_one();
            co_await generator.next();
            bool was_cancelled = false;
            try {
                co_await generator.next();
            } catch (const CancelledError&) {
                was_cancelled = true;
            }
            EXPECT_TRUE(was_cancelled);
            EXPECT_TRUE(generator.ended());
            throw CancelledError();
        }());
        co_await sleep(500ms);
        task.cancel();
        co_await sleep(1s);
        EXPECT_TRUE(task.cancelled());
    });
}

TEST(AsyncGenerator, AwaitedByTwoTasksAtOnceIsAnError) {
    simulate([]() -> Co<> {
        AsyncGenerator<int> generator = three_one();
        co_await generator.next();
        Task<> first = create_task(
            [](AsyncGenerator<int>& shared) -> Co<> { co_await shared.next(); }(generator));
        co_await sleep(500ms);
        bool refused = false;
        try {
            co_await generator.next();
        } catch (const InvalidStateError&) {
            refused = true;
        }
        EXPECT_TRUE(refused);
        co_await first;
    });
}

// Its line was empty until its first co_await.
TEST(AsyncGenerator, A17AnExceptionNamesTheGeneratorItLeft) {
    struct Numbers {
        static AsyncGenerator<int> failing_numbers(bool at_once) {
            if (at_once) throw Error("before the first");
            co_yield 1;
            throw Error("after the first");
        }
    };
    simulate([]() -> Co<> {
        for (const bool at_once : {true, false}) {
            auto numbers = Numbers::failing_numbers(at_once);
            std::string stack;
            try {
                while (co_await numbers.next()) {
                }
            } catch (const Error&) {
                stack = format_stack(current_task()->exception_stack());
            }
            EXPECT_TRUE(stack.starts_with("  generator_test.cpp:")) << stack;
            EXPECT_NE(stack.find("failing_numbers"), std::string::npos) << stack;
        }
    });
}

TEST(AsyncGenerator, A17IsPartOfTheStackOfItsTask) {
    simulate([]() -> Co<> {
        Task<std::vector<int>> task = create_task(collect(three_one()));
        co_await sleep(500ms);
        const std::string stack = task.print_stack();
        EXPECT_LT(stack.find("three_one"), stack.find("collect")) << stack;
        co_await task;
    });
}

namespace {

AsyncGenerator<int> under_a_deadline() {
    auto deadline = co_await timeout(1s);
    co_yield 1;
    co_yield 2;
}

}  // namespace

// The deadline cancelled the task that had begun the loop, which might be gone by then.
TEST(AsyncGenerator, ADeadlineCannotSpanAYield) {
    simulate([]() -> Co<> {
        auto numbers = under_a_deadline();
        std::string refused;
        try {
            co_await numbers.next();
        } catch (const InvalidStateError& error) {
            refused = error.what();
        }
        EXPECT_NE(refused.find("timeout()"), std::string::npos) << refused;
        co_await sleep(1h);
    });
}

TEST(AsyncGenerator, ADeadlineMayEndBeforeTheYield) {
    simulate([]() -> Co<> {
        auto numbers = []() -> AsyncGenerator<int> {
            for (int i = 0; i < 3; ++i) {
                {
                    auto deadline = co_await timeout(1s);
                    co_await sleep(1ms);
                }
                co_yield i;
            }
        }();
        EXPECT_EQ(co_await collect(std::move(numbers)), (std::vector<int>{0, 1, 2}));
    });
}

// The scope in the dropped frame had no task to put its value back into, and threw.
TEST(TaskLocal, AScopeInADroppedGeneratorIsHarmless) {
    static TaskLocal<int> number(1);
    const auto numbers = []() -> AsyncGenerator<int> {
        auto scope = number.scoped(2);
        co_yield number.get();
    };
    std::optional<AsyncGenerator<int>> left;

    simulate([&]() -> Co<> {
        AsyncGenerator<int> in_another_task = numbers();
        co_await create_task([](AsyncGenerator<int>& values) -> Co<> {
            EXPECT_EQ(co_await values.next(), 2);
        }(in_another_task));
        EXPECT_EQ(number.get(), 1);
    });
    {
        SimulatedLoop loop;
        loop.run([](auto make, std::optional<AsyncGenerator<int>>& out) -> Co<> {
            out = make();
            EXPECT_EQ(co_await out->next(), 2);
        }(numbers, left));
    }
    left.reset();
    EXPECT_EQ(number.get(), 1);
}

}  // namespace weft::aio
