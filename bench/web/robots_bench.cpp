#include <array>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "web/robots.h"

namespace weft::web {
namespace {

// 10 KB of rules as a shop or a forum has them: most are prefixes, one in four has a star.
std::string shop_robots() {
    std::string out = "User-agent: *\nCrawl-delay: 1\n";
    for (int i = 0; out.size() < 10'000; ++i) {
        switch (i % 8) {
            case 0: out += fmt::format("Disallow: /*?sort{}=\n", i); break;
            case 1: out += fmt::format("Disallow: /*/print-{}$\n", i); break;
            case 2: out += fmt::format("Allow: /catalogue/page-{}/\n", i); break;
            default: out += fmt::format("Disallow: /section-{}/private/\n", i);
        }
    }
    return out;
}

constexpr std::array<std::string_view, 6> kPaths = {
    "/",
    "/section-77/private/area/index.html",
    "/catalogue/page-10/shoes?size=44&colour=dark+blue",
    "/products/running-shoes/model-2000-long-name-of-a-thing.html",
    "/blog/2024/05/17/how-we-made-it-and-what-we-learned?utm_source=feed",
    "/articles/12/print-9",
};

void BM_RobotsDecide(benchmark::State& state) {
    const Robots robots = Robots::parse(shop_robots());
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(robots.allows("weft", kPaths[i]));
        i = (i + 1) % kPaths.size();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_RobotsDecide);

void BM_RobotsParse(benchmark::State& state) {
    const std::string text = shop_robots();
    for (auto _ : state) benchmark::DoNotOptimize(Robots::parse(text));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_RobotsParse);

// Every star must be tried at every place: the worst that 512 KiB can do to one decision.
void BM_RobotsWorstDecision(benchmark::State& state) {
    std::string text = "User-agent: *\n";
    while (text.size() < 500'000) text += "Disallow: /*a" + std::string(250, 'a') + "*b\n";
    const Robots robots = Robots::parse(text);
    const std::string path = "/ab" + std::string(8'000, 'a');
    for (auto _ : state) benchmark::DoNotOptimize(robots.allows("weft", path));
}
BENCHMARK(BM_RobotsWorstDecision)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::web
