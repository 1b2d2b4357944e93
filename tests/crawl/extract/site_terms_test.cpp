#include "crawl/extract/site_terms.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "crawl/extract/warc_bytes.h"

namespace weft::crawl {
namespace {

constexpr std::string_view kReserved = "User-agent: *\nContent-Signal: ai-train=no\n";

TEST(SiteTermsBook, KnowsTheUrlsOfTheFiles) {
    EXPECT_TRUE(SiteTermsBook::is_terms_url("http://a.test/robots.txt"));
    EXPECT_TRUE(SiteTermsBook::is_terms_url("https://a.test:1/.well-known/tdmrep.json"));
    EXPECT_FALSE(SiteTermsBook::is_terms_url("http://a.test/x/robots.txt"));
    EXPECT_FALSE(SiteTermsBook::is_terms_url("http://a.test/robots.txt?x"));
    EXPECT_FALSE(SiteTermsBook::is_terms_url("robots.txt"));
}

TEST(SiteTermsBook, KeepsTheTermsOfEachSite) {
    SiteTermsBook book;
    book.note("http://a.test/robots.txt", kReserved);
    book.note("http://a.test/.well-known/tdmrep.json",
              "[{\"location\":\"/\",\"tdm-reservation\":1}]");
    book.note("http://b.test/robots.txt", "User-agent: *\nDisallow: /x\n");

    const auto terms = book.find("http://a.test/page");
    ASSERT_TRUE(terms);
    EXPECT_EQ(terms->robots.size(), 1U);
    EXPECT_EQ(terms->tdm.size(), 1U);
    EXPECT_FALSE(book.find("https://a.test/page")) << "another origin";
    EXPECT_FALSE(book.find("http://b.test/page")) << "it says nothing about use";
    EXPECT_EQ(book.size(), 1U);

    book.note("http://a.test/robots.txt", "");
    EXPECT_TRUE(book.find("http://a.test/page")->robots.empty()) << "the newer file counts";
}

TEST(SiteTermsBook, TheOldestSitesAreForgotten) {
    SiteTermsBook book;
    for (std::size_t i = 0; i < SiteTermsBook::kSiteCountMax; ++i)
        book.note(fmt::format("http://h{}.test/robots.txt", i), kReserved);
    EXPECT_TRUE(book.find("http://h0.test/"));

    book.note("http://one-more.test/robots.txt", kReserved);
    EXPECT_FALSE(book.find("http://h0.test/"));
    EXPECT_TRUE(book.find("http://h1.test/"));
    EXPECT_EQ(book.size(), SiteTermsBook::kSiteCountMax);
}

TEST(SiteTermsBook, PagesGetTheTermsBeforeThem) {
    const std::string robots = warc_response(
        "http://a.test/robots.txt",
        fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{}", kReserved));
    CandidateReader reader({memory_input(html_response("http://a.test/1", "<p>") + robots +
                                         html_response("http://a.test/2", "<p>") +
                                         html_response("http://b.test/", "<p>"))},
                           [](const std::string& url) { return !url.contains("robots"); });

    EXPECT_FALSE(reader.next()->terms);
    EXPECT_TRUE(reader.next()->terms);
    EXPECT_FALSE(reader.next()->terms);
    EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace weft::crawl
