#include "http/message/chunked_body.h"

#include <gtest/gtest.h>

namespace weft::http {
namespace {

struct Result {
    std::string data;
    bool done = false;
    std::optional<ParseError> error;
    std::size_t left = 0;

    bool operator==(const Result&) const = default;
};

Result read(std::string_view bytes, std::size_t piece_bytes = std::string_view::npos) {
    ChunkedBody body;
    Result result;
    while (!result.done && !bytes.empty()) {
        std::string_view piece = bytes.substr(0, piece_bytes);
        const auto step = body.next(piece);
        if (!step) {
            result.error = step.error();
            return result;
        }
        result.data += step->data;
        result.done = step->done;
        bytes.remove_prefix(step->consumed);
    }
    result.left = bytes.size();
    return result;
}

Result read_all_ways(std::string_view bytes) {
    const Result whole = read(bytes);
    for (std::size_t piece_bytes : {1u, 2u, 3u, 5u, 7u}) {
        EXPECT_EQ(whole, read(bytes, piece_bytes)) << bytes;
    }
    return whole;
}

}  // namespace

TEST(ChunkedBody, JoinsChunksAndStopsAtItsEnd) {
    const Result result =
        read_all_ways("4\r\nWiki\r\n6\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\n\r\nHTTP");

    EXPECT_EQ(result.data, "Wikipedia in \r\n\r\nchunks.");
    EXPECT_TRUE(result.done);
    EXPECT_EQ(result.left, 4u);
}

TEST(ChunkedBody, SizesAreOneToFifteenHexDigitsH22) {
    constexpr auto kBad = ParseError::bad_chunk_size;
    struct Row {
        std::string_view line;
        std::optional<ParseError> error;
    };
    const Row rows[] = {
        {"5", {}},
        {"05", {}},
        {"000000000000005", {}},
        {"5;a=b", {}},
        {"5;a=\"b;c\"", {}},
        {"5 ;a", {}},
        {"5\t; a = b", {}},
        {"5;", {}},
        {"5  ", {}},
        {"0000000000000005", kBad},
        {"FFFFFFFFFFFFFFFFF", kBad},
        {"-5", kBad},
        {"+5", kBad},
        {"0x5", kBad},
        {"5_0", kBad},
        {"5h", kBad},
        {"", kBad},
        {" ", kBad},
        {" 5", kBad},
        {"\t5", kBad},
        {"5 0", kBad},
        {"5 a", kBad},
        {"5.", kBad},
        {";a", kBad},
        {"5;\x01", kBad},
        {"5;a\x7f", kBad},
        {"5\r", ParseError::bare_cr},
        {"5\rx", ParseError::bare_cr},
        {std::string_view("5;\0", 3), ParseError::nul_byte},
    };
    for (const Row& row : rows) {
        const std::string bytes = std::string(row.line) + "\r\nhello\r\n0\r\n\r\n";
        const Result result = read_all_ways(bytes);
        EXPECT_EQ(result.error, row.error) << row.line;
        if (!row.error) EXPECT_EQ(result.data, "hello") << row.line;
    }
}

TEST(ChunkedBody, HugeSizesWaitForTheirBytesH22) {
    const Result result = read_all_ways("fffffffffffffff\r\nhello");

    EXPECT_EQ(result.data, "hello");
    EXPECT_FALSE(result.done);
    EXPECT_EQ(result.error, std::nullopt);
}

TEST(ChunkedBody, BareLfIsAnErrorInFramingH26) {
    EXPECT_EQ(read_all_ways("5\nhello\r\n0\r\n\r\n").error, ParseError::bare_lf);
    EXPECT_EQ(read_all_ways("5;a\nb\r\nhello\r\n0\r\n\r\n").error, ParseError::bare_lf);
    EXPECT_EQ(read_all_ways("5\r\nhello\n0\r\n\r\n").error, ParseError::bad_chunk_end);
    EXPECT_EQ(read_all_ways("5\r\nhello\r\n0\n\r\n").error, ParseError::bare_lf);
    EXPECT_EQ(read_all_ways("5\r\nhello\r\n0\r\n\n").error, ParseError::bare_lf);
    EXPECT_EQ(read_all_ways("5\r\nhello\r\n0\r\nA: b\n\r\n").error, ParseError::bare_lf);
}

TEST(ChunkedBody, CrlfMustFollowTheDataH23) {
    EXPECT_EQ(read_all_ways("5\r\nhello0\r\n\r\n").error, ParseError::bad_chunk_end);
    EXPECT_EQ(read_all_ways("5\r\nhello world\r\n0\r\n\r\n").error, ParseError::bad_chunk_end);
    EXPECT_EQ(read_all_ways("5\r\nhello\r0\r\n\r\n").error, ParseError::bad_chunk_end);
    EXPECT_EQ(read_all_ways("5\r\nhello\r\n\r\n0\r\n\r\n").error, ParseError::bad_chunk_size);
}

TEST(ChunkedBody, TrailersAreStrictFields) {
    ChunkedBody body;
    const auto step = body.next("0\r\nDigest: x\r\nEtag: \"y\"\r\n\r\n");
    EXPECT_TRUE(step->done);
    EXPECT_EQ(body.trailers().get("etag"), "\"y\"");

    EXPECT_EQ(read_all_ways("0\r\nA: 1\r\n 2\r\n\r\n").error, ParseError::misplaced_fold);
    EXPECT_EQ(read_all_ways("0\r\nA : 1\r\n\r\n").error, ParseError::bad_field_name);
    EXPECT_EQ(read_all_ways("0\r\nHTTP/1.1 200 OK\r\n\r\n").error, ParseError::missing_colon);
    EXPECT_EQ(read_all_ways(std::string_view("0\r\nA: h\0i\r\n\r\n", 14)).error,
              ParseError::nul_byte);
}

}  // namespace weft::http
