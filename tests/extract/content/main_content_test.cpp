#include <string>

#include <gtest/gtest.h>

#include "extract/content/boilerplate_cut.h"
#include "extract/extractor.h"

namespace weft::extract {
namespace {

// Prose of 200 visible characters: enough for a paragraph of an article.
std::string prose(std::string_view word) {
    std::string out;
    while (out.size() < 240) out += std::string(word) + " words that somebody wrote, ";
    return out;
}

std::string paragraph(std::string_view word) {
    return "<p>" + prose(word) + "</p>";
}
const std::string kStory = paragraph("first") + paragraph("second") + paragraph("third");

std::string content_of(const std::string& html, std::string_view url = "") {
    Extractor extractor({.detects_language = false});
    return extractor.read({.html = html, .content_type = "text/html; charset=utf-8", .url = url})
        .text;
}

bool has(const std::string& text, std::string_view part) {
    return text.contains(part);
}

TEST(MainContent, NavigationAsideAndFooterAreLeftOut) {
    const std::string text =
        content_of("<nav>" + prose("menu") + "</nav><article>" + kStory + "</article><aside>" +
                   prose("aside") + "</aside><footer>" + prose("imprint") + "</footer>");

    EXPECT_TRUE(has(text, "first words") && has(text, "third words"));
    EXPECT_FALSE(has(text, "menu") || has(text, "aside") || has(text, "imprint"));
}

TEST(MainContent, HiddenPartsAreLeftOut) {
    for (const std::string attribute : {"hidden", "aria-hidden=true", "style='display : NONE'",
                                        "style=visibility:hidden", "role=dialog"}) {
        const std::string text = content_of("<main>" + kStory + "<div " + attribute + ">" +
                                            paragraph("secret") + "</div></main>");

        EXPECT_FALSE(has(text, "secret")) << attribute;
        EXPECT_TRUE(has(text, "second words")) << attribute;
    }
}

TEST(MainContent, PartsThatReactStreamsAreContent) {
    EXPECT_TRUE(has(content_of("<div hidden id=S:0>" + kStory + "</div>"), "third words"));
}

TEST(MainContent, WordsOfClassesCut) {
    const std::string text = content_of("<div>" + kStory + "<div class=relatedStories>" +
                                        paragraph("other") + "</div></div>");

    EXPECT_FALSE(has(text, "other"));
}

TEST(MainContent, AWordThatWouldCutHalfOfThePageIsInnocent) {
    EXPECT_TRUE(has(content_of("<div class=sidebar>" + kStory + "</div>"), "second words"));
}

TEST(MainContent, UtilityClassesAreNoWords) {
    for (const std::string classes : {"md:hidden", "hidden md:block"}) {
        const std::string text = content_of("<main>" + kStory + "<div class='" + classes + "'>" +
                                            paragraph("shown") + "</div></main>");

        EXPECT_TRUE(has(text, "shown")) << classes;
    }
    EXPECT_FALSE(has(
        content_of("<main>" + kStory + "<div class=hidden>" + paragraph("shown") + "</div></main>"),
        "shown"));
}

TEST(MainContent, HiddenScrollBarsHideNothing) {
    for (const std::string name : {"overflow-hidden", "overflow-x-hidden"}) {
        const std::string page =
            "<main>" + kStory + "<div class=" + name + ">" + paragraph("shown") + "</div></main>";
        EXPECT_TRUE(has(content_of(page), "shown")) << name;
    }
}

TEST(MainContent, AWordOfTheListThatThePageIsAboutIsInnocent) {
    std::string items;
    for (int i = 0; i < 30; ++i)
        items +=
            "<div class=tile><div class=caption>Item " + std::to_string(i) + " blue</div></div>";
    EXPECT_TRUE(has(content_of("<main>" + paragraph("terms") + items + "</main>"), "Item 29 blue"));
}

TEST(MainContent, TheFooterOfThePageIsNoContentHoweverLong) {
    const std::string text =
        content_of("<div>" + paragraph("only") + "</div><footer>" + kStory + kStory + "</footer>");
    EXPECT_TRUE(has(text, "only words"));
    EXPECT_FALSE(has(text, "second words"));
    EXPECT_TRUE(has(content_of("<footer><h1>Title</h1>" + kStory + "</footer>"), "second words"));
}

TEST(MainContent, CardsThatAreLinksAreTheContentIfThereIsLittleElse) {
    std::string cards;
    for (const char* const name : {"one", "two", "three", "four"})
        cards += "<a href=x><h3>Card</h3><p>" + prose(name) + "</p></a>";
    EXPECT_TRUE(has(content_of("<main>" + paragraph("first") + cards + "</main>"), "three words"));

    const std::string teasers = "<div>" + cards.substr(0, cards.size() / 4) + "</div>";
    EXPECT_FALSE(has(content_of("<main>" + kStory + kStory + teasers + "</main>"), "Card"));
}

TEST(MainContent, WhatForumsSayAboutUsersIsLeftOut) {
    const std::string post = "<div class=post><div class=message-userDetails>Senior member</div>" +
                             paragraph("answer") + "</div>";
    const std::string text = content_of(post + post + post, "https://example.com/forum/1");
    EXPECT_TRUE(has(text, "answer words"));
    EXPECT_FALSE(has(text, "Senior"));
}

TEST(MainContent, AnAsideLongerThanTheArticleIsLeftOut) {
    const std::string text =
        content_of("<article>" + kStory + "</article><aside>" + paragraph("aside") +
                   paragraph("aside") + paragraph("aside") + paragraph("aside") + "</aside>");

    EXPECT_TRUE(has(text, "first words"));
    EXPECT_FALSE(has(text, "aside"));
}

TEST(MainContent, CommentsAreLeftOutHoweverLong) {
    std::string comments;
    for (int i = 0; i < 8; ++i) comments += paragraph("reader");
    const std::string page =
        "<article>" + kStory + "</article><div class=comments>" + comments + "</div>";

    EXPECT_FALSE(has(content_of(page), "reader"));
    EXPECT_FALSE(has(content_of(page, "https://forum.example/blog"), "reader"));
}

TEST(MainContent, CommentsAreTheContentOfAForum) {
    std::string posts;
    for (int i = 0; i < 8; ++i) posts += "<div class=reply>" + paragraph("reader") + "</div>";

    EXPECT_TRUE(has(content_of("<meta name=generator content='phpBB 3'><div>" + posts + "</div>"),
                    "reader"));
}

TEST(MainContent, TheLeadBetweenHeadingAndArticleIsKept) {
    const std::string text = content_of(
        "<div class=top><h1>The title</h1><div class=x><p>" + prose("lead") +
        "</p><p>short line</p></div></div><div class=entry-content>" + kStory + "</div>");

    EXPECT_TRUE(has(text, "lead words") && has(text, "third words"));
    EXPECT_FALSE(has(text, "short line"));
}

TEST(MainContent, LinksAndLinesThatLeadElsewhereAreLeftOut) {
    const std::string text =
        content_of("<article>" + kStory + "<ul><li><a href=a>one link of a list</a><li><a href=b>" +
                   "another link of a list</a></ul><p>Read more: <a href=c>somewhere</a></p><p>" +
                   "» Lesen Sie auch: <a href=d>anderswo</a></p></article>");

    EXPECT_FALSE(has(text, "link of a list") || has(text, "somewhere") || has(text, "anderswo"));
}

TEST(MainContent, OfSeveralArticlesTheOneWithTheHeadingIsTheArticle) {
    const std::string teaser =
        "<article><h2>t</h2>" + paragraph("teaser") + paragraph("teaser") + "</article>";

    EXPECT_FALSE(has(content_of("<article><h1>h</h1>" + kStory + "</article>" + teaser), "teaser"));
    // If each has one, the page is a list of articles.
    EXPECT_TRUE(has(content_of("<article><h1>h</h1>" + kStory + "</article><article><h1>i</h1>" +
                               paragraph("later") + paragraph("later") + "</article>"),
                    "later"));
}

TEST(MainContent, CaptionsStayInMarkdownAndIfWished) {
    const std::string page = "<article>" + kStory +
                             "<figure><figcaption>a caption of a picture</figcaption></figure>" +
                             paragraph("fourth") + "</article>";
    Extractor markdown({.text = TextForm::markdown});
    Extractor with_captions({.keeps_captions = true});

    EXPECT_FALSE(has(content_of(page), "caption"));
    EXPECT_TRUE(has(with_captions.read({.html = page}).text, "caption"));
    EXPECT_TRUE(has(markdown.read({.html = page}).text, "caption"));
}

TEST(MainContent, APageOfLinksIsAList) {
    std::string items;
    for (int i = 0; i < 30; ++i)
        items += "<li><a href=x>The name of a product, number " + std::to_string(i) + "</a>";
    Extractor extractor;
    const Extract& page = extractor.read({.html = "<nav><a href=y>menu</a></nav><ul>" + items});

    EXPECT_EQ(page.kind, PageKind::list);
    EXPECT_TRUE(has(page.text, "number 29"));
    EXPECT_FALSE(has(page.text, "menu"));
}

TEST(MainContent, AnArticleAmongManyTeasersIsNoList) {
    std::string teasers;
    for (int i = 0; i < 80; ++i) teasers += "<a href=x>A long headline of some other story</a><br>";
    Extractor extractor;
    const Extract& page =
        extractor.read({.html = "<article>" + kStory + "</article><div>" + teasers + "</div>"});

    EXPECT_EQ(page.kind, PageKind::article);
    EXPECT_FALSE(has(page.text, "headline"));
}

TEST(MainContent, WordsAreNotBelievedIfNothingRemains) {
    EXPECT_TRUE(has(content_of("<div class=modal><p>Only this short text is here.</p></div>"),
                    "short text"));
}

TEST(MainContent, ThePagesDataGivesTheArticleThatTheHtmlHides) {
    const std::string page =
        "<script type=application/ld+json>{\"@type\":\"NewsArticle\","
        "\"articleBody\":\"" +
        prose("data") + prose("more") + prose("body") + "\"}</script><p>Please subscribe.</p>";

    EXPECT_TRUE(has(content_of(page), "data words"));
}

TEST(ForumUrl, IsKnownByTheWordsOfHostAndPath) {
    EXPECT_TRUE(is_forum_url("https://forum.example.org/x"));
    EXPECT_TRUE(is_forum_url("https://example.org/viewtopic.php?t=1"));
    EXPECT_FALSE(is_forum_url("https://example.org/forumsomething"));
    EXPECT_FALSE(is_forum_url(""));
}

}  // namespace
}  // namespace weft::extract
