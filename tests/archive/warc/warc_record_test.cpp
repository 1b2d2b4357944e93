#include "archive/warc/warc_record.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "archive/index/digest.h"
#include "archive/sample_file.h"

namespace weft::archive {
namespace {

constexpr WallTime kDate = WallTime(std::chrono::seconds(1'772'366'400));  // 2026-03-01T12:00:00Z

RecordFields response_fields() {
    RecordFields fields;
    fields.type = RecordType::response;
    fields.id = "<urn:uuid:00000000-0000-4000-8000-000000000001>";
    fields.date = kDate;
    fields.target_uri = "http://example.com/";
    return fields;
}

TEST(WarcRecord, HeaderSaysAllThatIsKnown) {
    RecordFields fields = response_fields();
    fields.ip_address = "93.184.216.34";
    const std::array<std::string, 2> protocols = {"h2", "tls/1.3"};
    fields.protocols = protocols;
    fields.cipher_suite = "TLS_AES_128_GCM_SHA256";
    const std::array<std::string, 2> others = {"<urn:uuid:2>", "<urn:uuid:3>"};
    fields.concurrent_to = others;
    fields.warcinfo_id = "<urn:uuid:4>";
    fields.truncated = Truncated::disconnect;
    fields.payload_digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
    fields.identified_payload_type = "text/html";

    const auto record = make_record(fields, {"HTTP/1.1 200 OK\r\n\r\n", "hello"});

    ASSERT_TRUE(record);
    EXPECT_EQ(bytes_of(*record),
              "WARC/1.1\r\n"
              "WARC-Type: response\r\n"
              "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
              "WARC-Date: 2026-03-01T12:00:00Z\r\n"
              "WARC-Target-URI: http://example.com/\r\n"
              "WARC-IP-Address: 93.184.216.34\r\n"
              "WARC-Protocol: h2\r\n"
              "WARC-Protocol: tls/1.3\r\n"
              "WARC-Cipher-Suite: TLS_AES_128_GCM_SHA256\r\n"
              "WARC-Concurrent-To: <urn:uuid:2>\r\n"
              "WARC-Concurrent-To: <urn:uuid:3>\r\n"
              "WARC-Warcinfo-ID: <urn:uuid:4>\r\n"
              "WARC-Truncated: disconnect\r\n"
              "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n"
              "WARC-Identified-Payload-Type: text/html\r\n"
              "WARC-Block-Digest: sha1:IORUMWLIBUO53GZZJS7FEOU3IDD3AFBH\r\n"
              "Content-Type: application/http;msgtype=response\r\n"
              "Content-Length: 24\r\n"
              "\r\n"
              "HTTP/1.1 200 OK\r\n\r\nhello\r\n\r\n");
}

TEST(WarcRecord, RefusesControlCharactersInFieldsH35H102) {
    for (const std::string_view bad :
         {"http://a/\r\nX: y", "http://a/\n", "http://a/\x1B[2J", "http://a/\x7F", "http://a/ b",
          "http://a/\xC2\x9B", "http://a/\xFF", "http://a/\t"}) {
        RecordFields fields = response_fields();
        fields.target_uri = bad;
        const auto record = make_record(fields, {"x"});
        ASSERT_FALSE(record) << bad;
        EXPECT_EQ(record.error(), RecordError::bad_character);
    }
    RecordFields fields = response_fields();
    fields.identified_payload_type = std::string_view("text/html\0", 10);
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::bad_character);
}

TEST(WarcRecord, RefusesCredentialsInTheTargetH121) {
    RecordFields fields = response_fields();

    fields.target_uri = "http://user:secret@example.com/";
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::has_credentials);
    fields.target_uri = "http://user@example.com";
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::has_credentials);

    fields.target_uri = "http://example.com/a@b?c@d";
    EXPECT_TRUE(make_record(fields, {}));
}

TEST(WarcRecord, RefusesRecordsWithoutTheirNeededFields) {
    RecordFields fields = response_fields();
    fields.id = {};
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::missing_id);

    fields = response_fields();
    fields.target_uri = {};
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::missing_target_uri);

    fields = response_fields();
    fields.type = RecordType::revisit;
    EXPECT_EQ(make_record(fields, {}).error(), RecordError::missing_profile);
}

TEST(WarcRecord, BlockBytesAreKeptAsReceived) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);

    const auto record = make_record(response_fields(), {bytes});

    ASSERT_TRUE(record);
    EXPECT_TRUE(bytes_of(*record).ends_with(bytes + "\r\n\r\n"));
}

TEST(WarcRecord, IdsAreVersion4UuidsAndFollowTheSeed) {
    Random random(7);
    Random again(7);

    std::set<std::string> ids;
    for (int i = 0; i < 1'000; ++i) {
        const std::string id = make_record_id(random);
        EXPECT_EQ(id, make_record_id(again));
        EXPECT_EQ(id.size(), 47u);
        EXPECT_EQ(id[24], '4');
        EXPECT_NE(std::string_view("89ab").find(id[29]), std::string_view::npos);
        ids.insert(id);
    }

    EXPECT_EQ(ids.size(), 1'000u);
}

TEST(WarcRecord, WarcFieldsCannotBeForgedByAValue) {
    std::string block;
    append_warc_field(block, "software", "weft");
    append_warc_field(block, "note", "a\r\nrobots: ignore");

    EXPECT_EQ(block, "software: weft\r\nnote: a  robots: ignore\r\n");
}

}  // namespace
}  // namespace weft::archive
