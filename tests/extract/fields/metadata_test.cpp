#include <string>

#include <gtest/gtest.h>

#include "extract/extractor.h"
#include "extract/fields/byline.h"
#include "extract/fields/json_ld.h"
#include "extract/fields/language.h"
#include "extract/fields/open_graph.h"
#include "extract/fields/page_date.h"
#include "extract/fields/title.h"
#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

Metadata fields_of(const std::string& html, std::string_view url = "") {
    Extractor extractor;
    return extractor.read({.html = html, .url = url}).fields;
}

std::string json_ld(std::string_view json) {
    return "<script type='application/ld+json'>" + std::string(json) + "</script>";
}

JsonLdFacts facts_of(const std::string& html) {
    web::HtmlTreeBuilder builder;
    return read_json_ld(builder.parse(html));
}

TEST(Title, TheHeadingThatTheTitleHasComesFirst) {
    EXPECT_EQ(fields_of("<title>A story - Site</title><h1>Site</h1><h1>A story</h1>").title,
              "A story");
}

TEST(Title, ComesFromTheTitleThenOpenGraphThenJsonLdThenTheHeading) {
    const std::string data = json_ld(R"({"@type":"Article","headline":"From data"})");
    const std::string og = "<meta property=og:title content='From graph'>";

    EXPECT_EQ(fields_of("<title>From title</title>" + og + data + "<h1>Heading</h1>").title,
              "From title");
    EXPECT_EQ(fields_of(og + data + "<h1>Heading</h1>").title, "From graph");
    EXPECT_EQ(fields_of(data + "<h1>Heading</h1>").title, "From data");
    EXPECT_EQ(fields_of("<h1>Heading</h1>").title, "Heading");
}

TEST(Title, TheSitesNameIsNotAPart) {
    EXPECT_EQ(without_site_name("A long story | Site", ""), "A long story");
    EXPECT_EQ(without_site_name("Site - A story", "site"), "A story");
    EXPECT_EQ(without_site_name("One - two - Site", "Site"), "One - two");
    EXPECT_EQ(without_site_name("Short - A much longer part", ""), "Short - A much longer part");
}

TEST(Title, AnArticlesHeadingIsBetterThanATitleForSearchEngines) {
    const std::string page =
        "<title>7 best apples of 2026 | Site</title><h1>The apples we like most</h1><p>text";
    EXPECT_EQ(fields_of(page).title, "7 best apples of 2026");
    EXPECT_EQ(fields_of(json_ld(R"({"@type":"BlogPosting"})") + page).title,
              "The apples we like most");
}

TEST(Title, AHeadingCloseToTheTitleIsBetterExceptOnTheFirstPage) {
    const std::string page =
        "<title>Best red apples in town</title><h1>Red apples in town, now</h1>";
    EXPECT_EQ(fields_of(page, "https://example.com/a").title, "Red apples in town, now");
    EXPECT_EQ(fields_of(page, "https://example.com/?a").title, "Best red apples in town");
}

TEST(Title, OtherPunctuationInTheHeadingChangesNothing) {
    EXPECT_EQ(fields_of(json_ld(R"({"@type":"Article"})") +
                        "<meta charset=utf-8><title>It's a story</title><h1>It’s a story!</h1>")
                  .title,
              "It's a story");
}

TEST(Title, AHeadingThatIsTheSitesNameIsNotTheTitle) {
    EXPECT_EQ(fields_of("<title>One / My Site</title><h1><a href='/'>My Site</a></h1>").title,
              "One / My Site");
    EXPECT_EQ(fields_of("<title>A chapter - The whole long book</title><h1>The whole long book</h1>"
                        "<main><p>" +
                        std::string(500, 'a') + "</p></main>")
                  .title,
              "A chapter - The whole long book");
}

TEST(Title, TheLinkBehindAHeadingIsNotAPart) {
    const std::string head = "<meta charset=utf-8><title>Docs</title>";
    EXPECT_EQ(fields_of(head + "<h1>Docs <a href=#x>¶</a></h1>").title, "Docs");
}

TEST(Byline, ComesFromJsonLdThenMetaThenThePage) {
    const std::string data =
        json_ld(R"({"@type":"Article","author":[{"name":"Ann A"},{"name":"Bob B"}]})");
    const std::string meta = "<meta name=author content='Meta M'>";
    const std::string link = "<p>By <a rel=author href=x>Rel R</a></p>";

    EXPECT_EQ(fields_of(data + meta + link).byline, "Ann A, Bob B");
    EXPECT_EQ(fields_of(meta + link).byline, "Meta M");
    EXPECT_EQ(fields_of(link).byline, "Rel R");
    EXPECT_EQ(fields_of("<div itemprop=author><b itemprop=name>Item I</b></div>").byline, "Item I");
    EXPECT_EQ(fields_of("<p class=byline>By Class C</p>").byline, "Class C");
    EXPECT_EQ(fields_of("<p>By Line L</p>").byline, "Line L");
}

TEST(Byline, IsTheSiteOnlyIfThereIsNoPerson) {
    const std::string site =
        "<meta property=og:site_name content=Shop><meta name=author content=Shop>";
    EXPECT_EQ(fields_of(site).byline, "Shop");
    EXPECT_EQ(fields_of(site + "<p>By Ann Author</p>").byline, "Ann Author");
}

TEST(Byline, TheLinkInABoxIsTheName) {
    EXPECT_EQ(
        fields_of("<p class=author>Guide by <a href=x>Ann Author</a> Former editor</p>").byline,
        "Ann Author");
}

TEST(Byline, AfterTheContentItMustBeMarkedAsTheAuthor) {
    EXPECT_EQ(fields_of("<main><p>" + std::string(500, 'a') +
                        "</p></main><p>By Bob</p><a rel=author href=x>Ann Author</a>")
                  .byline,
              "Ann Author");
}

TEST(Byline, OfAForumItIsTheFirstUser) {
    EXPECT_EQ(fields_of(json_ld(R"({"@type":"DiscussionForumPosting"})") +
                        "<a class=username href=x>ann1</a><p>text<a class=username href=y>bob</a>")
                  .byline,
              "ann1");
}

TEST(Byline, IsTheNamesOnly) {
    EXPECT_EQ(clean_byline("Written By"), "");
    EXPECT_EQ(clean_byline("page.head.extra.author"), "");
    EXPECT_EQ(clean_byline("  By  Ann\n Author "), "Ann Author");
    EXPECT_EQ(clean_byline("Written by Ann Author | Staff"), "Ann Author");
    EXPECT_EQ(clean_byline("Ann Author March 3, 2026"), "Ann Author");
    EXPECT_EQ(clean_byline("user3080"), "user3080");
    EXPECT_EQ(clean_byline("https://example.com/ann"), "");
    EXPECT_EQ(clean_byline(std::string(kBylineCharsMax, 'a')).size(), kBylineCharsMax);
    EXPECT_EQ(clean_byline(std::string(kBylineCharsMax + 1, 'a')), "");
}

TEST(Date, ComesFromJsonLdThenMetaThenUrlThenThePage) {
    const std::string data = json_ld(R"({"@type":"Article","datePublished":"2026-01-01"})");
    const std::string meta = "<meta property=article:published_time content=2026-01-02T10:00:00Z>";
    const std::string time = "<h1>h</h1><time datetime=2026-01-04>x</time>";
    constexpr std::string_view kUrl = "https://example.com/2026/01/08/title";

    EXPECT_EQ(fields_of(data + meta + time, kUrl).published, "2026-01-01");
    EXPECT_EQ(fields_of(meta + time, kUrl).published, "2026-01-02T10:00:00Z");
    EXPECT_EQ(fields_of(time, kUrl).published, "2026-01-08");
    EXPECT_EQ(fields_of(time).published, "2026-01-04");
    EXPECT_EQ(fields_of("<p class=post-date>Jan 5, 2026</p>").published, "2026-01-05");
    EXPECT_EQ(fields_of("<h1>h</h1><p>Published on 6 January 2026</p>").published, "2026-01-06");
    EXPECT_EQ(fields_of("<meta property=article:modified_time content=2026-01-07>").published,
              "2026-01-07");
}

TEST(Date, TheDayOfTheUrlWinsOverATimeInUtc) {
    const std::string meta = "<meta property=article:published_time content=2026-01-09T03:00:00Z>";
    EXPECT_EQ(fields_of(meta, "https://example.com/2026/01/08/x").published, "2026-01-08");
    EXPECT_EQ(fields_of(meta, "https://example.com/2026/01/09/x").published,
              "2026-01-09T03:00:00Z");
    EXPECT_EQ(fields_of(meta, "https://example.com/2026/01/07/x").published,
              "2026-01-09T03:00:00Z");
}

TEST(Date, AfterTheContentIsUsedIfThereIsNoOther) {
    const std::string text = "<main><p>" + std::string(500, 'a') + "</p>";
    const std::string late = "</main><footer><time datetime=2026-01-02>x</time></footer>";
    EXPECT_EQ(fields_of(text + late).published, "2026-01-02");
    EXPECT_EQ(fields_of(text + "<time datetime=2026-01-01>x</time>" + late).published,
              "2026-01-01");
}

TEST(Date, IsFoundInManyForms) {
    const DayRange days;
    for (const std::string_view text :
         {"2026-03-01", "2026/3/1", "20260301", "01.03.2026", "03/01/2026", "March 1, 2026",
          "Sunday, March 1st, 2026", "1. März 2026", "1 de marzo de 2026", "1 mars 2026",
          "Posted on 1 Mar 2026 by Ann"}) {
        EXPECT_EQ(find_date(text, days), "2026-03-01") << text;
    }
    EXPECT_EQ(find_date("25/12/2025", days), "2025-12-25");
    EXPECT_EQ(find_date("23.09.22", days), "2022-09-23");
    EXPECT_EQ(find_date("2026-03-01 12:00:00", days), "2026-03-01T12:00:00");
    for (const std::string_view text : {"", "2026", "March 2026", "2026-13-01", "99999999999"})
        EXPECT_EQ(find_date(text, days), std::nullopt) << text;
}

TEST(Date, OutsideOfTheRangeIsAMistake) {
    using std::chrono::sys_days, std::chrono::year;
    const DayRange days{.last = sys_days{year{2026} / 3 / 1}};

    EXPECT_EQ(find_date("1995-01-01", days), "1995-01-01");
    EXPECT_EQ(find_date("1994-12-31", days), std::nullopt);
    EXPECT_EQ(find_date("2026-03-01", days), "2026-03-01");
    EXPECT_EQ(find_date("2026-03-02", days), std::nullopt);
}

TEST(Date, OfAUrlNeedsADay) {
    const DayRange days;
    EXPECT_EQ(date_in_url("https://e.com/a/2026-03-01-title.html", days), "2026-03-01");
    EXPECT_EQ(date_in_url("https://e.com/2026/03/title", days), std::nullopt);
    EXPECT_EQ(date_in_url("https://e20260301.com/", days), std::nullopt);
    EXPECT_EQ(date_in_url("", days), std::nullopt);
}

TEST(JsonLd, NamesAreFoundByTheirId) {
    EXPECT_EQ(facts_of(json_ld(R"({"@graph":[{"@type":"Person","@id":"#1","name":"Ann"},
                                  {"@type":"BlogPosting","author":{"@id":"#1"}}]})"))
                  .author,
              "Ann");
}

TEST(JsonLd, AnArticleComesBeforeOtherThings) {
    const JsonLdFacts facts = facts_of(
        json_ld(R"({"@type":"WebPage","datePublished":"2020-01-01"})") +
        json_ld(R"({"@type":["Thing","http://schema.org/Article"],"datePublished":"2021-01-01"})"));

    EXPECT_EQ(facts.published, "2021-01-01");
    EXPECT_EQ(facts.types, (std::vector<std::string>{"WebPage", "Thing", "Article"}));
}

TEST(JsonLd, IsReadAsItIsFoundInTheWild) {
    EXPECT_EQ(facts_of(json_ld("<!-- {\"@type\":\"Article\",\"headline\":\"a\nb\"}; -->")).headline,
              "a b");
    EXPECT_EQ(facts_of(json_ld("{broken") + json_ld(R"({"headline":"x"})")).headline, "x");
    EXPECT_EQ(facts_of(json_ld("[1, null, {\"author\": 7, \"headline\": []}]")).author, "");
}

TEST(JsonLd, HasAtMostSoManyLevels) {
    const auto nested = [](std::size_t depth) {
        return json_ld(std::string(depth - 1, '[') + R"({"headline":"x"})" +
                       std::string(depth - 1, ']'));
    };
    EXPECT_EQ(facts_of(nested(kJsonLdDepthMax)).headline, "x");
    EXPECT_EQ(facts_of(nested(kJsonLdDepthMax + 1)).headline, "");
    EXPECT_EQ(facts_of(nested(200'000)).headline, "");
}

TEST(JsonLd, HasAtMostSoManyBytes) {
    const std::string thing = R"({"headline":"x"})";
    EXPECT_EQ(facts_of(json_ld(thing + std::string(kJsonLdBytesMax - thing.size(), ' '))).headline,
              "x");
    EXPECT_EQ(
        facts_of(json_ld(thing + std::string(kJsonLdBytesMax - thing.size() + 1, ' '))).headline,
        "");
}

TEST(MetaTags, AreReadUpToABound) {
    std::string html;
    for (std::size_t i = 0; i <= kMetaTagsMax; ++i)
        html += "<meta name=n" + std::to_string(i) + " content=x>";
    web::HtmlTreeBuilder builder;
    MetaTags metas;
    metas.read(builder.parse(html));

    EXPECT_EQ(metas.find("N" + std::to_string(kMetaTagsMax - 1)), "x");
    EXPECT_EQ(metas.find("n" + std::to_string(kMetaTagsMax)), "");
}

TEST(Fields, OfThePageAsAWhole) {
    const Metadata fields = fields_of(
        "<html lang=de><link rel=canonical href='/a'><meta property=og:site_name content='Site'>"
        "<meta name=description content=' What it\n is about '>");

    EXPECT_EQ(fields.lang, "de");
    EXPECT_EQ(fields.canonical, "/a");
    EXPECT_EQ(fields.site, "Site");
    EXPECT_EQ(fields.description, "What it is about");
}

TEST(Language, IsDetected) {
    EXPECT_EQ(
        detect_language("Dies ist ein Satz in deutscher Sprache, und er ist lang genug, damit "
                        "man die Sprache sicher erkennen kann."),
        "de");
    EXPECT_EQ(detect_language(""), "");
}

}  // namespace
}  // namespace weft::extract
