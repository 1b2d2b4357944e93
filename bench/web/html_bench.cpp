#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <gumbo.h>
#include <zlib.h>

#include "web/html.h"
#include "web/html_tokenizer.h"

namespace {

using namespace weft::web;

std::string read_gzip(const std::filesystem::path& file) {
    std::string text(1 << 24, '\0');
    const gzFile in = gzopen(file.c_str(), "rb");
    const int n = gzread(in, text.data(), static_cast<unsigned>(text.size()));
    gzclose(in);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
}

// The pages of the conformance suite, or of the folder in WEFT_CONFORMANCE.
const std::vector<std::string>& pages() {
    static const std::vector<std::string> loaded = [] {
        const char* dir = std::getenv("WEFT_CONFORMANCE");
        const std::filesystem::path root =
            dir != nullptr ? dir : WEFT_SOURCE_DIR "/../shared/conformance";
        std::vector<std::string> texts;
        for (const auto& entry : std::filesystem::directory_iterator(root / "pages/html")) {
            texts.push_back(read_gzip(entry.path()));
        }
        return texts;
    }();
    return loaded;
}

void count_bytes(benchmark::State& state) {
    std::size_t total = 0;
    for (const std::string& page : pages()) total += page.size();
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(total));
}

class TagCounter final : public HtmlSink {
public:
    HtmlText start_tag(const HtmlTag& tag) override {
        ++count;
        switch (tag.element) {
            case Element::script: return HtmlText::script_data;
            case Element::style: return HtmlText::rawtext;
            case Element::title: return HtmlText::rcdata;
            default: return HtmlText::data;
        }
    }
    void end_tag(const HtmlTag&) override { ++count; }
    std::size_t count = 0;
};

void tokenize(benchmark::State& state) {
    TagCounter counter;
    HtmlTokenizer tokenizer(counter);
    for (auto _ : state) {
        for (const std::string& page : pages()) {
            tokenizer.reset();
            tokenizer.want_text(state.range(0) != 0);
            tokenizer.want_comments(false);
            tokenizer.feed(page);
            tokenizer.finish();
        }
    }
    benchmark::DoNotOptimize(counter.count);
    count_bytes(state);
}
BENCHMARK(tokenize)->ArgName("text")->Arg(0)->Arg(1);

void links(benchmark::State& state) {
    HtmlReader reader({.wants_link_text = state.range(1) != 0, .wants_text = state.range(1) != 0});
    const auto piece_bytes = static_cast<std::size_t>(state.range(0));
    for (auto _ : state) {
        for (const std::string_view page : pages()) {
            for (std::size_t i = 0; i < page.size(); i += piece_bytes) {
                reader.feed(page.substr(i, piece_bytes));
            }
            benchmark::DoNotOptimize(reader.finish());
        }
    }
    count_bytes(state);
}
BENCHMARK(links)
    ->ArgNames({"piece", "text"})
    ->Args({1 << 30, 0})
    ->Args({16384, 0})
    ->Args({16384, 1});

// What gumbo needs for its tree alone, before anyone has walked it for links.
void gumbo(benchmark::State& state) {
    for (auto _ : state) {
        for (const std::string& page : pages()) {
            GumboOutput* output =
                gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size());
            gumbo_destroy_output(&kGumboDefaultOptions, output);
        }
    }
    count_bytes(state);
}
BENCHMARK(gumbo);

}  // namespace

int main(int argc, char** argv) {
    pages();  // Not to be timed.
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
