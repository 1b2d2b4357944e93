#include "web/html/html.h"

#include <string_view>

namespace weft::web {
namespace {

std::vector<std::string> links(std::string_view html, HtmlOptions options = {}) {
    std::vector<std::string> texts;
    const HtmlPage page = read_html(html, options);
    for (const HtmlLink& link : page.links) {
        texts.push_back(fmt::format("{} {} {}", link.element, link.attribute, link.value));
    }
    return texts;
}

using Links = std::vector<std::string>;

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

TEST(Html, SrcsetGivesOneLinkPerCandidateAndPingOnePerUrl) {
    EXPECT_EQ(
        links("<img src=a srcset='b 1x, c 2x'><a href=d ping='e  f'></a>"),
        (Links{"img src a", "img srcset b", "img srcset c", "a href d", "a ping e", "a ping f"}));
}

TEST(Html, ForeignLinksNameTheirLanguage) {
    EXPECT_EQ(links("<svg><a xlink:href=a /><use href=b /></svg><math><a href=c></math>"),
              (Links{"svg:a xlink:href a", "svg:use href b", "math:a href c"}));
}

TEST(Html, BlankValuesAreLinksOnlyInAnchors) {
    EXPECT_EQ(links("<a href=' '></a><area href><img src=''><form action=' '>"),
              (Links{"a href  ", "area href "}));
}

TEST(Html, TheFirstAttributeOfANameCounts) {
    EXPECT_EQ(links("<a href=1 HREF=2>"), (Links{"a href 1"}));
}

TEST(Html, LinksInTemplatesAndNoscriptAreFlagged) {
    const HtmlPage page =
        read_html("<body><template><a href=1></a></template><noscript><img src=2></noscript>");

    ASSERT_EQ(page.links.size(), 2u);
    EXPECT_TRUE(page.links[0].is_in_template && !page.links[0].is_in_noscript);
    EXPECT_TRUE(!page.links[1].is_in_template && page.links[1].is_in_noscript);
}

TEST(Html, AnchorsAreIdsAndNamesOfLinks) {
    const HtmlPage page = read_html(
        "<p id=one><a name='t&amp;wo'></a><p name=no><svg><g id=three></g></svg>"
        "<template><p id=hidden></template><p id=''>",
        {.wants_anchors = true});
    EXPECT_EQ(page.anchors, (std::vector<std::string_view>{"one", "t&wo", "three"}));
    EXPECT_TRUE(read_html("<p id=one>").anchors.empty());
}

TEST(Html, LinkTextAndRelBelongToTheirLink) {
    const HtmlPage page = read_html(
        "<a href=1 rel='nofollow ugc'> one\n<b>two</b></a>three<a href=4 ping=5>four<a href=6>six",
        {.wants_link_text = true});

    ASSERT_EQ(page.links.size(), 4u);
    EXPECT_EQ(page.links[0].text, "one two");
    EXPECT_EQ(page.links[0].rel, "nofollow ugc");
    EXPECT_EQ(page.links[1].text, "four");
    EXPECT_EQ(page.links[2].text, "four");
    EXPECT_EQ(page.links[3].text, "six");
}

TEST(Html, VisibleTextLeavesOutWhatIsNotShown) {
    const HtmlPage page = read_html(
        "<title>t</title><style>s</style><p>a<b>b</b> c<script>x</script><p>d&eacute;<br>e",
        {.wants_text = true});

    EXPECT_EQ(page.text, "ab c d\xC3\xA9 e");
}

TEST(Html, JsonLdBlocksComeRaw) {
    const HtmlPage page = read_html(
        "<script type='application/LD+json'>{\"a\":\"&amp;\"}</script><script>no</script>",
        {.wants_json_ld = true});

    ASSERT_EQ(page.json_ld.size(), 1u);
    EXPECT_EQ(page.json_ld[0], "{\"a\":\"&amp;\"}");
}

TEST(Html, StyleLinksAreThereIfAskedFor) {
    const std::string_view html =
        "<style>@import 'a.css';p{b:url(c)}</style><p style='d:url(&quot;e&quot;)'><x-y "
        "style=f:url(g)>";

    EXPECT_EQ(links(html), Links{});
    EXPECT_EQ(links(html, {.wants_style_links = true}),
              (Links{"style @import a.css", "style url() c", "p style e", "x-y style g"}));
}

TEST(Html, RobotsMayBeAddressedByName) {
    const HtmlPage page = read_html(
        "<meta name=GoogleBot content=none><meta name=author content='nobody, noindex'>"
        "<meta name=robots content='max-snippet:5'>");

    ASSERT_EQ(page.robots.size(), 2u);
    EXPECT_EQ(page.robots[0].agent, "googlebot");
    EXPECT_TRUE(page.robots[0].noindex && page.robots[0].nofollow);
    EXPECT_EQ(page.robots[1].agent, "robots");
    EXPECT_FALSE(page.robots[1].noindex);
}

TEST(Html, AReaderIsReadyForTheNextPage) {
    HtmlReader reader;
    reader.feed("<base href=/x><svg><a href='unclosed");
    reader.finish();

    reader.feed("<title>new</title><a href=1>");
    const HtmlPage page = reader.finish();

    EXPECT_EQ(page.title, "new");
    EXPECT_FALSE(page.base_href);
    ASSERT_EQ(page.links.size(), 1u);
    EXPECT_EQ(page.links[0].element, "a");
    EXPECT_EQ(page.links[0].offset, 18u);
}

TEST(Html, AByteOrderMarkCountsInOffsetsOnly) {
    HtmlReader reader;
    for (const char c : std::string_view("\xEF\xBB\xBF<a href=1>")) reader.feed({&c, 1});

    EXPECT_EQ(reader.finish().links[0].offset, 3u);
}

TEST(Html, H64BrokenMarkupLosesNoLinkAndInventsNone) {
    EXPECT_EQ(links("<a href='&#x110000;&#0;&bogus;&amp'>"),
              (Links{"a href \xEF\xBF\xBD\xEF\xBF\xBD&bogus;&"}));
    EXPECT_EQ(links(std::string_view("<a href='a\0b'>\0<img src=c>", 27)),
              (Links{"a href a\xEF\xBF\xBD"
                     "b",
                     "img src c"}));
    EXPECT_EQ(links("<!--><a href=1><!-- > <a href=2> --!><a href=3>"),
              (Links{"a href 1", "a href 3"}));
    EXPECT_EQ(links("<![CDATA[<a href=1>]]><svg><![CDATA[<a href=2>]]></svg><a href=3>"),
              (Links{"a href 3"}));
    EXPECT_EQ(links("<a href=1><plaintext></plaintext><a href=2>"), (Links{"a href 1"}));
    EXPECT_EQ(links("<head><noscript><a href=1></noscript><title><a href=2></title>"),
              (Links{"a href 1"}));
    EXPECT_EQ(links("<script><!--<script></script><a href=1>--></script><a href=2>"),
              (Links{"a href 2"}));
}

TEST(Html, H64OnlyTheFirstBaseCounts) {
    const HtmlPage page = read_html(
        "<base target=x><template><base href=t></template><svg><base href=s></svg>"
        "<base href='//evil.test/'><base href=/two/>");

    EXPECT_EQ(page.base_href, "//evil.test/");
}

TEST(Html, H65ValuesOfAnySchemeAreHandedOnAsTheyAre) {
    for (const std::string_view value :
         {"javascript:x", "data:,x", "mailto:a@b", "blob:x", "file:///etc/passwd",
          " java\tscript:x", "//host/", "\\\\host"}) {
        const HtmlPage page = read_html(fmt::format("<a href=\"{}\">", value));

        ASSERT_EQ(page.links.size(), 1u);
        EXPECT_EQ(page.links[0].value, value);
    }
}

TEST(Html, H70LinksPastTheLimitAreLeftOutAndThePageIsMarked) {
    const HtmlOptions options{.repeated_link_count_max = 5, .link_count_max = 10};
    std::string html;
    for (int i = 0; i < 10; ++i) html += fmt::format("<a href=/{}>", i);

    EXPECT_FALSE(read_html(html, options).is_cut);
    const HtmlPage page = read_html(html + "<a href=/y>", options);

    EXPECT_EQ(page.links.size(), 10u);
    EXPECT_TRUE(page.is_cut);
}

// Links past the 10,000th attribute were dropped, though most of those before were the same few.
TEST(Html, LinksThatAreThereAlreadyDoNotCountAgainstTheLimit) {
    std::string html;
    for (int i = 0; i < 30'000; ++i) html += "<a href=/same><img src=/same>";
    for (int i = 0; i < 60'000; ++i) html += fmt::format("<a href=/{}>", i);

    const HtmlPage page = read_html(html);

    EXPECT_FALSE(page.is_cut);
    EXPECT_EQ(page.links.size(), HtmlOptions().repeated_link_count_max + 60'000);
    EXPECT_EQ(page.links.back().value, "/59999");
}

TEST(Html, WhatAReaderHoldsIsKnownWhileItReads) {
    HtmlReader reader;
    const std::size_t before = reader.memory_bytes();
    for (int i = 0; i < 1'000; ++i)
        reader.feed(fmt::format("<a href='{}{}'>", i, std::string(999, 'x')));

    EXPECT_GE(reader.memory_bytes(), before + 1'000 * (1'000 + sizeof(HtmlLink)));
    const HtmlPage page = reader.finish();
    EXPECT_GE(page.memory_bytes(), 1'000 * (1'000 + sizeof(HtmlLink)));
    EXPECT_LE(reader.memory_bytes(), before + 64 * 1024);
}

TEST(Html, IdsPastAHundredThousandAreThere) {
    std::string html;
    for (int i = 0; i < 120'000; ++i) html += fmt::format("<i id=n{}>", i);

    const HtmlPage page = read_html(html, {.wants_anchors = true});

    EXPECT_FALSE(page.is_cut);
    EXPECT_EQ(page.anchors.size(), 120'000u);
}

TEST(Html, H70AMegabyteUrlIsNoLink) {
    const std::string url(1 << 20, 'x');

    EXPECT_EQ(links("<a href='" + url + "'><a href=1>"), (Links{"a href 1"}));
}

TEST(Html, H70WhatAPageKeepsIsBounded) {
    const std::string value(limits::kAttributeBytesMax, 'x');
    HtmlReader reader;
    for (int i = 0; i < 1000; ++i) reader.feed("<a href='" + value + "'>");

    const HtmlPage page = reader.finish();

    EXPECT_TRUE(page.is_cut);
    EXPECT_EQ(page.links.size(), limits::kPageStoreBytesMax / limits::kAttributeBytesMax);
}

TEST(Html, H73SrcsetAndAttributeBombsAreCut) {
    std::string srcset;
    for (int i = 0; i < 30'000; ++i) srcset += "x,";
    std::string attributes;
    for (int i = 0; i < 1'000'000; ++i) attributes += " a";

    EXPECT_EQ(links("<img srcset='" + srcset + "'>").size(), 1u);
    EXPECT_EQ(links("<img srcset='" + std::string(60'000, ',') + "'>").size(), 0u);
    EXPECT_EQ(links("<a href=1" + attributes + " ping=2>"), (Links{"a href 1"}));
}

TEST(Html, H73NestedTemplatesKeepTheirLinks) {
    std::string html;
    for (int i = 0; i < 5'000; ++i) html += "<template><a href=x>";

    EXPECT_EQ(links(html).size(), 5'000u);
}

}  // namespace
}  // namespace weft::web
