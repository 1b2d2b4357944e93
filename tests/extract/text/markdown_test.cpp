#include "extract/text/markdown.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/text/inline_markdown.h"
#include "extract/text/markdown_lines.h"
#include "extract/text/table_shape.h"
#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

std::string markdown_of(std::string_view html, const web::Url* base = nullptr) {
    web::HtmlTreeBuilder builder;
    std::string out;
    write_markdown(builder.parse(html), {}, base, out);
    return out;
}

TEST(Markdown, BlocksAreApartByAnEmptyLine) {
    EXPECT_EQ(markdown_of("<h2>A  b</h2><p>one\ntwo</p><div>three</div>"),
              "## A b\n\none two\n\nthree\n");
}

TEST(Markdown, AnEmptyPageIsEmpty) {
    EXPECT_EQ(markdown_of("<title>x</title><script>y</script>"), "");
}

TEST(Markdown, TightListsStayTight) {
    EXPECT_EQ(markdown_of("<ul><li>a<ul><li>b</ul><li>c</ul>"), "- a\n  - b\n- c\n");
}

TEST(Markdown, ParagraphsInItemsMakeALooseList) {
    EXPECT_EQ(markdown_of("<ol start=9><li><p>a<p>b<li><p>c</ol>"), "9. a\n\n   b\n\n10. c\n");
}

TEST(Markdown, TwoListsInARowHaveDifferentSigns) {
    EXPECT_EQ(markdown_of("<ul><li>a</ul><ul><li>b</ul>"), "- a\n\n* b\n");
}

TEST(Markdown, AnItemOutsideOfAListIsAnItem) {
    EXPECT_EQ(markdown_of("<div><li>a</div>b"), "- a\n\nb\n");
}

TEST(Markdown, QuotesAreMarkedOnEachLine) {
    EXPECT_EQ(markdown_of("<blockquote><p>a<p>b<br>c</blockquote>"), "> a\n>\n> b\\\n> c\n");
}

TEST(Markdown, CodeIsFencedWithTheLanguageOfItsClass) {
    EXPECT_EQ(markdown_of("<pre class=x><code class='hl language-cpp'>a &lt; b\n\n```\n"),
              "````cpp\na < b\n\n```\n````\n");
    EXPECT_EQ(markdown_of("a <code>b`c</code>"), "a ``b`c``\n");
}

TEST(Markdown, WhiteSpaceIsMovedOutOfEmphasisAndLinks) {
    EXPECT_EQ(markdown_of("a<b> b </b>c <a href=/u> d </a>e"), "a **b** c [d](/u) e\n");
}

TEST(Markdown, EmphasisThatMarkdownCannotExpressIsLeftOut) {
    EXPECT_EQ(markdown_of("<em>\"a\"</em>b"), "\"a\"b\n");
}

TEST(Markdown, ALinkAroundBlocksIsALinkInEach) {
    EXPECT_EQ(markdown_of("<a href=/u><h3>a</h3><p>b</p></a>"), "### [a](/u)\n\n[b](/u)\n");
}

TEST(Markdown, UrlsAreAbsolute) {
    const auto base = web::Url::parse("https://a.test/x/y");
    EXPECT_EQ(markdown_of("<a href='../z (1)' title='a \"b\"'>c</a><img src=i.png alt=i>", &*base),
              "[c](https://a.test/z%20(1) \"a \\\"b\\\"\")![i](https://a.test/x/i.png)\n");
}

TEST(Markdown, ScriptsAndDataAreNoTargets) {
    EXPECT_EQ(markdown_of("<a href=' java\nscript:x'>a</a> <a href=DATA:x>b</a><img src=data:x>"),
              "a b\n");
}

TEST(Markdown, AnImageThatLoadsLateHasItsUrl) {
    EXPECT_EQ(markdown_of("<img src='data:image/gif,x' data-src=/i alt=a>"), "![a](/i)\n");
}

TEST(Markdown, OnlyWhatWouldMeanSomethingElseIsEscaped) {
    EXPECT_EQ(markdown_of("<p>1. a * b_c *d* [e] [f](g) &lt;h> &amp;amp; 5 &lt; 6 C# #x"),
              "1\\. a * b_c \\*d\\* [e] [f\\](g) \\<h> \\&amp; 5 < 6 C# #x\n");
    EXPECT_EQ(markdown_of("<p># a<p>- b<p>> c<p>---<p>#x<p>-x"),
              "\\# a\n\n\\- b\n\n\\> c\n\n\\---\n\n#x\n\n-x\n");
    EXPECT_EQ(markdown_of("<h1>C #</h1>"), "# C \\#\n");
}

TEST(Markdown, ATableHasAHeader) {
    EXPECT_EQ(markdown_of("<table><tr><th>a<th>b<tr><td>c|d<td><b>e</b></table>"),
              "| a | b |\n| --- | --- |\n| c\\|d | **e** |\n");
    EXPECT_EQ(markdown_of("<table><tr><td>a<td>b<tr><td>c<td></table>"),
              "|  |  |\n| --- | --- |\n| a | b |\n| c |  |\n");
}

TEST(Markdown, ATableThatIsNotRectangularBecomesLines) {
    EXPECT_EQ(markdown_of("<table><tr><td>a<td>b<tr><td colspan=2>c</table>"), "a | b\n\nc\n");
}

TEST(Markdown, ATableOfTheLargestWidthIsATable) {
    const auto table_of = [](std::size_t column_count) {
        std::string html = "<table>";
        for (int row = 0; row < 2; ++row) {
            html += "<tr>";
            for (std::size_t i = 0; i < column_count; ++i) html += "<td>x";
        }
        return markdown_of(html);
    };
    EXPECT_TRUE(table_of(TableShape::kColumnCountMax).contains("---"));
    EXPECT_FALSE(table_of(TableShape::kColumnCountMax + 1).contains("---"));
}

TEST(Markdown, DroppedNodesAreLeftOutWithAllTheirContent) {
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse("<p>a<div>b<p>c</div><p>d");
    std::vector<std::uint8_t> dropped(tree.size());
    dropped[tree.find(web::Element::div)] = 1;
    std::string out;

    write_markdown(tree, {.root = tree.find(web::Element::body), .dropped = dropped}, nullptr, out);

    EXPECT_EQ(out, "a\n\nd\n");
}

TEST(Markdown, DeepQuotesAreMarkedOnlyUpToTheLimit) {
    const auto quotes_of = [](std::size_t depth) {
        std::string html;
        for (std::size_t i = 0; i < depth; ++i) html += "<blockquote>";
        return std::ranges::count(markdown_of(html + "x"), '>');
    };
    EXPECT_EQ(quotes_of(MarkdownLines::kContainerDepthMax), 32);
    EXPECT_EQ(quotes_of(MarkdownLines::kContainerDepthMax + 1), 32);
}

TEST(Markdown, DeepEmphasisIsMarkedOnlyUpToTheLimit) {
    const auto stars_of = [](std::size_t depth) {
        std::string html;
        for (std::size_t i = 0; i < depth; ++i) html += "<i>x ";
        return std::ranges::count(markdown_of(html), '*');
    };
    EXPECT_EQ(stars_of(InlineMarkdown::kEmphasisDepthMax), 16);
    EXPECT_EQ(stars_of(InlineMarkdown::kEmphasisDepthMax + 1), 16);
}

// Schemes that run, in the spellings that browsers accept.
const std::string kRunningUrls[] = {"javascript:alert(1)",
                                    "JavaScript:alert(1)",
                                    "&#106;avascript:alert(1)",
                                    "java&#9;script:alert(1)",
                                    "java&#10;script&#13;:alert(1)",
                                    " &#1;&#31; javascript:alert(1)",
                                    "javascript&colon;alert(1)",
                                    "java\nscript:alert(1)",
                                    "data:text/html,<script>",
                                    "DATA:text/html;base64,x",
                                    "vbscript:x",
                                    "&#x6A&#x61vascript:alert(1)",
                                    "\tjavascript:alert(1)",
                                    "javascript&#x3A;alert(1)"};

TEST(Markdown, HasNoLinkThatRuns) {
    for (const std::string& url : kRunningUrls) {
        for (const bool has_base : {true, false}) {
            web::HtmlTreeBuilder builder;
            const auto base = web::Url::parse("https://a.test/");
            std::string out;
            write_markdown(
                builder.parse("<p>x <a href='" + url + "'>a</a> <img src='" + url +
                              "' alt=b> <a href='" + url + "'><img src='" + url + "'></a>"),
                {}, has_base ? &*base : nullptr, out);
            EXPECT_FALSE(out.contains("](")) << url << ": " << out;
            EXPECT_FALSE(out.contains("<")) << url << ": " << out;
        }
    }
}

TEST(Markdown, TextThatLooksLikeALinkIsText) {
    for (const std::string text :
         {"[a](javascript:alert(1))", "&lt;javascript:alert(1)&gt;", "![a](data:text/html,x)",
          "[a]: javascript:alert(1)", "[a][b]", "&lt;a href=javascript:alert(1)&gt;x&lt;/a&gt;"}) {
        web::HtmlTreeBuilder builder;
        std::string out;
        write_markdown(builder.parse("<p>" + text + "</p>"), {}, nullptr, out);
        // One escaped bracket ends what would be a link.
        const bool is_escaped = out.contains("\\[") || out.contains("\\]") || out.contains("\\<");
        EXPECT_TRUE(is_escaped) << out;
    }
}

}  // namespace
}  // namespace weft::extract
