#include "archive/index/page_entry.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "archive/index/page_reader.h"

namespace weft::archive {
namespace {

PageEntry full_entry() {
    PageEntry entry;
    entry.url = "https://example.com/a?b=\"c\"";
    entry.date = parse_iso8601("2026-03-01T12:00:00.250Z").value();
    entry.ending = "fetched";
    entry.status = 404;
    entry.failure = "truncated";
    entry.reason = "512 of 2048 bytes\x1b[31m";
    entry.content_type = "text/html";
    entry.charset = "utf-8";
    entry.content_bytes = 512;
    entry.digest = "sha1:ABC";
    entry.simhash = 0xFFFF'FFFF'FFFF'FFFFU;
    entry.title = "</script>\u202e";
    entry.redirect_target = "https://example.com/b";
    entry.address = "192.0.2.1:443";
    entry.referrer = "https://example.com/";
    entry.via = "sitemap";
    entry.canonical = "https://example.com/a";
    entry.near_duplicate_of = "https://example.com/z";
    entry.depth = 3;
    entry.attempt_count = 2;
    entry.phases = {.dns = 1, .connect = 2, .tls = 3, .sent = 4, .first_byte = 5, .total = 6};
    entry.is_truncated = entry.is_duplicate = entry.is_noindex = entry.is_nofollow = true;
    entry.is_nofollow_link = true;
    entry.link_count = 7;
    entry.refused = {{"depth", 1}, {"other_host", 2}};
    entry.links = {"https://example.com/c", "https://example.com/d"};
    entry.text = "seen";
    entry.warc_file = "weft-00000.warc.gz";
    entry.warc_offset = 0;
    entry.warc_length = 99;
    return entry;
}

TEST(PageEntry, LinesAreReadAsTheyAreWritten) {
    const std::string line = to_json_line(full_entry());
    const auto again = parse_page_line(line);
    ASSERT_TRUE(again);
    EXPECT_EQ(to_json_line(*again), line);
    EXPECT_EQ(again->simhash, full_entry().simhash);
    EXPECT_EQ(again->refused.at("other_host"), 2U);
    EXPECT_EQ(again->phases.tls, 3U);
    EXPECT_TRUE(again->is_broken());
}

TEST(PageEntry, H102TextFromOutsideStaysInItsString) {
    const std::string line = to_json_line(full_entry());
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_FALSE(line.contains("</script>"));
    EXPECT_FALSE(line.contains('\x1b'));
}

TEST(PageEntry, OtherLinesAreNone) {
    EXPECT_FALSE(parse_page_line(kPagesFormatLine));
    EXPECT_FALSE(parse_page_line(""));
    EXPECT_FALSE(parse_page_line("{\"url\":"));
    EXPECT_FALSE(parse_page_line("[1]"));
    EXPECT_TRUE(parse_page_line("{\"url\":\"http://a/\",\"status\":\"x\",\"new_name\":{}}"));
}

TEST(PageReader, ALineBeingWrittenIsLeftOut) {
    aio::MemoryFiles files;
    const auto file = files.open("/pages.jsonl", aio::OpenMode::create);
    const std::string line = to_json_line(full_entry());
    file->append(kPagesFormatLine);
    for (int i = 0; i < 2000; ++i) file->append(line);
    file->append(std::string_view(line).substr(0, 20));
    int count = 0;
    read_pages(*file, [&](const PageEntry& entry) {
        EXPECT_EQ(entry.url, full_entry().url);
        ++count;
    });
    EXPECT_EQ(count, 2000);
}

}  // namespace
}  // namespace weft::archive
