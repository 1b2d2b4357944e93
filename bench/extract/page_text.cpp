#include <string>
#include <vector>

#include "bench/figure.h"
#include "bench/web/corpus.h"
#include "extract/extractor.h"

// The main text of real pages and the facts about them. rs-trafilatura publishes 14.5 MB/s.
namespace weft::bench {
namespace {

double extract_rate(const std::vector<std::string>& pages, const extract::Wishes& wishes) {
    extract::Extractor extractor(wishes);
    double bytes = 0;
    for (const std::string& page : pages) bytes += static_cast<double>(page.size());
    const double seconds = best_cpu_seconds(3, [&] {
        for (const std::string& page : pages)
            extractor.read({.html = page, .content_type = "text/html; charset=utf-8"});
    });
    return bytes / seconds / 1e6;
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft;
    const std::vector<std::string> texts = bench::pages();
    bench::figure("extract: main text and fields",
                  bench::extract_rate(texts, {.detects_language = false}), "MB/s", ">=150");
    bench::figure("extract: main text as Markdown, fields and language",
                  bench::extract_rate(texts, {.text = extract::TextForm::markdown}), "MB/s",
                  ">=120");
}
