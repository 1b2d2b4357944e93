#include "crawl/scope/links.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::crawl {
namespace {

std::vector<std::string> hrefs(LinkList& list) {
    std::vector<std::string> all;
    for (const FoundLink& link : list.take()) all.push_back(link.url.href());
    return all;
}

web::Url page_url() {
    return web::Url::parse("http://a.test/d/page?q#top").value();
}

using Hrefs = std::vector<std::string>;

TEST(LinkList, LinksIntoOnePageAreOneLink) {
    LinkList list(page_url());
    for (const char* reference : {"x#1", "x#2", "x", "./x", "#here", "", "http://a.test/d/x#"}) {
        list.add(reference, Via::link);
    }
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x", "http://a.test/d/page?q"}));
}

TEST(LinkList, ASpaceBeforeTheFragmentIsAPartOfThePath) {
    LinkList list(page_url());
    list.add("x #1", Via::link);
    list.add("x\n#1", Via::link);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x%20", "http://a.test/d/x"}));
}

TEST(LinkList, ALinkAndARequisiteOfOneUrlAreTwo) {
    LinkList list(page_url());
    list.add("x", Via::link);
    list.add("x", Via::requisite);
    list.add("x", Via::link);
    EXPECT_EQ(list.size(), 2u);
}

TEST(LinkList, ABaseChangesWhatTheSameTextMeans) {
    LinkList list(page_url());
    list.add("x", Via::link);
    list.add_page(web::read_html("<base href=/other/><a href=x>"), web::Encoding::utf_8);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x", "http://a.test/other/x"}));
}

TEST(LinkList, TheEncodingOfAPageChangesWhatTheSameTextMeans) {
    LinkList list(page_url());
    list.add("?\xC3\xA4", Via::link);
    list.add_page(web::read_html("<a href='?\xC3\xA4'>"), web::Encoding::windows_1252);
    list.add("?\xC3\xA4", Via::requisite);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/page?%C3%A4", "http://a.test/d/page?%E4",
                                  "http://a.test/d/page?%C3%A4"}));
}

// Reads a page's links, and remembers all of them.
std::pair<Hrefs, std::size_t> read_known(KnownReferences& known, std::string_view url,
                                         std::string_view html,
                                         web::Encoding encoding = web::Encoding::utf_8) {
    LinkList list(web::Url::parse(url).value(), {}, 100, &known);
    list.add_page(web::read_html(html), encoding);
    const std::size_t known_count = list.known_count();
    Hrefs all;
    for (const FoundLink& link : list.take()) {
        known.add(link);
        all.push_back(link.url.href());
    }
    return {all, known_count};
}

TEST(LinkList, AKnownLinkOfTheSameFolderIsOnlyCounted) {
    KnownReferences known;
    const std::string_view html = "<a href=x#1><a href=../y><a href=http://b.test/><a href=x#2>";
    EXPECT_EQ(read_known(known, "http://a.test/d/1", html).second, 0u);
    EXPECT_EQ(read_known(known, "http://a.test/d/2?q/r", html), std::pair(Hrefs{}, std::size_t{3}));
    EXPECT_EQ(read_known(known, "http://a.test/e/1", "<a href=x>").first,
              (Hrefs{"http://a.test/e/x"}));
    EXPECT_EQ(read_known(known, "http://b.test/d/1", "<a href=x>").first,
              (Hrefs{"http://b.test/d/x"}));
}

TEST(LinkList, AKnownUrlCountsOnceHoweverItIsWritten) {
    KnownReferences known;
    read_known(known, "http://a.test/d/1", "<a href=x>");
    read_known(known, "http://a.test/d/1", "<a href=./x>");
    EXPECT_EQ(read_known(known, "http://a.test/d/2", "<a href=x><a href=./x><a href=/d/x>"),
              std::pair(Hrefs{}, std::size_t{1}));
}

TEST(LinkList, WhatDependsOnTheWholeUrlOfThePageIsNeverKnown) {
    KnownReferences known;
    const std::string_view html = "<a href=?q><a href=#here><a href='  x'>";
    read_known(known, "http://a.test/d/1", html);
    EXPECT_EQ(read_known(known, "http://a.test/d/2", html).first,
              (Hrefs{"http://a.test/d/2?q", "http://a.test/d/2", "http://a.test/d/x"}));
}

TEST(LinkList, TheKindTheBaseAndTheEncodingAreAPartOfAKnownLink) {
    KnownReferences known;
    const std::string_view html = "<a href='x?\xC3\xA4'>";
    read_known(known, "http://a.test/d/1", html);
    EXPECT_EQ(read_known(known, "http://a.test/d/2", "<img src='x?\xC3\xA4'>").second, 0u);
    EXPECT_EQ(read_known(known, "http://a.test/d/2", "<base href=/e/><a href='x?\xC3\xA4'>").second,
              0u);
    EXPECT_EQ(read_known(known, "http://a.test/d/2", html, web::Encoding::windows_1252).first,
              (Hrefs{"http://a.test/d/x?%E4"}));
    EXPECT_EQ(read_known(known, "http://a.test/d/2", html).second, 1u);
}

}  // namespace
}  // namespace weft::crawl
