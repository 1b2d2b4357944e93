#include <vector>

#include <malloc.h>

#include "aio/frame_pool.h"
#include "aio/gather.h"
#include "aio/io_waiter.h"
#include "aio/run.h"
#include "aio/sleep.h"
#include "aio/task.h"
#include "bench/figure.h"

// The cost of the runtime itself: switching, awaiting, spawning, cancelling, timing, memory.
namespace weft::aio {
namespace {

Co<int> child() {
    co_return 1;
}

Co<> yield_many(int count) {
    for (int i = 0; i < count; ++i) co_await sleep(0s);
}

Co<int> await_many(int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        const int value = co_await child();
        sum += value;
    }
    co_return sum;
}

Co<int> spawn_many(int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        Task<int> task = create_task(child());
        const int value = co_await std::move(task);
        sum += value;
    }
    co_return sum;
}

template <class Make>
double nanoseconds_each(int count, Make make) {
    const double seconds = bench::best_seconds(5, [&] { static_cast<void>(run(make(count))); });
    return seconds / count * 1e9;
}

// Four coroutines deep, waiting for a socket that never speaks.
struct Parked {
    static Co<> receive(IoSide& side) { co_await side.wait(); }
    static Co<> read_head(IoSide& side) { co_await receive(side); }
    static Co<> fetch(IoSide& side) { co_await read_head(side); }
    static Co<> work(IoSide& side) { co_await fetch(side); }
};

Co<> measure_parked(std::size_t count) {
    std::vector<IoSide> sides(count);
    std::vector<Task<>> tasks;
    tasks.reserve(count);
    const std::size_t before = mallinfo2().uordblks;
    for (IoSide& side : sides) tasks.push_back(create_task(Parked::work(side)));
    co_await sleep(0s);
    co_await sleep(0s);
    const std::size_t after = mallinfo2().uordblks;
    bench::figure("heap per task parked on a socket, 4 levels",
                  static_cast<double>(after - before) / static_cast<double>(count), "B", "<=704");
    const double seconds = bench::best_seconds(1, [&] {
        for (Task<>& task : tasks) task.cancel();
    });
    for (Task<>& task : tasks) {
        try {
            co_await task;
        } catch (const CancelledError&) {
        }
    }
    bench::figure("cancel requests", seconds / static_cast<double>(count) * 1e9, "ns");
}

struct NullTimer final : Timer {
    void fire() noexcept override {}
};

void measure_timers() {
    constexpr std::size_t kLive = 100'000;
    constexpr int kRounds = 2'000'000;
    TimerQueue heap;
    std::vector<NullTimer> timers(kLive);
    TimePoint now{};
    std::uint64_t random = 1;
    for (NullTimer& timer : timers) heap.arm(timer, now + std::chrono::nanoseconds(++random));
    const double seconds = bench::best_seconds(3, [&] {
        for (int i = 0; i < kRounds; ++i) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            NullTimer& timer = timers[(random >> 33) % kLive];
            now += 100ns;
            heap.disarm(timer);
            heap.arm(timer, now + 30s);
        }
    });
    for (NullTimer& timer : timers) heap.disarm(timer);
    bench::figure("timer re-arms at 100,000 live", kRounds / seconds / 1e6, "M/s", ">=15");
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft::aio;
    weft::bench::figure("sleep(0) hop", nanoseconds_each(1'000'000, yield_many), "ns", "<=30");
    weft::bench::figure("child await", nanoseconds_each(1'000'000, await_many), "ns", "<=20");
    weft::bench::figure("create_task and await", nanoseconds_each(300'000, spawn_many), "ns",
                        "<=150");
    run(measure_parked(100'000));
    measure_timers();
}
