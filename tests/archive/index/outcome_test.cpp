#include "archive/index/outcome.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "archive/index/page_reader.h"

namespace weft::archive {
namespace {

Outcome full_entry() {
    Outcome entry;
    entry.url = "https://example.com/a?b=\"c\"";
    entry.date = parse_iso8601("2026-03-01T12:00:00.250Z").value();
    entry.ending = Ending::fetched;
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
    entry.via = Via::sitemap;
    entry.canonical = "https://example.com/a";
    entry.near_duplicate_of = "https://example.com/z";
    entry.depth = 3;
    entry.attempt_count = 2;
    entry.elapsed = 6us;
    entry.timings = {.dns = 1us, .connect = 2us, .tls = 3us, .sent = 4us, .first_byte = 5us};
    entry.is_truncated = entry.is_duplicate = entry.says_noindex = entry.says_nofollow = true;
    entry.is_nofollow = true;
    entry.link_count = 7;
    entry.refused = {{"depth", 1}, {"other_host", 2}};
    entry.links = {"https://example.com/c", "https://example.com/d"};
    entry.text = "seen";
    entry.archived.file = "weft-00000.warc.gz";
    entry.archived.offset = 0;
    entry.archived.length = 99;
    return entry;
}

TEST(Outcome, LinesAreReadAsTheyAreWritten) {
    const std::string line = to_json_line(full_entry());
    const auto again = parse_page_line(line);
    ASSERT_TRUE(again);
    EXPECT_EQ(to_json_line(*again), line);
    EXPECT_EQ(again->simhash, full_entry().simhash);
    EXPECT_EQ(again->refused.at("other_host"), 2U);
    EXPECT_EQ(again->timings.tls, 3us);
    EXPECT_TRUE(again->is_broken());
}

TEST(Outcome, H102TextFromOutsideStaysInItsString) {
    const std::string line = to_json_line(full_entry());
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_FALSE(line.contains("</script>"));
    EXPECT_FALSE(line.contains('\x1b'));
}

TEST(Outcome, OtherLinesAreNone) {
    EXPECT_FALSE(parse_page_line(kPagesFormatLine));
    EXPECT_FALSE(parse_page_line(""));
    EXPECT_FALSE(parse_page_line("{\"url\":"));
    EXPECT_FALSE(parse_page_line("[1]"));
    EXPECT_TRUE(parse_page_line("{\"url\":\"http://a/\",\"status\":\"x\",\"new_name\":{}}"));
}

TEST(Outcome, ALineWithAnUnknownEndingIsDamaged) {
    EXPECT_TRUE(is_sound(full_entry()));
    for (const char* ending : {"", ",\"ending\":\"lost\"", ",\"ending\":7"}) {
        const auto read = parse_page_line(
            fmt::format(R"({{"url":"http://a/","ts":"2026-03-01T12:00:00Z"{}}})", ending));
        EXPECT_EQ(read.value().ending, Ending::unknown) << ending;
        EXPECT_FALSE(is_sound(*read)) << ending;
    }
}

TEST(Outcome, ATimeThatNoFetchTakesDoesNotOverflow) {
    const auto read =
        parse_page_line(R"({"url":"http://a/","us":{"total":18446744073709551615,"dns":7}})");
    EXPECT_GT(read.value().elapsed, 1h);
    EXPECT_EQ(read->timings.dns, 7us);
}

TEST(PageReader, ALineBeingWrittenIsLeftOut) {
    aio::MemoryFiles files;
    const auto file = files.open("/pages.jsonl", aio::OpenMode::create);
    const std::string line = to_json_line(full_entry());
    file->append(kPagesFormatLine);
    for (int i = 0; i < 2000; ++i) file->append(line);
    file->append(std::string_view(line).substr(0, 20));
    int count = 0;
    read_pages(*file, [&](const Outcome& entry) {
        EXPECT_EQ(entry.url, full_entry().url);
        ++count;
    });
    EXPECT_EQ(count, 2000);
}

}  // namespace
}  // namespace weft::archive
