#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "base/limits.h"
#include "web/tree/html_tree_builder.h"

namespace weft::web {
namespace {

// The elements and texts of a subtree: `p{"a"b{"c"}}`.
std::string shape_of(const HtmlTree& tree, std::uint32_t i) {
    if (tree[i].is_text()) return "\"" + std::string(tree.text(i)) + "\"";
    std::string shape(tree.name(i));
    if (tree[i].end > i + 1) {
        shape += "{";
        for (const std::uint32_t child : tree.children(i)) shape += shape_of(tree, child);
        shape += "}";
    }
    return shape;
}

std::string body_shape(std::string_view html) {
    HtmlTreeBuilder builder;
    const HtmlTree& tree = builder.parse(html);
    return shape_of(tree, tree.find(Element::body));
}

// What must hold for every tree, whatever the page.
void expect_sound(const HtmlTree& tree) {
    ASSERT_GT(tree.size(), 0u);
    ASSERT_EQ(tree[0].end, tree.size());
    for (std::uint32_t i = 1; i < tree.size(); ++i) {
        ASSERT_LT(tree[i].parent, i);
        ASSERT_GT(tree[i].end, i);
        ASSERT_LE(tree[i].end, tree[tree[i].parent].end);
    }
}

std::string repeated(std::string_view head, std::string_view unit, std::size_t byte_count) {
    std::string text(head);
    while (text.size() < byte_count) text += unit;
    return text;
}

TEST(HtmlTree, NodesAreInDocumentOrderAndSubtreesAreRanges) {
    HtmlTreeBuilder builder;

    const HtmlTree& tree = builder.parse("<!doctype html><title>t</title><p>a<b>c</b>d<p>e");

    expect_sound(tree);
    EXPECT_EQ(shape_of(tree, tree.find(Element::html)),
              "html{head{title{\"t\"}}body{p{\"a\"b{\"c\"}\"d\"}p{\"e\"}}}");
    EXPECT_FALSE(tree.is_quirks());
    EXPECT_FALSE(tree.is_cut());
}

TEST(HtmlTree, AnEmptyPageHasHtmlHeadAndBody) {
    HtmlTreeBuilder builder;
    EXPECT_EQ(shape_of(builder.parse(""), 1), "html{headbody}");
}

TEST(HtmlTree, AttributesAreDecodedAndTheFirstOfANameCounts) {
    HtmlTreeBuilder builder;

    const HtmlTree& tree = builder.parse("<a HREF='?a=1&amp;b' class=x class=y hidden>t</a>");

    const std::uint32_t link = tree.find(Element::a);
    EXPECT_EQ(tree.attribute(link, "href"), "?a=1&b");
    EXPECT_EQ(tree.attribute(link, "class"), "x");
    EXPECT_EQ(tree.attribute(link, "hidden"), "");
    EXPECT_EQ(tree.attribute(link, "id"), std::nullopt);
    EXPECT_EQ(tree.attribute_count(link), 3u);
}

TEST(HtmlTree, OfManyAttributesTheFirstOfANameCounts) {
    std::string html = "<p";
    for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < 100; ++k) {
            html += " n" + std::to_string(k) + "=" + std::to_string(round);
        }
    }
    HtmlTreeBuilder builder;
    for (int page = 0; page < 2; ++page) {
        const HtmlTree& tree = builder.parse(html + ">");

        const std::uint32_t p = tree.find(Element::p);
        EXPECT_EQ(tree.attribute_count(p), 100u);
        EXPECT_EQ(tree.attribute(p, "n99"), "0");
    }
}

TEST(HtmlTree, LaterHtmlAndBodyTagsOnlyAddAttributes) {
    HtmlTreeBuilder builder;

    const HtmlTree& tree = builder.parse("<html a=1><body c=1>x<html a=2 b=2><body c=2 d=2>");

    EXPECT_EQ(tree.attribute(1, "a"), "1");
    EXPECT_EQ(tree.attribute(1, "b"), "2");
    const std::uint32_t body = tree.find(Element::body);
    EXPECT_EQ(tree.attribute(body, "c"), "1");
    EXPECT_EQ(tree.attribute(body, "d"), "2");
}

TEST(HtmlTree, MergedAttributesAreBounded) {
    std::string html = "<body>x";
    for (std::size_t k = 0; k <= limits::kMergedAttributeCountMax; ++k) {
        html += "<html n" + std::to_string(k) + ">";
    }
    HtmlTreeBuilder builder;
    const HtmlTree& tree = builder.parse(html);

    EXPECT_EQ(tree.attribute_count(1), limits::kMergedAttributeCountMax);
}

TEST(HtmlTree, NamesOfUnknownElementsAreKept) {
    EXPECT_EQ(body_shape("<body><My-Widget>x</My-Widget>"), "body{my-widget{\"x\"}}");
}

TEST(HtmlTree, SvgHasNamesWithCapitals) {
    HtmlTreeBuilder builder;

    const HtmlTree& tree = builder.parse("<svg viewbox=1><clippath/><foreignobject><p>x");

    EXPECT_EQ(shape_of(tree, tree.find(Element::body)),
              "body{svg{clipPathforeignObject{p{\"x\"}}}}");
    EXPECT_EQ(tree.attribute(tree.find(Element::body) + 1, "viewBox"), "1");
}

TEST(HtmlTree, MisnestedFormattingIsMovedAsInABrowser) {
    EXPECT_EQ(body_shape("<b>1<p>2</b>3</p>"), "body{b{\"1\"}p{b{\"2\"}\"3\"}}");
}

TEST(HtmlTree, WhatMayNotBeInATableGoesBeforeIt) {
    EXPECT_EQ(body_shape("<table>a<tr>b<td>c</td>d</table>"),
              "body{\"abd\"table{tbody{tr{td{\"c\"}}}}}");
}

TEST(HtmlTree, AParagraphGoesOnAroundATableInQuirksMode) {
    EXPECT_EQ(body_shape("<p>a<table></table>"), "body{p{\"a\"table}}");
    EXPECT_EQ(body_shape("<!doctype html><p>a<table></table>"), "body{p{\"a\"}table}");
}

TEST(HtmlTree, TextAfterReferencesAndLineEndsIsOneNode) {
    EXPECT_EQ(body_shape("<body><p>a &lt; b &amp c\r\nd &nix; e</p>" + std::string(60, 'x')),
              "body{p{\"a < b & c\nd &nix; e\"}\"" + std::string(60, 'x') + "\"}");
}

TEST(HtmlTree, OneLineFeedAfterPreIsLeftOut) {
    const std::string tail = "<p>" + std::string(60, 'x');
    EXPECT_TRUE(body_shape("<body><pre>\n\na</pre>" + tail).starts_with("body{pre{\"\na\"}"));
    EXPECT_TRUE(body_shape("<body><pre>\r\n&lt;</pre>" + tail).starts_with("body{pre{\"<\"}"));
}

TEST(HtmlTree, AnOptionIsNotCopiedIntoItself) {
    EXPECT_EQ(body_shape("<select><option>a<selectedcontent>"),
              "body{select{option{\"a\"selectedcontent}}}");
}

TEST(HtmlTree, AtTheLastNodeThePageIsNotCut) {
    HtmlTreeBuilder builder({.node_count_max = 9});  // document, html, head, body, 4, and one spare
    const HtmlTree& tree = builder.parse("<body><p>a<p>b");
    EXPECT_FALSE(tree.is_cut());
    EXPECT_EQ(tree.size(), 8u);
}

TEST(HtmlTree, BehindTheLastNodeOnlyTextIsKept) {
    HtmlTreeBuilder builder({.node_count_max = 9});

    const HtmlTree& tree = builder.parse("<body><p>a<p>b<p>c<b>d</b>e<!--f--><table>g");

    EXPECT_TRUE(tree.is_cut());
    expect_sound(tree);
    EXPECT_EQ(tree.size(), 9u);
    EXPECT_EQ(shape_of(tree, tree.find(Element::body)), "body{p{\"a\"}p{\"b\"}\"c\nde\ng\"}");
}

TEST(HtmlTree, ALongerPageIsCutAtItsLastByte) {
    HtmlTreeBuilder builder({.bytes_max = 10});
    EXPECT_FALSE(builder.parse("<p>1234567").is_cut());

    const HtmlTree& tree = builder.parse("<p>12345678");

    EXPECT_TRUE(tree.is_cut());
    EXPECT_EQ(shape_of(tree, tree.find(Element::body)), "body{p{\"1234567\"}}");
}

TEST(HtmlTree, TheSameBuilderReadsOnePageAfterAnother) {
    HtmlTreeBuilder builder;
    builder.parse("<select><table><b><p>x</b><template><svg>");
    EXPECT_EQ(shape_of(builder.parse("<p>a"), 1), "html{headbody{p{\"a\"}}}");
    builder.parse_fragment("<td>x", {"tr"});
    EXPECT_EQ(shape_of(builder.parse("<td>a"), 1), "html{headbody{\"a\"}}");
}

struct HostileShape {
    const char* name;
    const char* head;
    const char* unit;
};
void PrintTo(const HostileShape& shape, std::ostream* out) {
    *out << shape.name;
}
class HtmlTreeHostile : public testing::TestWithParam<HostileShape> {};

// A page of a given kind must not become dearer by the byte when it becomes longer. The two are
// compared by processor time, with room for a noisy machine.
TEST_P(HtmlTreeHostile, CostsNoMoreAByteWhenItIsLonger) {
    const auto ticks_a_byte = [](std::size_t byte_count) {
        const std::string html = repeated(GetParam().head, GetParam().unit, byte_count);
        HtmlTreeBuilder builder({.bytes_max = 64_MiB});
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            const std::clock_t start = std::clock();
            const HtmlTree& tree = builder.parse(html);
            const auto taken = static_cast<double>(std::clock() - start);
            best = std::min(best, taken / static_cast<double>(html.size()));
            if (i == 0) expect_sound(tree);
        }
        return best;
    };

    const double small = ticks_a_byte(250'000);
    const double large = ticks_a_byte(4'000'000);

    EXPECT_LT(large, small * 6);  // Quadratic work would cost 16 times as much.
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HtmlTreeHostile,
    testing::Values(HostileShape{"tables", "", "<table><tr><td>"},
                    HostileShape{"tables_without_cells", "", "<table>x<b>"},
                    HostileShape{"fostered_text", "<table><tr>", "<td>a</td>x"},
                    HostileShape{"deep", "", "<div>x"},
                    HostileShape{"adoption", "", "<b><i><a><p>x</b></i>"},
                    HostileShape{"adoption_of_many", "<b><div>", "<i>x</i></b><b><div>"},
                    HostileShape{"attributes", "<p ", "aa=b c>x<p "},
                    HostileShape{"html_tags", "", "<html a=1 b=2><body c=3>"},
                    HostileShape{"html_attributes", "<p>", "<html a1><body b2><html c3>"},
                    HostileShape{"selects", "", "<select><selectedcontent></select>"},
                    HostileShape{"late_comments", "</body>", "<!-- x -->\n"},
                    HostileShape{"end_tags", "<p><b>", "</a></i></table></li>"},
                    HostileShape{"framesets", "<frameset>", "<frame>x "}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::web
