#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "web/sitemap.h"

namespace weft::web {
namespace {

void BM_Sitemap(benchmark::State& state) {
    std::string text =
        "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/"
        "sitemap/0.9'>\n";
    for (int i = 0; i < 10'000; ++i) {
        text += fmt::format(
            "  <url>\n    <loc>https://www.example.com/a/{}?x=1&amp;y=2</loc>\n"
            "    <lastmod>2026-03-01T12:00:00+00:00</lastmod>\n"
            "    <changefreq>daily</changefreq>\n    <priority>0.8</priority>\n  </url>\n",
            i);
    }
    text += "</urlset>\n";
    for (auto _ : state) {
        SitemapParser parser(
            {}, [](const SitemapEntry& entry) { benchmark::DoNotOptimize(entry.location.data()); });
        parser.feed(text);
        benchmark::DoNotOptimize(parser.finish());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(BM_Sitemap)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::web
