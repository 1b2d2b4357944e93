#include <sstream>

#include "aio/loop/run.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "bench/figure.h"
#include "bench/process.h"

// What it costs to switch, to await a child and to make a task; beside CPython's asyncio and Asio's
// coroutines, which do the same in the same run.
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
    const double seconds = bench::best_cpu_seconds(7, [&] { static_cast<void>(run(make(count))); });
    return seconds / count * 1e9;
}

struct Costs {
    double yield = 0;
    double await = 0;
    double spawn = 0;
};

// Of a program that prints the three numbers.
Costs costs_of(const std::vector<std::string>& command) {
    Costs costs;
    std::istringstream(bench::Child(command).wait().output) >> costs.yield >> costs.await >>
        costs.spawn;
    return costs;
}

void compare(const std::string& whom, const Costs& ours, const Costs& theirs, bool is_python) {
    if (theirs.spawn == 0) return bench::note_missing(whom, "the comparison with it");
    const auto ratio = [&](std::string_view what, double own, double other, std::string_view bar) {
        bench::figure(fmt::format("{}: {} takes longer by", what, whom), other / own, "x", bar);
    };
    ratio("sleep(0) hop", ours.yield, theirs.yield, is_python ? ">=50" : ">=1");
    ratio("child await", ours.await, theirs.await, is_python ? "-" : ">=1");
    ratio("create_task and await", ours.spawn, theirs.spawn, is_python ? ">=40" : ">=1");
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft;
    using namespace weft::aio;
    const Costs python =
        costs_of({"python3", WEFT_SOURCE_DIR "/bench/aio/peers/asyncio_switching.py"});
    const std::string peer = bench::find_peer("asio_switching");
    const Costs asio = peer.empty() ? Costs{} : costs_of({peer});
    const Costs ours{.yield = nanoseconds_each(1'000'000, yield_many),
                     .await = nanoseconds_each(1'000'000, await_many),
                     .spawn = nanoseconds_each(300'000, spawn_many)};

    bench::figure("sleep(0) hop", ours.yield, "ns", "<=30");
    bench::figure("child await", ours.await, "ns", "<=20");
    bench::figure("create_task and await", ours.spawn, "ns", "<=150");
    compare("CPython's asyncio", ours, python, true);
    compare("Asio", ours, asio, false);
}
