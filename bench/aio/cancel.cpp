#include <algorithm>
#include <chrono>
#include <vector>

#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "bench/figure.h"
#include "bench/process.h"
#include "tests/support/forwarding_selector.h"

// An outage: 20,000 tasks, each five coroutines deep, are cancelled at once, and the loop goes on
// serving others meanwhile.
namespace weft::aio {
namespace {

constexpr std::size_t kTasks = 20'000;

// The system's selector, with the longest time between two looks at it: what everybody else waits.
// Up to 64 steps lie between them, so no step is longer.
class WatchedSelector final : public tests::ForwardingSelector {
public:
    WatchedSelector() : ForwardingSelector(make_default_selector()) {}

    void select(std::optional<Duration> timeout) override {
        longest = std::max(longest, bench::cpu_seconds() - last_);
        ForwardingSelector::select(timeout);
        last_ = bench::cpu_seconds();
    }

    double longest = 0;

private:
    double last_ = bench::cpu_seconds();
};

[[gnu::noinline]] Co<> wait_level(int levels) {
    if (levels > 1) {
        co_await wait_level(levels - 1);
    } else {
        co_await sleep(1h);
    }
}

struct Outcome {
    double seconds = 0;
    double longest_gap = 0;
};

Co<Outcome> cancel_all(WatchedSelector& selector) {
    std::vector<Task<>> tasks;
    for (std::size_t i = 0; i < kTasks; ++i) tasks.push_back(create_task(wait_level(5)));
    co_await sleep(1ms);
    co_await sleep(1ms);
    selector.longest = 0;
    const double start = bench::cpu_seconds();
    for (Task<>& task : tasks) task.cancel();
    std::size_t cancelled = 0;
    for (Task<>& task : tasks) {
        while (!task.done()) co_await sleep(0s);
        cancelled += task.cancelled();
    }
    const double seconds = bench::cpu_seconds() - start;
    co_return Outcome{.seconds = cancelled == kTasks ? seconds : 1e9,
                      .longest_gap = selector.longest};
}

Outcome measure_once() {
    WatchedSelector selector;
    const SystemPlatform system;
    Platform platform = system.get();
    platform.selector = &selector;
    EventLoop loop(platform);
    return run_on(loop, cancel_all(selector));
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft;
    aio::Outcome best = aio::measure_once();
    for (int i = 0; i < 4; ++i) {
        const aio::Outcome next = aio::measure_once();
        best.seconds = std::min(best.seconds, next.seconds);
        best.longest_gap = std::min(best.longest_gap, next.longest_gap);
    }
    bench::figure("cancel and unwind 20,000 tasks, 5 levels", best.seconds * 1e3, "ms", "<=250");
    bench::figure("cancel and unwind a task, 5 levels", best.seconds / aio::kTasks * 1e6, "us",
                  "<=12");
    bench::figure("longest the loop was held up by it", best.longest_gap * 1e3, "ms", "<=10");
}
