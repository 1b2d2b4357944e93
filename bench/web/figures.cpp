#include <atomic>
#include <new>
#include <string>
#include <vector>

#include <curl/curl.h>
#include <gumbo.h>

#include "bench/figure.h"
#include "bench/web/corpus.h"
#include "web/html/html.h"
#include "web/robots/robots.h"
#include "web/url/url.h"

// Counts what is allocated, so that "no allocation" and "at most 2 MiB" are measured, not believed.
namespace {
std::atomic<std::size_t> allocation_count = 0;
std::atomic<std::size_t> live_bytes = 0;
std::atomic<std::size_t> peak_bytes = 0;
}  // namespace

void* operator new(std::size_t bytes) {
    auto* block = static_cast<std::size_t*>(std::malloc(bytes + 16));
    if (!block) throw std::bad_alloc();
    *block = bytes;
    ++allocation_count;
    const std::size_t live = live_bytes += bytes;
    if (live > peak_bytes) peak_bytes = live;
    return block + 2;
}
void operator delete(void* memory) noexcept {
    if (!memory) return;
    auto* block = static_cast<std::size_t*>(memory) - 2;
    live_bytes -= *block;
    std::free(block);
}
void operator delete(void* memory, std::size_t) noexcept {
    operator delete(memory);
}

namespace weft::bench {
namespace {

using web::HtmlOptions;
using web::HtmlReader;
using web::Url;

std::size_t read_pages(HtmlReader& reader, const std::vector<std::string>& texts) {
    std::size_t links = 0;
    for (const std::string& text : texts) {
        for (std::string_view rest = text; !rest.empty();) {
            const std::string_view piece = rest.substr(0, 16384);
            reader.feed(piece);
            rest.remove_prefix(piece.size());
        }
        links += reader.finish().links.size();
    }
    return links;
}

struct Shape {
    const char* name;
    const char* head;
    const char* unit;
};

constexpr Shape kShapes[] = {
    {"nested tags", "", "<div><b><i>"},
    {"one tag", "<a ", "x=y "},
    {"one attribute", "<a href='", "xxxxxxxx"},
    {"one comment", "<!--", "-- > --"},
    {"one script", "<script>", "<!--<script>"},
    {"entities", "", "&notit;&#x41;&amp"},
    {"unclosed quotes", "", "<a href=\"x>"},
    {"table mess", "<table>", "<tr><b><td><a>"},
    {"select mess", "<select>", "<option><select>"},
    {"links", "", "<a href=/p>x</a>"},
};

std::string make_shape(const Shape& shape, std::size_t bytes) {
    std::string text = shape.head;
    while (text.size() < bytes) text += shape.unit;
    return text;
}

void measure_html() {
    const std::vector<std::string> texts = pages();
    double bytes = 0;
    for (const std::string& text : texts) bytes += static_cast<double>(text.size());

    HtmlReader reader;
    const double links = best_cpu_seconds(5, [&] { read_pages(reader, texts); });
    HtmlReader text_reader(HtmlOptions{.wants_link_text = true, .wants_text = true});
    const double with_text = best_cpu_seconds(5, [&] { read_pages(text_reader, texts); });
    const double gumbo = best_cpu_seconds(2, [&] {
        for (const std::string& text : texts) {
            GumboOutput* tree =
                gumbo_parse_with_options(&kGumboDefaultOptions, text.data(), text.size());
            gumbo_destroy_output(&kGumboDefaultOptions, tree);
        }
    });
    figure("HTML links", bytes / links / 1e6, "MB/s", ">=500");
    figure("HTML links, times gumbo's tree", gumbo / links, "x", ">=10");
    figure("HTML links with anchor and visible text", bytes / with_text / 1e6, "MB/s");
}

// A page of many links, so that what a page costs once does not count.
void measure_allocations() {
    const std::vector<std::string> page(
        1, make_shape({"", "", "<p>text <a rel=next href='/p&amp;q'>x</a></p>"}, 400'000));
    HtmlReader reader;
    std::size_t link_count = read_pages(reader, page);
    const std::size_t before = allocation_count;
    link_count = read_pages(reader, page);
    const auto allocations = static_cast<double>(allocation_count - before);
    figure("allocations per link", allocations / static_cast<double>(link_count), "", "<=0.01");
}

void measure_urls() {
    const std::vector<std::string> texts = urls();
    const auto count = static_cast<double>(texts.size());
    std::size_t sum = 0;
    const double parse = best_cpu_seconds(5, [&] {
        for (const std::string& text : texts) {
            const auto url = Url::parse(text);
            if (url) sum += url->href().size();
        }
    });
    const Url base = Url::parse("https://www.example.org/a/b/c.html?x=1").value();
    std::vector<std::string> references;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        references.push_back(i % 3 == 0 ? texts[i] : fmt::format("../d/page-{}.html?q={}", i, i));
    }
    const double resolve = best_cpu_seconds(5, [&] {
        for (const std::string& reference : references) {
            const auto url = base.resolve(reference);
            if (url) sum += url->href().size();
        }
    });
    const auto with_curl = [&](const std::vector<std::string>& all, const char* start) {
        return best_cpu_seconds(2, [&] {
            for (const std::string& text : all) {
                CURLU* handle = curl_url();
                if (start) curl_url_set(handle, CURLUPART_URL, start, 0);
                char* href = nullptr;
                if (curl_url_set(handle, CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) ==
                        CURLUE_OK &&
                    curl_url_get(handle, CURLUPART_URL, &href, 0) == CURLUE_OK) {
                    sum += static_cast<unsigned char>(href[0]);
                    curl_free(href);
                }
                curl_url_cleanup(handle);
            }
        });
    };
    figure("URL parse", count / parse / 1e6, "M/s", ">=4");
    figure("URL parse, times curl's", with_curl(texts, nullptr) / parse, "x", ">=5");
    figure("URL resolve", count / resolve / 1e6, "M/s", ">=4");
    figure("URL resolve, times curl's", with_curl(references, base.href().c_str()) / resolve, "x",
           ">=5");
    if (sum == 0) std::abort();
}

void measure_robots() {
    std::string text = "User-agent: *\n";
    for (int i = 0; text.size() < 10'000; ++i) {
        text += i % 4 == 0 ? fmt::format("Disallow: /*/print-{}$\n", i)
                           : fmt::format("Disallow: /section-{}/private/\n", i);
    }
    const web::Robots robots = web::Robots::parse(text);
    constexpr int kRounds = 500'000;
    const char* paths[] = {"/", "/section-77/private/x.html",
                           "/products/shoes/model-2000.html?a=b"};
    std::size_t allowed = 0;
    const double seconds = best_cpu_seconds(3, [&] {
        for (int i = 0; i < kRounds; ++i) allowed += robots.allows("weft", paths[i % 3]);
    });
    if (allowed == 0) std::abort();
    figure("robots decision on a 10 KB file", kRounds / seconds / 1e6, "M/s", ">=2");
}

void measure_hostile_pages() {
    for (const Shape& shape : kShapes) {
        // Sixty-four pages of 1 MB against one of 64 MB, both larger than any cache.
        const std::vector<std::string> small(64, make_shape(shape, 1 << 20));
        const std::vector<std::string> large(1, make_shape(shape, 64 << 20));
        HtmlReader reader;
        const double many = best_cpu_seconds(3, [&] { read_pages(reader, small); });
        const double one = best_cpu_seconds(3, [&] { read_pages(reader, large); });
        const double ratio = one / many;
        figure(fmt::format("time per byte, 64 MB to 1 MB: {}", shape.name), ratio, "x", "<=1.5");
    }
    const std::string page =
        make_shape({"", "<title>t</title>", "<p>text <a href=/p>x</a></p>"}, 100'000'000);
    HtmlReader reader;
    const std::size_t before = live_bytes;
    peak_bytes = before;
    for (std::string_view rest = page; !rest.empty();) {
        const std::string_view piece = rest.substr(0, 16384);
        reader.feed(piece);
        rest.remove_prefix(piece.size());
    }
    figure("memory of the extractor on a 100 MB page",
           static_cast<double>(peak_bytes - before) / (1 << 20), "MiB", "<=2");
}

}  // namespace
}  // namespace weft::bench

int main() {
    weft::bench::measure_html();
    weft::bench::measure_allocations();
    weft::bench::measure_urls();
    weft::bench::measure_robots();
    weft::bench::measure_hostile_pages();
}
