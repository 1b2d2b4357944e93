#include <string>
#include <vector>

#include <gumbo.h>

#include "bench/figure.h"
#include "bench/web/corpus.h"
#include "extract/select/selector_matcher.h"
#include "extract/text/markdown.h"
#include "extract/text/plain_text.h"
#include "web/tree/html_tree_builder.h"

// The tree of real pages, their text and selectors on them, beside gumbo's tree.
namespace weft::bench {
namespace {

using web::HtmlTree;
using web::HtmlTreeBuilder;

constexpr const char* kSelectors[] = {"h1",
                                      "title::text",
                                      "a::attr(href)",
                                      "img::attr(src)",
                                      "p:first-child",
                                      "ul > li",
                                      "ul li a",
                                      "div p + p",
                                      "h2 ~ p",
                                      "article p",
                                      "[itemprop]",
                                      ".title",
                                      "#content",
                                      "[class*=title]",
                                      "li:nth-child(2n+1)",
                                      "p:last-child",
                                      "div:has(> p)",
                                      ":is(h1, h2, h3)",
                                      "a:not([href^='#'])",
                                      "blockquote p"};

struct Shape {
    const char* name;
    const char* head;
    const char* unit;
};
constexpr Shape kShapes[] = {
    {"nested tables", "", "<table><tr><td>"},
    {"misplaced in tables", "<table>", "<tr><b>x<td><a>"},
    {"deep", "", "<div><b><i>x"},
    {"adoption", "", "<b><i><a><p>x</b></i>"},
    {"attributes", "<p ", "aa=b c d>x<p "},
    {"html tags", "", "<html a=1 b=2><body c=3>"},
};

std::string shape_of(const Shape& shape, std::size_t bytes) {
    std::string text = shape.head;
    while (text.size() < bytes) text += shape.unit;
    return text;
}

double bytes_of(const std::vector<std::string>& pages) {
    double bytes = 0;
    for (const std::string& page : pages) bytes += static_cast<double>(page.size());
    return bytes;
}

template <class Use>
double rate(const std::vector<std::string>& pages, Use use) {
    HtmlTreeBuilder builder;
    const double seconds = best_cpu_seconds(5, [&] {
        for (const std::string& page : pages) use(builder.parse(page));
    });
    return bytes_of(pages) / seconds / 1e6;
}

double gumbo_rate(const std::vector<std::string>& pages) {
    const double seconds = best_cpu_seconds(1, [&] {
        for (const std::string& page : pages) {
            GumboOutput* tree =
                gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size());
            gumbo_destroy_output(&kGumboDefaultOptions, tree);
        }
    });
    return bytes_of(pages) / seconds / 1e6;
}

void measure_pages() {
    const std::vector<std::string> texts = pages();
    std::string out;
    const double tree = rate(texts, [](const HtmlTree&) {});
    figure("extract: tree", tree, "MB/s", ">=300");
    figure("extract: tree, times gumbo", tree / gumbo_rate(texts), "x", ">=5");
    figure("extract: tree and plain text",
           rate(texts,
                [&](const HtmlTree& page) {
                    out.clear();
                    extract::write_plain_text(page, {}, out);
                }),
           "MB/s", ">=150");
    const auto base = web::Url::parse("https://example.com/a/b");
    figure("extract: tree and Markdown",
           rate(texts,
                [&](const HtmlTree& page) {
                    out.clear();
                    extract::write_markdown(page, {}, &*base, out);
                }),
           "MB/s", ">=120");
    std::vector<extract::Selector> selectors;
    for (const char* const text : kSelectors) selectors.push_back(*extract::parse_selector(text));
    extract::SelectorMatcher matcher(selectors);
    const double with_selectors = rate(texts, [&](const HtmlTree& page) { matcher.read(page); });
    figure("extract: tree and 20 selectors", with_selectors, "MB/s");
}

void measure_shapes() {
    HtmlTreeBuilder builder({.bytes_max = 64'000'000});
    for (const Shape& shape : kShapes) {
        const auto seconds_a_byte = [&](std::size_t bytes) {
            const std::string text = shape_of(shape, bytes);
            const double seconds = best_cpu_seconds(3, [&] { builder.parse(text); });
            return seconds / static_cast<double>(text.size());
        };
        const double small = seconds_a_byte(1'000'000);
        figure(fmt::format("extract: {}, a byte at 64 MB to one at 1 MB", shape.name),
               seconds_a_byte(64'000'000) / small, "x", "<=1.5");
    }
}

}  // namespace
}  // namespace weft::bench

int main() {
    weft::bench::measure_pages();
    weft::bench::measure_shapes();
}
