#include "web/html.h"

namespace weft::web {
namespace {

TEST(Html, LinksComeWithElementAttributeValueAndOffset) {
    const HtmlPage page = read_html("<p>x<A HREF='/a?b=1&amp;c'>y</A>");

    ASSERT_EQ(page.links.size(), 1u);
    EXPECT_EQ(page.links[0].element, "a");
    EXPECT_EQ(page.links[0].attribute, "href");
    EXPECT_EQ(page.links[0].value, "/a?b=1&c");
    EXPECT_EQ(page.links[0].offset, 4u);
}

TEST(Html, TheHeadSaysWhatThePageIs) {
    const HtmlPage page = read_html(
        "\xEF\xBB\xBF<!doctype html><html lang=de><title> a\n b&amp;c </title>"
        "<base href=/x/><base href=/y/><meta name=Description content=' d '>"
        "<meta name=robots content='noindex, NoFollow'><link rel='canonical' href=/c>"
        "<link rel=alternate hreflang=fr href=/fr><meta http-equiv=refresh content='3;url=/n'>");

    EXPECT_EQ(page.title, "a b&c");
    EXPECT_EQ(page.base_href, "/x/");
    EXPECT_EQ(page.description, "d");
    EXPECT_EQ(page.language, "de");
    EXPECT_EQ(page.canonical, "/c");
    ASSERT_EQ(page.robots.size(), 1u);
    EXPECT_TRUE(page.robots[0].noindex && page.robots[0].nofollow);
    ASSERT_EQ(page.alternates.size(), 1u);
    EXPECT_EQ(page.alternates[0].language, "fr");
    ASSERT_TRUE(page.refresh);
    EXPECT_EQ(page.refresh->seconds, 3u);
    EXPECT_EQ(page.refresh->url, "/n");
}

}  // namespace
}  // namespace weft::web
