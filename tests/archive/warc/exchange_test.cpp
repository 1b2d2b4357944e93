#include "archive/warc/exchange.h"

#include <gtest/gtest.h>

namespace weft::archive {
namespace {

Exchange small_exchange() {
    Exchange exchange;
    exchange.target_uri = "http://example.com/";
    exchange.date = WallTime(std::chrono::seconds(1'772'366'400));
    exchange.ip_address = "93.184.216.34";
    exchange.request = "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n";
    exchange.response_head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    exchange.response_body = "hello";
    return exchange;
}

bool has_line(const WarcRecord& record, std::string_view line) {
    return record.header.find(fmt::format("\r\n{}\r\n", line)) != std::string::npos;
}

TEST(Exchange, RequestNamesItsResponse) {
    Random random(1);

    const auto records = make_exchange_records(small_exchange(), random);

    ASSERT_TRUE(records);
    ASSERT_TRUE(records->request);
    EXPECT_TRUE(has_line(*records->request, "WARC-Concurrent-To: " + records->response.id));
    EXPECT_TRUE(has_line(*records->request, "WARC-Type: request"));
    EXPECT_TRUE(has_line(records->response, "WARC-Type: response"));
    EXPECT_TRUE(has_line(records->response, "WARC-IP-Address: 93.184.216.34"));
}

TEST(Exchange, PayloadDigestIsThatOfTheBody) {
    Random random(1);

    const auto records = make_exchange_records(small_exchange(), random);

    // SHA-1 of "hello".
    EXPECT_EQ(records->payload_digest, "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
    EXPECT_TRUE(
        has_line(records->response, "WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"));
}

TEST(Exchange, RepeatedPayloadBecomesARevisitWithoutIt) {
    Random random(1);
    Exchange exchange = small_exchange();
    exchange.same_as = Original{"<urn:uuid:1>", "http://example.com/first", exchange.date};

    const auto records = make_exchange_records(exchange, random);

    ASSERT_TRUE(records);
    const WarcRecord& revisit = records->response;
    EXPECT_TRUE(has_line(revisit, "WARC-Type: revisit"));
    EXPECT_TRUE(has_line(revisit, fmt::format("WARC-Profile: {}", kIdenticalPayload)));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To: <urn:uuid:1>"));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To-Target-URI: http://example.com/first"));
    EXPECT_TRUE(has_line(revisit, "WARC-Refers-To-Date: 2026-03-01T12:00:00Z"));
    EXPECT_TRUE(revisit.to_string().ends_with("Content-Length: 5\r\n\r\n\r\n\r\n"));
}

TEST(Exchange, NoRequestBytesMeanNoRequestRecord) {
    Random random(1);
    Exchange exchange = small_exchange();
    exchange.request = {};

    EXPECT_FALSE(make_exchange_records(exchange, random)->request);
}

TEST(Exchange, BadTargetIsRefusedH35) {
    Random random(1);
    Exchange exchange = small_exchange();
    exchange.target_uri = "http://example.com/\r\nWARC-Type: warcinfo";

    EXPECT_EQ(make_exchange_records(exchange, random).error(), RecordError::bad_character);
}

}  // namespace
}  // namespace weft::archive
