#include "aio/loop/timers.h"

#include <vector>

#include "bench/figure.h"
#include "bench/process.h"

// Deadlines that almost never fire: each connection's is moved with every answer.
namespace weft::aio {
namespace {

constexpr std::size_t kLive = 100'000;
constexpr int kRounds = 2'000'000;
constexpr int kRoundsPerPoll = 64;

struct NullTimer final : Timer {
    void fire() noexcept override {}
};

void measure_rearms() {
    TimerQueue queue;
    std::vector<NullTimer> timers(kLive);
    TimePoint now{};
    std::uint64_t random = 1;
    for (NullTimer& timer : timers) queue.arm(timer, now += 300us);
    const double seconds = bench::best_cpu_seconds(5, [&] {
        for (int i = 0; i < kRounds; ++i) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            NullTimer& timer = timers[(random >> 33) % kLive];
            now += 100ns;
            queue.disarm(timer);
            queue.arm(timer, now + 30s);
            if (i % kRoundsPerPoll == 0) queue.fire_due(now);
        }
    });
    for (NullTimer& timer : timers) queue.disarm(timer);
    bench::figure("timer re-arms at 100,000 live", kRounds / seconds / 1e6, "M/s", ">=15");
}

}  // namespace
}  // namespace weft::aio

int main() {
    weft::aio::measure_rearms();
}
