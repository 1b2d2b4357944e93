#include "web/fields/link_header.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {

TEST(LinkHeader, LinksOfTheRfcAreRead) {
    const auto links = parse_link_header(
        "<http://example.com/TheBook/chapter2>; rel=\"previous\"; title=\"previous chapter\", "
        "</>; rel=\"http://example.net/foo START\" ; anchor=\"#foo\"");

    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].target, "http://example.com/TheBook/chapter2");
    EXPECT_TRUE(links[0].has_relation("previous"));
    EXPECT_EQ(links[0].parameter("title"), "previous chapter");
    EXPECT_EQ(links[1].target, "/");
    EXPECT_TRUE(links[1].has_relation("start"));
    EXPECT_FALSE(links[1].has_relation("next"));
    EXPECT_EQ(links[1].anchor(), "#foo");
}

TEST(LinkHeader, SeparatorsInQuotesAndBracketsAreText) {
    const auto links = parse_link_header(R"(<a,b;c>;title="x, \"y\"; z";rel=next,,<d>)");

    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].target, "a,b;c");
    EXPECT_EQ(links[0].parameter("title"), "x, \"y\"; z");
    EXPECT_TRUE(links[0].has_relation("next"));
    EXPECT_EQ(links[1].target, "d");
}

TEST(LinkHeader, OnlyTheFirstRelationCounts) {
    const auto links = parse_link_header("<a>; REL=next; rel=prev; crossorigin");

    ASSERT_EQ(links.size(), 1u);
    EXPECT_TRUE(links[0].has_relation("next"));
    EXPECT_FALSE(links[0].has_relation("prev"));
    EXPECT_EQ(links[0].parameter("crossorigin"), "");
}

TEST(LinkHeader, GarbageEndsTheReading) {
    EXPECT_TRUE(parse_link_header("").empty());
    EXPECT_TRUE(parse_link_header("http://example.com/; rel=next").empty());
    EXPECT_TRUE(parse_link_header("<unclosed; rel=next").empty());
    EXPECT_EQ(parse_link_header("<a>; rel=\"unclosed").size(), 1u);
    EXPECT_EQ(parse_link_header("<a>junk, <b>").size(), 2u);
}

TEST(LinkHeader, CountIsBounded) {
    std::string field;
    for (std::size_t i = 0; i < limits::kLinksPerPageMax + 1; ++i) field += "<a>,";

    EXPECT_EQ(parse_link_header(field).size(), limits::kLinksPerPageMax);
}

}  // namespace weft::web
