#include "archive/warc/record_check.h"

#include <gtest/gtest.h>

namespace weft::archive {
namespace {

constexpr std::string_view kBlock = "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nhello";
constexpr std::string_view kBlockDigest = "sha1:Q44QG27MATAAPYB7WTWIMHGRTAAHSZEC";
constexpr std::string_view kPayloadDigest = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";

WarcHeader header_with(std::string_view fields) {
    return WarcHeader::parse(
               fmt::format("WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
                           "Content-Length: {}\r\n{}\r\n\r\n",
                           kBlock.size(), fields))
        .value();
}

Verdict verdict_on(std::string_view fields, std::size_t step = 1'000) {
    RecordCheck check(header_with(fields));
    for (std::size_t at = 0; at < kBlock.size(); at += step) check.update(kBlock.substr(at, step));
    return check.finish(true);
}

TEST(RecordCheck, PayloadBeginsAfterTheHeadHoweverThePiecesFall) {
    for (std::size_t step = 1; step <= kBlock.size(); ++step) {
        EXPECT_EQ(verdict_on(fmt::format("WARC-Payload-Digest: {}", kPayloadDigest), step),
                  Verdict::right)
            << step;
    }
}

TEST(RecordCheck, OneWrongDigestMakesTheRecordWrong) {
    const std::string wrong = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    EXPECT_EQ(verdict_on("WARC-Block-Digest: " + wrong), Verdict::wrong);
    EXPECT_EQ(verdict_on(fmt::format("WARC-Block-Digest: {}\r\nWARC-Payload-Digest: {}",
                                     kBlockDigest, wrong)),
              Verdict::wrong);
    EXPECT_EQ(verdict_on(fmt::format("WARC-Block-Digest: {}\r\nWARC-Payload-Digest: {}",
                                     kBlockDigest, kPayloadDigest)),
              Verdict::right);
}

TEST(RecordCheck, KnowsOtherSpellingsOfDigests) {
    EXPECT_EQ(verdict_on("WARC-Payload-Digest: SHA-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"),
              Verdict::right);
    EXPECT_EQ(verdict_on("WARC-Payload-Digest: md5:5D41402ABC4B2A76B9719D911017C592"),
              Verdict::right);
    EXPECT_EQ(verdict_on("WARC-Payload-Digest: sha256:"
                         "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
              Verdict::right);
    EXPECT_EQ(verdict_on("WARC-Payload-Digest: blake3:00"), Verdict::unchecked);
}

TEST(RecordCheck, CutOffRecordsAreNotJudged) {
    RecordCheck check(header_with(fmt::format("WARC-Block-Digest: {}", kBlockDigest)));
    check.update(kBlock.substr(0, 10));

    EXPECT_EQ(check.finish(false), Verdict::unchecked);
}

TEST(HttpHead, CountsHeadersAndFindsTheStatus) {
    const HttpHead head = parse_http_head(kBlock);

    EXPECT_EQ(head.start_line, "HTTP/1.1 200 OK");
    EXPECT_EQ(head.status, 200u);
    EXPECT_EQ(head.header_count, 1u);
    EXPECT_EQ(head.size_bytes, kBlock.size() - 5);
}

TEST(HttpHead, TakesWhatThereIs) {
    EXPECT_EQ(parse_http_head("").size_bytes, 0u);
    EXPECT_EQ(parse_http_head("HTTP/1.0 404").status, 404u);
    EXPECT_EQ(parse_http_head("HTTP/1.0 \n\n").status, 0u);
    EXPECT_EQ(parse_http_head("GET /200 HTTP/1.1\r\nHost: a\r\n").status, 0u);
    EXPECT_EQ(parse_http_head("HTTP/1.1 200\nA: b\n\nx").header_count, 1u);
}

}  // namespace
}  // namespace weft::archive
