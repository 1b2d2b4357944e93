#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "extract/text/markdown.h"
#include "suites/tar_zst.h"
#include "web/tree/html_tree_builder.h"

// The examples of the CommonMark specification, backwards: their HTML becomes our Markdown, and
// cmark makes HTML of it again.
namespace weft::extract {
namespace {

using suites::Json;
using web::HtmlTree;

bool is_block_element(const HtmlTree& tree, std::uint32_t i) {
    static constexpr std::string_view kBlocks[] = {"blockquote", "br",  "div", "h1",  "h2", "h3",
                                                   "h4",         "h5",  "h6",  "hr",  "li", "ol",
                                                   "p",          "pre", "ul",  "body"};
    return tree[i].is_element() && std::ranges::find(kBlocks, tree.name(i)) != std::end(kBlocks);
}

// The tree in a form in which only what matters differs: white space is collapsed, and left out at
// the edges of blocks.
void write_events(const HtmlTree& tree, std::uint32_t i, bool is_in_pre, std::string& out) {
    if (tree[i].is_text()) {
        if (is_in_pre) {
            out += tree.text(i);
            return;
        }
        for (const char c : tree.text(i)) {
            const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (!is_space) {
                out += c;
            } else if (!out.ends_with(' ') && !out.ends_with("|>")) {
                out += ' ';
            }
        }
        return;
    }
    const bool is_block = is_block_element(tree, i);
    const auto trim_end = [&] {
        while (is_block && !is_in_pre && out.ends_with(' ')) out.pop_back();
    };
    trim_end();
    if (tree[i].is_element()) {
        (out += '<') += tree.name(i);
        for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
            const web::TreeAttribute attribute = tree.attribute_at(i, k);
            (((out += ' ') += attribute.name) += '=') += attribute.value;
        }
        out += is_block ? "|>" : ">";
    }
    const bool is_pre = is_in_pre || tree[i].is_html(web::Element::pre);
    for (const std::uint32_t child : tree.children(i)) write_events(tree, child, is_pre, out);
    trim_end();
    if (tree[i].is_element()) ((out += "</") += tree.name(i)) += is_block ? "|>" : ">";
}

std::string events_of(const std::string& html, web::HtmlTreeBuilder& builder) {
    const HtmlTree& tree = builder.parse(html);
    std::string out;
    write_events(tree, tree.find(web::Element::body), false, out);
    return out;
}

std::string rendered(const std::string& markdown) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "weft_markdown_suite.md";
    std::ofstream(file, std::ios::binary) << markdown;
    std::string html;
    const std::string command = "cmark --unsafe '" + file.string() + "' 2> /dev/null";
    // tidy: allow banned-call: the suites link no aio, and cmark is the point
    FILE* const pipe = popen(command.c_str(), "r");
    if (!pipe) return html;
    char block[4096];
    for (std::size_t n = 0; (n = fread(block, 1, sizeof block, pipe)) > 0;) html.append(block, n);
    pclose(pipe);
    return html;
}

TEST(MarkdownSuite, ExamplesOfCommonMarkComeBack) {
    WEFT_NEEDS_SUITE("extract/commonmark.tar.zst");
    if (rendered("x").empty()) GTEST_SKIP() << "no cmark; packages/peers.txt names it";
    const auto files = suites::read_tar_zst(suites::conformance_path("extract/commonmark.tar.zst"));
    web::HtmlTreeBuilder builder;
    std::size_t same = 0;
    std::size_t total = 0;
    for (const Json& row : suites::json_lines(files.at("commonmark/truth.jsonl"))) {
        if (row["raw_html"].get<bool>()) continue;
        const auto html = row["html"].get<std::string>();
        std::string markdown;
        write_markdown(builder.parse(html), {}, nullptr, markdown);
        const bool is_same = events_of(rendered(markdown), builder) == events_of(html, builder);
        same += is_same ? 1 : 0;
        if (!is_same) RecordProperty("miss", row["id"].get<std::string>());
        ++total;
    }
    EXPECT_GE(static_cast<double>(same), 0.97 * static_cast<double>(total)) << same;
    RecordProperty("same", static_cast<int>(same));
}

}  // namespace
}  // namespace weft::extract
