#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <time.h>

// What a benchmark program prints and how it measures; bench/run adds the verdict to each line.
namespace weft::bench {

// One line: name, value, unit, and the bar as `>=5` or `<=50`, or `-` where there is none.
inline void figure(std::string_view name, double value, std::string_view unit,
                   std::string_view bar = "-") {
    const std::string digits = value < 1000 ? fmt::format("{:.4g}", value)  //
                                            : fmt::format("{:.0f}", value);
    fmt::print("{}\t{}\t{}\t{}\n", name, digits, unit, bar);
    std::fflush(stdout);
}

inline double thread_cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Seconds of the fastest of `count` runs by the clock `now`: the others were disturbed.
template <class Work>
double best_seconds(int count, Work work, double (*now)() = wall_seconds) {
    double best = 1e300;
    for (int i = 0; i < count; ++i) {
        const double start = now();
        work();
        best = std::min(best, now() - start);
    }
    return best;
}

// The same in CPU time of this thread, for work that only computes: time that other programs took
// from it does not count. On a busy machine the difference was a factor of five.
template <class Work>
double best_cpu_seconds(int count, Work work) {
    return best_seconds(count, std::move(work), thread_cpu_seconds);
}

}  // namespace weft::bench
