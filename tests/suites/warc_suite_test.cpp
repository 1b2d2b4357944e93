#include <gtest/gtest.h>

#include "archive/warc/record_check.h"
#include "suites/conformance.h"
#include "support/read_warc.h"

namespace weft::archive {
namespace {

using nlohmann::json;

void compare_text(const json& want, const char* key, std::string_view found) {
    EXPECT_EQ(want.value(key, std::string()), found) << key;
}

void compare_http(const json& want, const StoredRecord& record) {
    EXPECT_EQ(want.contains("http_start_line"), holds_http(record.header));
    if (!holds_http(record.header)) return;
    const HttpHead head = parse_http_head(record.block);
    compare_text(want, "http_start_line", head.start_line);
    compare_text(want, "http_status", head.status == 0 ? "" : std::to_string(head.status));
    EXPECT_EQ(want["http_header_count"], head.header_count);
}

void compare_record(const json& want, const StoredRecord& record) {
    const WarcHeader& header = record.header;
    compare_text(want, "version", header.version());
    compare_text(want, "type", header.type());
    compare_text(want, "id", header.id());
    compare_text(want, "uri", header.target_uri());
    compare_text(want, "date", header.get("WARC-Date"));
    compare_text(want, "content_type", header.get("Content-Type"));
    compare_text(want, "block_digest", header.get("WARC-Block-Digest"));
    compare_text(want, "payload_digest", header.get("WARC-Payload-Digest"));
    EXPECT_EQ(want["content_length"], header.content_length());
    EXPECT_EQ(want["offset"], record.end.offset);
    // The oracle counts a negative length where a member does not end with its record.
    EXPECT_EQ(std::max(want["length"].get<std::int64_t>(), std::int64_t{0}), record.end.length);

    compare_http(want, record);
    RecordCheck check(header);
    check.update(record.block);
    const Verdict verdict = check.finish(record.end.is_complete);
    const Verdict expected = !want.contains("digest_ok") ? Verdict::unchecked
                             : want["digest_ok"]         ? Verdict::right
                                                         : Verdict::wrong;
    EXPECT_EQ(verdict, expected);
}

// The fields decoded_payload_* are not compared: the oracle had read the payload before it measured
// it, so that they describe nothing in every row.
TEST(WarcSuite, EveryFileReadsAsExpected) {
    WEFT_NEED_SUITE("warc");
    const std::filesystem::path dir = suites::conformance_dir() / "warc";

    for (const json& file : suites::rows(dir / "expected.json")) {
        SCOPED_TRACE(file["file"].get<std::string>());
        const WarcContents contents = read_warc(suites::read_file(dir / file["file"]));

        EXPECT_EQ(!file["error"].is_null(), contents.error.has_value());
        ASSERT_EQ(file["records"].size(), contents.records.size());
        bool has_stray_line = false;
        for (std::size_t i = 0; i < contents.records.size(); ++i) {
            SCOPED_TRACE(i);
            compare_record(file["records"][i], contents.records[i]);
            has_stray_line |= contents.records[i].end.has_stray_line;
        }
        const bool is_unseparated = contents.error == WarcError::missing_newline;
        EXPECT_EQ(!file["warnings"].empty(), has_stray_line || is_unseparated);
    }
}

}  // namespace
}  // namespace weft::archive
