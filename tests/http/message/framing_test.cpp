#include "http/message/framing.h"

#include <gtest/gtest.h>

#include "http/exchange.h"

namespace weft::http {
namespace {

struct Row {
    std::string_view fields;
    std::optional<ParseError> error;
    std::string_view body;
    bool keep_alive;
};

void expect_rows(std::span<const Row> rows, std::string_view version, std::string_view sent) {
    for (const Row& row : rows) {
        const std::string bytes = fmt::format(
            "HTTP/{} 200 OK\r\nConnection: keep-alive\r\n{}\r\n{}", version, row.fields, sent);
        const Reading whole = read_all_ways(bytes);
        EXPECT_EQ(whole.error, row.error) << bytes;
        EXPECT_EQ(whole.body, row.body) << bytes;
        EXPECT_EQ(whole.keep_alive, row.keep_alive) << bytes;
    }
}

}  // namespace

TEST(Framing, ContentLengthIsOneNumberOrAnErrorH20) {
    constexpr auto kBad = ParseError::bad_content_length;
    constexpr auto kConflict = ParseError::conflicting_content_lengths;
    const Row rows[] = {
        {"Content-Length: 5\r\n", {}, "hello", true},
        {"Content-Length: \t5 \r\n", {}, "hello", true},
        {"Content-Length: 005\r\n", {}, "hello", true},
        {"Content-Length: 00000000000000000000000000005\r\n", {}, "hello", true},
        {"Content-Length: 0\r\n", {}, "", true},
        {"Content-Length: 5, 5\r\n", {}, "hello", false},
        {"Content-Length: 5\r\nContent-Length: 5\r\n", {}, "hello", false},
        {"Content-Length: 5\r\nContent-Length: 6\r\n", kConflict, "", false},
        {"Content-Length: 5, 6\r\n", kConflict, "", false},
        {"Content-Length: 5\r\nContent-Length: 05\r\n", kConflict, "", false},
        {"Content-Length: 5,\r\n", kConflict, "", false},
        {"Content-Length: ,\r\n", kBad, "", false},
        {"Content-Length: +5\r\n", kBad, "", false},
        {"Content-Length: -1\r\n", kBad, "", false},
        {"Content-Length: 0x5\r\n", kBad, "", false},
        {"Content-Length: 5.0\r\n", kBad, "", false},
        {"Content-Length: 5 0\r\n", kBad, "", false},
        {"Content-Length: five\r\n", kBad, "", false},
        {"Content-Length: \"5\"\r\n", kBad, "", false},
        {"Content-Length: 18446744073709551617\r\n", kBad, "", false},
        {"Content-Length: 18446744073709551621\r\n", kBad, "", false},
        {"Content-Length: 9223372036854775808\r\n", kBad, "", false},
        {"Content-Length: 99999999999999999999999\r\n", kBad, "", false},
        {"Content-Length: 9223372036854775807\r\n", ParseError::truncated_body, "hello, world",
         false},
        {"Content-Length: 4611686018427387904\r\n", ParseError::truncated_body, "hello, world",
         false},
        {"Content-Length:\r\n", {}, "hello, world", false},
        {"Content-Length: 1\r\n 2\r\n", kBad, "", false},
    };
    expect_rows(rows, "1.1", "hello, world");
}

TEST(Framing, TransferEncodingWinsOrIsAnErrorH21) {
    constexpr auto kBad = ParseError::bad_transfer_encoding;
    constexpr std::string_view kSent = "2\r\nOK\r\n0\r\n\r\n";
    const Row rows[] = {
        {"Transfer-Encoding: chunked\r\n", {}, "OK", true},
        {"transfer-encoding:Chunked \r\n", {}, "OK", true},
        {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", {}, "OK", false},
        {"Transfer-Encoding: chunked\r\nContent-Length: x\r\n", {}, "OK", false},
        {"Transfer-Encoding: identity\r\n", {}, kSent, false},
        {"Transfer-Encoding: identity\r\nContent-Length: 3\r\n", {}, "2\r\n", false},
        {"Transfer-Encoding: identity, chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: chunked, chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: gzip, chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", {}, "OK", false},
        {"Transfer-Encoding: gzip\r\n", {}, kSent, false},
        {"Transfer-Encoding: xchunked\r\n", {}, kSent, false},
        {"Transfer-Encoding: chunked;q=1\r\n", {}, kSent, false},
        {"Transfer-Encoding: chunked, identity\r\n", {}, kSent, false},
        {"Transfer-Encoding: chunked, gzip\r\n", {}, kSent, false},
        {"Transfer-Encoding:\r\n", {}, kSent, false},
        {"Transfer-Encoding: \x0b"
         "chunked\r\n",
         {},
         kSent,
         false},
        {"Transfer-Encoding: xyz, chunked\r\n", kBad, "", false},
        {"Transfer-Encoding: chunked, xyz\r\n", kBad, "", false},
        {"Transfer-Encoding: chunked, gzip, chunked\r\n", kBad, "", false},
        {"Transfer-Encoding: xchunked\r\nContent-Length: 3\r\n", kBad, "", false},
        {"Transfer-Encoding: chunked, identity\r\nContent-Length: 3\r\n", kBad, "", false},
        {"Transfer-Encoding:\r\n chunked\r\n", {}, "OK", false},
    };
    expect_rows(rows, "1.1", kSent);
}

TEST(Framing, TransferEncodingInHttp10IsHonouredButNotPooledH21) {
    const Row rows[] = {
        {"Transfer-Encoding: chunked\r\n", {}, "OK", false},
        {"Content-Length: 3\r\n", {}, "2\r\n", true},
    };
    expect_rows(rows, "1.0", "2\r\nOK\r\n0\r\n\r\n");
}

TEST(Framing, CodingsBesideChunkedAreLeftToTheCaller) {
    Headers headers;
    headers.add("Transfer-Encoding", "GZIP, identity, chunked");

    const auto framing = response_framing(headers, 1);

    EXPECT_EQ(framing->transfer_codings, "GZIP");
    EXPECT_TRUE(framing->oddities.has(Oddity::odd_transfer_encoding));
}

TEST(Framing, RequestsMustBeBeyondDoubt) {
    const auto framing_of = [](std::vector<Field> fields, int minor_version = 1) {
        Headers headers;
        for (const Field& field : fields) headers.add(field.name, field.value);
        return request_framing(headers, minor_version);
    };
    EXPECT_EQ(framing_of({})->kind, Framing::none);
    EXPECT_EQ(framing_of({{"Content-Length", "0"}})->kind, Framing::none);
    EXPECT_EQ(framing_of({{"Content-Length", "7"}})->length, 7u);
    EXPECT_EQ(framing_of({{"Transfer-Encoding", "Chunked"}})->kind, Framing::chunked);
    EXPECT_EQ(framing_of({{"Content-Length", "7"}, {"Transfer-Encoding", "chunked"}}).error(),
              ParseError::length_and_transfer_encoding);
    EXPECT_EQ(framing_of({{"Transfer-Encoding", "gzip, chunked"}}).error(),
              ParseError::bad_transfer_encoding);
    EXPECT_EQ(
        framing_of({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}).error(),
        ParseError::bad_transfer_encoding);
    EXPECT_EQ(framing_of({{"Transfer-Encoding", "chunked"}}, 0).error(),
              ParseError::bad_transfer_encoding);
    EXPECT_EQ(framing_of({{"Content-Length", "7"}, {"Content-Length", "7"}}).error(),
              ParseError::bad_content_length);
    EXPECT_EQ(framing_of({{"Content-Length", "7, 8"}}).error(),
              ParseError::conflicting_content_lengths);
    EXPECT_EQ(framing_of({{"Content-Length", ""}}).error(), ParseError::bad_content_length);
}

}  // namespace weft::http
