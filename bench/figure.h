#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

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

// Seconds of the fastest of `count` runs: the others were disturbed.
template <class Work>
double best_seconds(int count, Work work) {
    double best = 1e300;
    for (int i = 0; i < count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
    }
    return best;
}

}  // namespace weft::bench
