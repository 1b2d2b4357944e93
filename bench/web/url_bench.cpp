#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <curl/curl.h>
#include <zlib.h>

#include "web/canonical.h"
#include "web/url.h"

// Real URLs, one a line, and (base, reference) pairs of real pages; see suites/conformance.h. The
// figure to read is items_per_second.
namespace weft::web {
namespace {

std::string corpus(const char* name) {
    const char* folder = std::getenv("WEFT_CONFORMANCE");
    return std::string(folder != nullptr ? folder : WEFT_SOURCE_DIR "/../shared/conformance") +
           "/url_corpus/" + name;
}

std::vector<std::string> read_lines(const std::string& path) {
    std::vector<std::string> lines;
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) return lines;
    std::string buffer(1 << 16, '\0');
    while (gzgets(file, buffer.data(), static_cast<int>(buffer.size())) != nullptr) {
        lines.emplace_back(buffer.c_str());
        if (lines.back().ends_with('\n')) lines.back().pop_back();
    }
    gzclose(file);
    return lines;
}

const std::vector<std::string>& urls() {
    static const std::vector<std::string> lines = read_lines(corpus("urls.txt"));
    return lines;
}

struct Link {
    Url base;
    std::string reference;
};

const std::vector<Link>& links() {
    static const std::vector<Link> all = [] {
        std::vector<Link> found;
        for (const std::string& line : read_lines(corpus("relative.tsv.gz"))) {
            const std::size_t first = line.find('\t');
            const std::size_t last = line.rfind('\t');
            found.push_back({.base = Url::parse(line.substr(0, first)).value(),
                             .reference = line.substr(first + 1, last - first - 1)});
        }
        return found;
    }();
    return all;
}

void finish(benchmark::State& state, std::size_t per_round) {
    if (per_round == 0) return state.SkipWithError("no corpus; set WEFT_CONFORMANCE");
    state.SetItemsProcessed(static_cast<std::int64_t>(per_round) * state.iterations());
}

void parse(benchmark::State& state) {
    for (auto _ : state) {
        for (const std::string& text : urls()) benchmark::DoNotOptimize(Url::parse(text));
    }
    finish(state, urls().size());
}
BENCHMARK(parse)->Unit(benchmark::kMillisecond);

void resolve(benchmark::State& state) {
    for (auto _ : state) {
        for (const Link& link : links()) {
            benchmark::DoNotOptimize(link.base.resolve(link.reference));
        }
    }
    finish(state, links().size());
}
BENCHMARK(resolve)->Unit(benchmark::kMillisecond);

void key(benchmark::State& state) {
    std::vector<Url> parsed;
    for (const std::string& text : urls()) {
        if (auto url = Url::parse(text)) parsed.push_back(*std::move(url));
    }
    for (auto _ : state) {
        for (const Url& url : parsed) benchmark::DoNotOptimize(canonical_key(url));
    }
    finish(state, parsed.size());
}
BENCHMARK(key)->Unit(benchmark::kMillisecond);

void curl_parse(benchmark::State& state) {
    for (auto _ : state) {
        for (const std::string& text : urls()) {
            CURLU* handle = curl_url();
            char* href = nullptr;
            if (curl_url_set(handle, CURLUPART_URL, text.c_str(), CURLU_URLENCODE) == CURLUE_OK) {
                curl_url_get(handle, CURLUPART_URL, &href, 0);
            }
            benchmark::DoNotOptimize(href);
            curl_free(href);
            curl_url_cleanup(handle);
        }
    }
    finish(state, urls().size());
}
BENCHMARK(curl_parse)->Unit(benchmark::kMillisecond);

void curl_resolve(benchmark::State& state) {
    for (auto _ : state) {
        for (const Link& link : links()) {
            CURLU* handle = curl_url();
            char* href = nullptr;
            curl_url_set(handle, CURLUPART_URL, link.base.href().c_str(), 0);
            curl_url_set(handle, CURLUPART_URL, link.reference.c_str(), CURLU_URLENCODE);
            curl_url_get(handle, CURLUPART_URL, &href, 0);
            benchmark::DoNotOptimize(href);
            curl_free(href);
            curl_url_cleanup(handle);
        }
    }
    finish(state, links().size());
}
BENCHMARK(curl_resolve)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::web

BENCHMARK_MAIN();
