// The bounds of base/limits.h on an HTTP/1 response, at the bound and one past it.
#include "base/limits.h"

#include <gtest/gtest.h>

#include "http/exchange.h"

namespace weft::http {
namespace {

constexpr std::string_view kStatusLine = "HTTP/1.1 200 OK\r\n";
constexpr std::string_view kEnd = "Content-Length: 0\r\n\r\n";
constexpr std::string_view kChunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string field_line(std::size_t bytes) {
    return "A: " + std::string(bytes - 5, 'x') + "\r\n";
}

// The result must not depend on the cut; pieces of a size that divides nothing.
std::optional<ParseError> error_of(std::string_view bytes) {
    const Reading whole = read_response(bytes);
    EXPECT_EQ(whole.error, read_response(bytes, "GET", 1009).error);
    return whole.error;
}

}  // namespace

TEST(ResponseLimits, HeaderLineH25) {
    const std::string at_bound = field_line(limits::kHeaderLineBytesMax);
    const std::string past_bound = field_line(limits::kHeaderLineBytesMax + 1);

    EXPECT_EQ(error_of(fmt::format("{}{}{}", kStatusLine, at_bound, kEnd)), std::nullopt);
    EXPECT_EQ(error_of(fmt::format("{}{}{}", kStatusLine, past_bound, kEnd)),
              ParseError::line_too_long);
}

TEST(ResponseLimits, HeaderBlockH25) {
    std::string head(kStatusLine);
    while (limits::kHeaderBlockBytesMax - head.size() > 20'000) head += field_line(10'000);
    const std::size_t left = limits::kHeaderBlockBytesMax - head.size() - kEnd.size();

    EXPECT_EQ(error_of(head + field_line(left) + std::string(kEnd)), std::nullopt);
    EXPECT_EQ(error_of(head + field_line(left + 1) + std::string(kEnd)),
              ParseError::header_block_too_large);
}

TEST(ResponseLimits, HeaderBlockCountsInterimHeadsH25) {
    std::string bytes;
    for (int i = 0; i < 5; ++i) {
        bytes += "HTTP/1.1 103 Hints\r\n" + field_line(60'000) + "\r\n";
    }
    EXPECT_EQ(error_of(bytes), ParseError::header_block_too_large);
}

TEST(ResponseLimits, FieldCountCountsInterimHeadsAndTrailersH25) {
    std::string fields;
    for (std::size_t i = 0; i < limits::kHeaderCountMax - 2; ++i) fields += "A: b\r\n";
    const std::string hints = "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n";
    const std::string head =
        fmt::format("{}{}Transfer-Encoding: chunked\r\n{}\r\n", hints, kStatusLine, fields);

    EXPECT_EQ(error_of(head + "0\r\n\r\n"), std::nullopt);
    EXPECT_EQ(error_of(head + "0\r\nT: 1\r\n\r\n"), ParseError::too_many_fields);
    EXPECT_EQ(error_of(fmt::format("{}{}C: d\r\n{}{}", hints, kStatusLine, fields, kEnd)),
              ParseError::too_many_fields);
}

TEST(ResponseLimits, EndlessLineIsRefusedWithoutItsEndH25) {
    ResponseParser parser;
    parser.start("GET");
    EXPECT_TRUE(parser.next(kStatusLine));
    EXPECT_TRUE(parser.next(std::string(limits::kHeaderLineBytesMax, 'x')));
    EXPECT_EQ(parser.next("x").error(), ParseError::line_too_long);
}

TEST(ResponseLimits, ChunkSizeLineH23) {
    const std::string at_bound =
        "1;" + std::string(limits::kChunkSizeLineBytesMax - 4, 'e') + "\r\n";
    const std::string past_bound =
        "1;" + std::string(limits::kChunkSizeLineBytesMax - 3, 'e') + "\r\n";

    EXPECT_EQ(error_of(fmt::format("{}{}x\r\n0\r\n\r\n", kChunkedHead, at_bound)), std::nullopt);
    EXPECT_EQ(error_of(fmt::format("{}{}x\r\n0\r\n\r\n", kChunkedHead, past_bound)),
              ParseError::chunk_size_line_too_long);
    EXPECT_EQ(error_of(fmt::format("{}5;{}", kChunkedHead, std::string(1'000'000, 'e'))),
              ParseError::chunk_size_line_too_long);
}

TEST(ResponseLimits, ChunkExtensionsInAllH23) {
    const std::string chunk = "1;" + std::string(127, 'e') + "\r\nx\r\n";
    std::string body(kChunkedHead);
    for (std::size_t i = 0; i < limits::kChunkExtensionBytesMax / 128; ++i) body += chunk;

    EXPECT_EQ(error_of(body + "0\r\n\r\n"), std::nullopt);
    EXPECT_EQ(error_of(body + "0;\r\n\r\n"), ParseError::chunk_extensions_too_large);
}

TEST(ResponseLimits, TrailersH23) {
    const std::string head = std::string(kChunkedHead) + "0\r\n";

    EXPECT_EQ(error_of(head + field_line(limits::kTrailerBytesMax - 2) + "\r\n"), std::nullopt);
    EXPECT_EQ(error_of(head + field_line(limits::kTrailerBytesMax - 1) + "\r\n"),
              ParseError::trailers_too_large);
}

}  // namespace weft::http
