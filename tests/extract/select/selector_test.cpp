#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/select/selector_matcher.h"
#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

// The parts of all matches, each in brackets.
std::string select(std::string_view text, std::string_view html) {
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(html);
    const auto selector = parse_selector(text);
    if (!selector) return std::to_string(selector.error().column) + ": " + selector.error().reason;
    SelectorMatcher matcher({*selector});
    matcher.read(tree);
    std::string out;
    for (const std::uint32_t node : matcher.matches(0)) {
        std::string part;
        if (append_part(tree, node, *selector, nullptr, part)) out += "[" + part + "]";
    }
    return out;
}

constexpr std::string_view kPage =
    "<h1 id=top>T</h1><ul class='a b'><li>1<li class=x>2<li>3<li>4</ul>"
    "<p lang=en-GB title=Hello>p1 <b>b1</b></p><p>p2</p><div><p>p3</p><i></i></div>"
    "<my-tag>m</my-tag><a href='/u'>link</a>";

TEST(Selector, SimpleSelectorsMatch) {
    EXPECT_EQ(select("h1", kPage), "[T]");
    EXPECT_EQ(select("#top", kPage), "[T]");
    EXPECT_EQ(select(".x", kPage), "[2]");
    EXPECT_EQ(select("ul.a.b > .x", kPage), "[2]");
    EXPECT_EQ(select("MY-TAG", kPage), "[m]");
    EXPECT_EQ(select("h1, my-tag, h1", kPage), "[T][m]");
    EXPECT_EQ(select(".nothing", kPage), "");
}

TEST(Selector, AttributesMatchByTheirOperators) {
    EXPECT_EQ(select("[title]", kPage), "[p1 b1]");
    EXPECT_EQ(select("[title=hello]", kPage), "");
    EXPECT_EQ(select("[title=hello i]", kPage), "[p1 b1]");
    EXPECT_EQ(select("[class~=b] > li:first-child", kPage), "[1]");
    EXPECT_EQ(select("[lang|=en]", kPage), "[p1 b1]");
    EXPECT_EQ(select("[title^='He'][title$=lo][title*=ell]", kPage), "[p1 b1]");
    EXPECT_EQ(select("[title^='']", kPage), "");
}

TEST(Selector, CombinatorsMatch) {
    EXPECT_EQ(select("div p", kPage), "[p3]");
    EXPECT_EQ(select("body > p", kPage), "[p1 b1][p2]");
    EXPECT_EQ(select("p + p", kPage), "[p2]");
    EXPECT_EQ(select("h1 ~ p", kPage), "[p1 b1][p2]");
    EXPECT_EQ(select("html body ul li", kPage), "[1][2][3][4]");
}

TEST(Selector, PlacesAmongSiblingsAreCounted) {
    EXPECT_EQ(select("li:nth-child(2n+1)", kPage), "[1][3]");
    EXPECT_EQ(select("li:nth-child(even)", kPage), "[2][4]");
    EXPECT_EQ(select("li:nth-child( -n + 2 )", kPage), "[1][2]");
    EXPECT_EQ(select("li:nth-last-child(1)", kPage), "[4]");
    EXPECT_EQ(select("p:nth-of-type(2)", kPage), "[p2]");
    EXPECT_EQ(select("p:last-of-type", kPage), "[p2][p3]");
    EXPECT_EQ(select("b:only-child, my-tag:only-of-type", kPage), "[b1][m]");
}

TEST(Selector, PseudoClassesMatch) {
    EXPECT_EQ(select("i:empty", kPage), "[]");
    EXPECT_EQ(select("body > :not(ul, p, div):not(a)", kPage), "[T][m]");
    EXPECT_EQ(select(":is(h1, .x)", kPage), "[T][2]");
    EXPECT_EQ(select("p:where(div > *)", kPage), "[p3]");
    EXPECT_EQ(select("p:has(b)", kPage), "[p1 b1]");
    EXPECT_EQ(select("div:has(> p + i)", kPage), "[p3]");
    EXPECT_EQ(select("h1:has(+ ul li.x)", kPage), "[T]");
    EXPECT_EQ(select("p:has(+ p):contains('1 b')", kPage), "[p1 b1]");
    EXPECT_EQ(select(":root::attr(x)", "<html x=1>"), "[1]");
}

TEST(Selector, PseudoElementsChooseThePart) {
    EXPECT_EQ(select("a::attr(href)", kPage), "[/u]");
    EXPECT_EQ(select("b::attr(href)", kPage), "");
    EXPECT_EQ(select("p:first-of-type::text", kPage), "[p1][p3]");
    EXPECT_EQ(select("div::html", kPage), "[<div><p>p3</p><i></i></div>]");
    EXPECT_EQ(select("p:has(b)::markdown", kPage), "[p1 **b1**\n]");
    EXPECT_EQ(select("p ::html", "<p t='\"&'>&lt;<br>x"), "[<p t=\"&quot;&amp;\">&lt;<br>x</p>]");
}

TEST(Selector, NamesMayHaveEscapes) {
    EXPECT_EQ(select(".a\\:b", "<p class='a:b'>x"), "[x]");
    EXPECT_EQ(select("#\\31 2", "<p id=12>x"), "[x]");
}

TEST(Selector, AnErrorPointsAtTheCharacter) {
    EXPECT_EQ(select("", ""), "1: a selector is missing at the end");
    EXPECT_EQ(select("a >", ""), "4: a selector is missing at the end");
    EXPECT_EQ(select("a > > b", ""), "5: a selector was expected here");
    EXPECT_EQ(select("p:hover", ""), "2: ':hover' is not supported");
    EXPECT_EQ(select("p[x", ""), "4: expected ] or one of = ~= |= ^= $= *=");
    EXPECT_EQ(select("p[x='y]", ""), "5: this quote is not closed");
    EXPECT_EQ(select("li:nth-child(x)", ""), "14: expected a number, or 2n+1");
    EXPECT_EQ(select(".1a", ""), "2: a name was expected here");
    EXPECT_EQ(select("svg|a", ""), "4: namespaces are not supported");
    EXPECT_EQ(select("a::before", ""),
              "2: '::before' is not supported; there are ::text, ::attr(name), ::html and "
              "::markdown");
    EXPECT_EQ(select("a)", ""), "2: this is not expected here");
}

TEST(Selector, AtTheLimitsItIsStillASelector) {
    const auto nested = [](std::size_t depth) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += ":not(";
        return text + "p" + std::string(depth, ')');
    };
    EXPECT_TRUE(parse_selector(nested(Selector::kDepthMax)));
    EXPECT_FALSE(parse_selector(nested(Selector::kDepthMax + 1)));
    EXPECT_TRUE(parse_selector(std::string(Selector::kBytesMax, 'a')));
    EXPECT_FALSE(parse_selector(std::string(Selector::kBytesMax + 1, 'a')));
}

TEST(Selector, ManySelectorsAreMatchedInOnePass) {
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(kPage);
    SelectorMatcher matcher({*parse_selector("li"), *parse_selector(".x"), *parse_selector("*")});

    matcher.read(tree);

    EXPECT_EQ(matcher.matches(0).size(), 4u);
    EXPECT_EQ(matcher.matches(1).size(), 1u);
    EXPECT_EQ(matcher.matches(2).size(), 17u);
    EXPECT_FALSE(matcher.is_cut());
}

// Each element takes two steps: one for the compound and one for its test.
TEST(Selector, ThePageIsCutAfterTheLastStep) {
    std::string html;
    for (int i = 0; i < 400; ++i) html += "<div></div>";
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(html);
    SelectorMatcher enough({*parse_selector("div")}, 800);
    SelectorMatcher too_few({*parse_selector("div")}, 799);

    enough.read(tree);
    too_few.read(tree);

    EXPECT_FALSE(enough.is_cut());
    EXPECT_EQ(enough.matches(0).size(), 400u);
    EXPECT_TRUE(too_few.is_cut());
    EXPECT_EQ(too_few.matches(0).size(), 399u);
}

// Without its budget this would take 400^6 steps.
TEST(Selector, ASelectorThatGoesBackAndForthEnds) {
    std::string html;
    for (int i = 0; i < 400; ++i) html += "<div>";
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(html + "<p>");
    SelectorMatcher matcher({*parse_selector("x div div div div div div p")}, 100'000);

    matcher.read(tree);

    EXPECT_TRUE(matcher.is_cut());
    EXPECT_TRUE(matcher.matches(0).empty());
}

}  // namespace
}  // namespace weft::extract
