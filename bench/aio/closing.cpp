#include <algorithm>
#include <vector>

#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "bench/figure.h"
#include "bench/process.h"

// The end of run() while many tasks still wait, each for the one before: all are cancelled and
// awaited. The time of each must not depend on how many there are.
namespace weft::aio {
namespace {

Co<> await_forever() {
    co_await sleep(24h);
}

Co<> await_other(Task<> other) {
    co_await other;
}

// Leaves the tasks to run(); gives the moment from which on it closes.
Co<double> leave_chain(std::size_t count) {
    Task<> last = create_task(await_forever());
    for (std::size_t i = 1; i < count; ++i) last = create_task(await_other(last));
    co_await sleep(1ms);
    co_await sleep(1ms);
    co_return bench::cpu_seconds();
}

double closing_seconds(std::size_t count) {
    double best = 1e300;
    for (int i = 0; i < 5; ++i) {
        const double start = run(leave_chain(count));
        best = std::min(best, bench::cpu_seconds() - start);
    }
    return best;
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft;
    const double few = aio::closing_seconds(2'000) / 2'000;
    const double many = aio::closing_seconds(20'000) / 20'000;
    bench::figure("close a loop with 2,000 awaiting tasks, each", few * 1e6, "us", "<=12");
    bench::figure("close a loop with 20,000 awaiting tasks, each", many * 1e6, "us", "<=12");
    bench::figure("closing with 20,000 against 2,000, a task", many / few, "times", "<=3");
}
