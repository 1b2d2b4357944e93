#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "bench/figure.h"
#include "bench/process.h"

// What it costs to time every step, so that one that holds the loop up can be reported.
namespace weft::aio {
namespace {

constexpr int kSteps = 500'000;

Co<> yield_many(int count) {
    for (int i = 0; i < count; ++i) co_await sleep(0s);
}

double nanoseconds_a_step(bool debug) {
    const double seconds = bench::best_cpu_seconds(
        5, [&] { run(yield_many(kSteps), {.debug = debug, .slow_step = 1h}); });
    return seconds / kSteps * 1e9;
}

}  // namespace
}  // namespace weft::aio

int main() {
    const double without = weft::aio::nanoseconds_a_step(false);
    const double with = weft::aio::nanoseconds_a_step(true);
    weft::bench::figure("stall detector, a step", with - without, "ns");
}
