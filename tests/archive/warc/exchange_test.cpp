#include "archive/warc/exchange.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "archive/sample_file.h"

namespace weft::archive {
namespace {

Capture small_capture() {
    Capture capture;
    capture.target_uri = "http://example.com/";
    capture.date = WallTime(std::chrono::seconds(1'772'366'400));
    capture.ip_address = "93.184.216.34";
    capture.request = "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n";
    capture.response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    capture.response_body = capture.response.size();
    capture.response += "hello";
    Capture* const captures[] = {&capture};
    fill_in_digests(captures);
    return capture;
}

// The views in the records are valid as long as the capture.
std::expected<std::vector<WarcRecord>, RecordError> records_of(const Capture& capture,
                                                               const Original* same_as = nullptr) {
    Random random(1);
    return make_exchange_records(capture, same_as, "", random);
}

bool has_line(const WarcRecord& record, std::string_view line) {
    return record.header.find(fmt::format("\r\n{}\r\n", line)) != std::string::npos;
}

TEST(Exchange, RequestNamesItsResponse) {
    const Capture capture = small_capture();
    const auto records = records_of(capture);

    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), 2u);
    const WarcRecord& response = records->front();
    const WarcRecord& request = records->back();
    EXPECT_TRUE(has_line(request, "WARC-Concurrent-To: " + response.id));
    EXPECT_TRUE(has_line(request, "WARC-Type: request"));
    EXPECT_TRUE(has_line(response, "WARC-Type: response"));
    EXPECT_TRUE(has_line(response, "WARC-IP-Address: 93.184.216.34"));
}

TEST(Exchange, PayloadDigestIsThatOfTheBody) {
    const Capture capture = small_capture();
    const auto records = records_of(capture);

    // SHA-1 of "hello".
    EXPECT_EQ(capture.payload_digest, "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
    EXPECT_TRUE(
        has_line(records->front(), "WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"));
}

TEST(Exchange, RepeatedPayloadBecomesARevisitWithoutIt) {
    const Capture capture = small_capture();
    const Original original{"<urn:uuid:1>", "http://example.com/first", capture.date};

    const auto records = records_of(capture, &original);

    ASSERT_TRUE(records);
    const WarcRecord& revisit = records->front();
    EXPECT_TRUE(has_line(revisit, "WARC-Type: revisit"));
    EXPECT_TRUE(has_line(revisit, fmt::format("WARC-Profile: {}", kIdenticalPayload)));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To: <urn:uuid:1>"));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To-Target-URI: http://example.com/first"));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To-Date: 2026-03-01T12:00:00Z"));
    EXPECT_TRUE(bytes_of(revisit).ends_with("Content-Length: 5\r\n\r\n\r\n\r\n"));
}

TEST(Exchange, NoRequestBytesMeanNoRequestRecord) {
    Capture capture = small_capture();
    capture.request = {};

    EXPECT_EQ(records_of(capture)->size(), 1u);
}

TEST(Exchange, BadTargetIsRefusedH35) {
    Capture capture = small_capture();
    capture.target_uri = "http://example.com/\r\nWARC-Type: warcinfo";

    EXPECT_EQ(records_of(capture).error(), RecordError::bad_character);
}

}  // namespace
}  // namespace weft::archive
