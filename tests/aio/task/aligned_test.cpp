// Values that ask for more than 16 bytes' alignment: vectors of AVX, and what owns a cache line.
#include <cstdint>

#include <gtest/gtest.h>

#include "aio/sync/queue.h"
#include "aio/task/async_generator.h"
#include "aio/task/gather.h"
#include "aio/task/generator.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

struct alignas(64) Line {
    int number = 0;
    bool is_in_place() const { return reinterpret_cast<std::uintptr_t>(this) % alignof(Line) == 0; }
};

[[gnu::noinline]] Co<Line> make_line(int number) {
    Line line{number};
    co_await sleep(1ms);
    EXPECT_TRUE(line.is_in_place());
    co_return line;
}

[[gnu::noinline]] AsyncGenerator<Line> lines(int count) {
    for (Line line; line.number < count; ++line.number) {
        EXPECT_TRUE(line.is_in_place());
        co_yield line;
        co_await sleep(1ms);
    }
}

[[gnu::noinline]] Generator<Line> lines_at_once(int count) {
    for (Line line; line.number < count; ++line.number) {
        EXPECT_TRUE(line.is_in_place());
        co_yield line;
    }
}

}  // namespace

// Frames came from a pool of 16 bytes' alignment: AVX instructions in them ended in SIGSEGV.
TEST(Aligned, ResultsAndLocalsOfCoroutinesAreInPlace) {
    simulate([]() -> Co<> {
        std::vector<Co<Line>> made;
        for (int i = 0; i < 20; ++i) {
            Task<Line> task = create_task(make_line(i));
            const Line line = co_await task;
            EXPECT_EQ(line.number, i);
            EXPECT_TRUE(line.is_in_place());
            made.push_back(make_line(i));
        }
        const std::vector<Line> all = co_await gather(std::move(made));
        for (const Line& line : all) EXPECT_TRUE(line.is_in_place());
    });
}

TEST(Aligned, SoAreThoseOfGenerators) {
    simulate([]() -> Co<> {
        int count = 0;
        AIO_FOR(const Line& line, lines(5)) {
            EXPECT_TRUE(line.is_in_place());
            count += line.number == count;
        }
        for (const Line& line : lines_at_once(5)) count += line.number + 5 == count;
        EXPECT_EQ(count, 10);
        Queue<Line> queue(1);
        co_await queue.put(Line{3});
        const Line line = co_await queue.get();
        EXPECT_EQ(line.number, 3);
    });
}

}  // namespace weft::aio
