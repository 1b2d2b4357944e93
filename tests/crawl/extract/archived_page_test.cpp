#include "crawl/extract/archived_page.h"

#include <string>

#include <gtest/gtest.h>

#include "base/limits.h"
#include "crawl/extract/warc_bytes.h"
#include "support/packing.h"

namespace weft::crawl {
namespace {

// The only page of a WARC file: its HTML, "cut: " before it if it is only a part; or why there is
// none.
std::string page_of(const std::string& warc) {
    CandidateReader reader({memory_input(warc)}, [](const std::string&) { return true; });
    const auto record = reader.next();
    if (!record) return "no candidate";
    const auto page = open_page(*record);
    if (!page) return page.error().empty() ? "no page" : "error: " + page.error();
    return (page->is_cut ? "cut: " : "") + page->html;
}

std::string page_of_message(std::string_view message) {
    return page_of(warc_response("http://a.test/", message));
}

constexpr std::string_view kUri = "http://a.test/";

TEST(ArchivedPage, KnowsItsUrlAndDate) {
    CandidateReader reader({memory_input(html_response("http://a.test/x y", "<p>"))},
                           [](const std::string&) { return true; });
    const auto page = open_page(reader.next().value());

    ASSERT_TRUE(page);
    EXPECT_EQ(page->url, "http://a.test/x%20y");
    EXPECT_EQ(to_iso8601(page->date), "2026-03-01T10:20:30Z");
    EXPECT_EQ(page->record_id, "<urn:uuid:http://a.test/x y>");
    EXPECT_EQ(page->content_type, "text/html");
}

TEST(ArchivedPage, IsOfStatus200AndOfHtml) {
    EXPECT_EQ(page_of(html_response(kUri, "<p>a")), "<p>a");
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\nCONTENT-TYPE: Text/HTML;charset=x\r\n\r\na"),
              "a");
    EXPECT_EQ(page_of_message("HTTP/2 200\r\ncontent-type: application/xhtml+xml\r\n\r\na"), "a");
    EXPECT_EQ(page_of_message("HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\na"),
              "no candidate");
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\na"),
              "no candidate");
    EXPECT_EQ(page_of_message("HTTP/1.1 206 OK\r\nContent-Type: text/html\r\n\r\na"),
              "no candidate");
    EXPECT_EQ(page_of_message("SSH-2.0 200\r\n\r\n<p>"), "no candidate");
}

TEST(ArchivedPage, WithoutATypeItIsSniffed) {
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\n\r\n<!doctype html><p>a"), "<!doctype html><p>a");
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\nContent-Type: html\r\n\r\n<html>a"), "<html>a");
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\n\r\nplain text"), "no page");
    EXPECT_EQ(page_of_message("HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1A\n"), "no page");
}

TEST(ArchivedPage, ARobotsTxtIsNone) {
    EXPECT_EQ(page_of(html_response("http://a.test/robots.txt", "<p>not found")), "no candidate");
}

TEST(ArchivedPage, HeadsMayHaveLineFeedsAlone) {
    EXPECT_EQ(page_of_message("HTTP/1.0 200 OK\nContent-type:text/html\n\n<p>a"), "<p>a");
}

TEST(ArchivedPage, ChunksAreUndoneWhereThereAreAny) {
    const std::string_view field = "Transfer-Encoding: chunked\r\n";
    EXPECT_EQ(page_of(html_response(kUri, "3\r\n<p>\r\n2;x=y\r\nab\r\n0\r\n\r\n", field)), "<p>ab");
    EXPECT_EQ(page_of(html_response(kUri, "3\r\n<p>\r\n5\r\nab", field)), "cut: <p>ab");
    // Common Crawl and others undo the chunks and keep the field.
    EXPECT_EQ(page_of(html_response(kUri, "<p>a", field)), "<p>a");
    EXPECT_EQ(page_of(html_response(kUri, "<p>a", "X-Crawler-Transfer-Encoding: chunked\r\n")),
              "<p>a");
}

TEST(ArchivedPage, CodingsAreUndoneWhereThereAreAny) {
    const std::string html = "<p>" + std::string(1'000, 'a');
    EXPECT_EQ(page_of(html_response(kUri, tests::gzip(html), "Content-Encoding: gzip\r\n")), html);
    EXPECT_EQ(page_of(html_response(kUri, tests::brotli(html), "content-encoding: br\r\n")), html);
    EXPECT_EQ(page_of(html_response(kUri, tests::zstd(html), "Content-Encoding: zstd\r\n")), html);
    EXPECT_EQ(page_of(html_response(kUri, tests::zlib(html), "Content-Encoding: deflate\r\n")),
              html);
    // Browsers' recorders undo the coding and keep the field.
    for (const char* coding : {"gzip", "br", "zstd", "deflate", "utf-8", "gzip, gzip, gzip"}) {
        EXPECT_EQ(
            page_of(html_response(kUri, html, fmt::format("Content-Encoding: {}\r\n", coding))),
            html)
            << coding;
    }
    EXPECT_TRUE(page_of(html_response(kUri, "\x01\x02\x03", "Content-Encoding: br\r\n"))
                    .starts_with("error: "));
}

TEST(ArchivedPage, ChunksAroundACodingAreUndoneFirst) {
    const std::string packed = tests::gzip("<p>abc");
    EXPECT_EQ(
        page_of(html_response(kUri, fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", packed.size(), packed),
                              "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")),
        "<p>abc");
}

TEST(ArchivedPage, APartIsMarked) {
    EXPECT_EQ(page_of(html_response(kUri, "<p>a", "", "WARC-Truncated: length\r\n")), "cut: <p>a");
    const std::string packed = tests::gzip("<p>" + std::string(100'000, 'a') + "end");
    const std::string half = page_of(
        html_response(kUri, packed.substr(0, packed.size() / 2), "Content-Encoding: gzip\r\n"));
    EXPECT_TRUE(half.starts_with("cut: <p>aaa"));
}

TEST(ArchivedPage, H41ABombIsCutAtTheBoundOfAPage) {
    const auto decoded = [](std::size_t size) {
        return page_of(
            html_response(kUri, tests::gzip(std::string(size, 'a')), "Content-Encoding: gzip\r\n"));
    };
    EXPECT_EQ(decoded(limits::kHtmlBytesMax).size(), limits::kHtmlBytesMax);
    EXPECT_EQ(decoded(limits::kHtmlBytesMax + 1).size(), 5 + limits::kHtmlBytesMax);
    EXPECT_EQ(decoded(20 * limits::kHtmlBytesMax).size(), 5 + limits::kHtmlBytesMax);
}

TEST(ArchivedPage, ResourcesMayBePages) {
    EXPECT_EQ(page_of(warc_record("resource", kUri, "<p>a", "Content-Type: text/html\r\n")),
              "<p>a");
    EXPECT_EQ(page_of(warc_record("resource", kUri, "a", "Content-Type: text/plain\r\n")),
              "no candidate");
    EXPECT_EQ(page_of(warc_record("resource", kUri, "<html>a")), "<html>a");
}

TEST(ArchivedPage, OtherRecordsAreNone) {
    const std::string message = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    for (const char* type : {"revisit", "request", "metadata", "conversion", "warcinfo", "new"}) {
        EXPECT_EQ(page_of(warc_record(type, kUri, message,
                                      "Content-Type: application/http; msgtype=response\r\n")),
                  "no candidate")
            << type;
    }
    // A DNS answer is a response, too.
    EXPECT_EQ(page_of(warc_record("response", "dns:a.test", "a.test. 60 IN A 127.0.0.1",
                                  "Content-Type: text/dns\r\n")),
              "no candidate");
}

}  // namespace
}  // namespace weft::crawl
