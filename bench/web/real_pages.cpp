#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gumbo.h>

#include "bench/figure.h"
#include "bench/web/corpus.h"
#include "web/html/html.h"

// Link extraction on real pages (bench/pages), by package, beside gumbo's tree.
namespace weft::bench {
namespace {

namespace fs = std::filesystem;

struct Pages {
    std::vector<std::string> texts;
    double bytes = 0;
    double tags = 0;
};

Pages read_pages_below(const fs::path& folder) {
    Pages pages;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().extension() != ".html") continue;
        pages.texts.push_back(read_corpus(entry.path()));
        const std::string& text = pages.texts.back();
        pages.bytes += static_cast<double>(text.size());
        pages.tags += static_cast<double>(std::ranges::count(text, '<'));
    }
    return pages;
}

// As a crawl reads them: in pieces, without the text.
std::size_t link_count(web::HtmlReader& reader, const Pages& pages) {
    std::size_t count = 0;
    for (const std::string& text : pages.texts) {
        for (std::string_view rest = text; !rest.empty();) {
            const std::string_view piece = rest.substr(0, 16384);
            reader.feed(piece);
            rest.remove_prefix(piece.size());
        }
        count += reader.finish().links.size();
    }
    return count;
}

double gumbo_seconds(const Pages& pages) {
    return best_cpu_seconds(1, [&] {
        for (const std::string& text : pages.texts) {
            GumboOutput* tree =
                gumbo_parse_with_options(&kGumboDefaultOptions, text.data(), text.size());
            gumbo_destroy_output(&kGumboDefaultOptions, tree);
        }
    });
}

void measure(const fs::path& folder, Pages& sum, double& seconds_sum) {
    const Pages pages = read_pages_below(folder);
    if (pages.texts.empty()) return;
    const std::string name = "real pages: " + folder.filename().string();
    web::HtmlReader reader;
    std::size_t links = 0;
    const double seconds = best_cpu_seconds(5, [&] { links = link_count(reader, pages); });
    figure(name + ", links", pages.bytes / seconds / 1e6, "MB/s");
    figure(name + ", tags", pages.tags / seconds / 1e6, "M/s");
    figure(name + ", links found", static_cast<double>(links) / seconds / 1e6, "M/s");
    figure(name + ", times gumbo's tree", gumbo_seconds(pages) / seconds, "x");
    sum.bytes += pages.bytes;
    sum.tags += pages.tags;
    seconds_sum += seconds;
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const char* const folder = std::getenv("WEFT_PAGES");
    if (!folder) {
        fmt::print(stderr, "no real pages: bench/run sets WEFT_PAGES\n");
        return 0;
    }
    Pages sum;
    double seconds = 0;
    std::vector<fs::path> packages;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory()) packages.push_back(entry.path());
    }
    std::ranges::sort(packages);
    for (const fs::path& package : packages) measure(package, sum, seconds);
    figure("real pages: links", sum.bytes / seconds / 1e6, "MB/s", ">=800");
    figure("real pages: time of a tag", seconds / sum.tags * 1e9, "ns");
}
