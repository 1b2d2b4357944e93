#include "web/robots/x_robots_tag.h"

#include <array>

#include <gtest/gtest.h>

namespace weft::web {
namespace {

PageDirectives parse(std::string_view field) {
    const std::array fields = {field};
    return parse_x_robots_tag(fields, "weft");
}

}  // namespace

TEST(XRobotsTag, WordsAreReadWhateverTheirCase) {
    const PageDirectives found = parse("NoIndex , nofollow,unknown,nocache");

    EXPECT_TRUE(found.noindex);
    EXPECT_TRUE(found.nofollow);
    EXPECT_TRUE(found.noarchive);
    EXPECT_FALSE(found.nosnippet);
}

TEST(XRobotsTag, NoneIsNoIndexAndNoFollow) {
    EXPECT_EQ(parse("none"), parse("noindex, nofollow"));
    EXPECT_EQ(parse("all"), PageDirectives());
}

TEST(XRobotsTag, AgentsRulesReachUpToTheNextAgent) {
    EXPECT_EQ(parse("googlebot: noindex, nofollow"), PageDirectives());
    EXPECT_EQ(parse("weft: noindex, nofollow"), parse("none"));
    EXPECT_EQ(parse("googlebot: noindex, WEFT: nofollow"), parse("nofollow"));
    EXPECT_EQ(parse("noarchive, googlebot: noindex"), parse("noarchive"));
}

TEST(XRobotsTag, FieldsAddUp) {
    const std::array fields = {std::string_view("otherbot: noindex"), std::string_view("nofollow"),
                               std::string_view("weft: noarchive")};

    EXPECT_EQ(parse_x_robots_tag(fields, "weft"), parse("nofollow, noarchive"));
}

TEST(XRobotsTag, DateMayHoldAComma) {
    const DateSeconds date{std::chrono::sys_days(std::chrono::year(2010) / 6 / 25) + 23h};

    EXPECT_EQ(parse("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex").unavailable_after,
              date);
    EXPECT_EQ(parse("unavailable_after: Fri, 25 Jun 2010 23:00:00 GMT,noindex").unavailable_after,
              date);
    EXPECT_TRUE(parse("unavailable_after: Fri, 25 Jun 2010 23:00:00 GMT,noindex").noindex);
    EXPECT_EQ(parse("weft: unavailable_after: 2010-06-25T23:00:00Z").unavailable_after, date);
    EXPECT_TRUE(parse("max-snippet: 20, noindex").noindex);
}

}  // namespace weft::web
