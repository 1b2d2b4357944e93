#include "http/message/request_parser.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::http {
namespace {

struct Result {
    std::string method;
    std::string target;
    std::size_t field_count = 0;
    std::string body;
    bool complete = false;
    bool keep_alive = false;
    std::optional<ParseError> error;
    std::size_t left = 0;

    bool operator==(const Result&) const = default;
};

Result read(std::string_view bytes, std::size_t piece_bytes = std::string_view::npos) {
    using Event = RequestParser::Event;
    RequestParser parser;
    Result result;
    std::string piece;
    std::size_t given = 0;
    while (true) {
        const auto step = parser.next(piece);
        if (!step) {
            result.error = step.error();
            return result;
        }
        result.body += step->body;
        piece.erase(0, step->consumed);
        if (step->event == Event::head) {
            result.method = parser.method();
            result.target = parser.target();
            result.field_count = parser.headers().size();
        }
        if (step->event == Event::end) break;
        if (step->event != Event::need_more) continue;
        if (given == bytes.size()) {
            const auto finished = parser.finish();
            if (!finished) result.error = finished.error();
            return result;
        }
        piece = bytes.substr(given, piece_bytes);
        given += piece.size();
    }
    result.complete = parser.is_complete();
    result.keep_alive = parser.keep_alive();
    result.left = bytes.size() - given + piece.size();
    return result;
}

Result read_request_all_ways(std::string_view bytes) {
    const Result whole = read(bytes);
    for (std::size_t piece_bytes : {1u, 2u, 3u, 7u}) {
        EXPECT_EQ(whole, read(bytes, piece_bytes)) << bytes;
    }
    return whole;
}

}  // namespace

TEST(RequestParser, ReadsHeadAndBody) {
    const Result result = read_request_all_ways(
        "\r\nPOST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET");

    EXPECT_EQ(result.method, "POST");
    EXPECT_EQ(result.target, "/a?b");
    EXPECT_EQ(result.body, "abc");
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.keep_alive);
    EXPECT_EQ(result.left, 3u);
}

TEST(RequestParser, ReadsAChunkedBody) {
    const Result result = read_request_all_ways(
        "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n");

    EXPECT_EQ(result.body, "ab");
    EXPECT_TRUE(result.complete);
}

TEST(RequestParser, WithoutLengthThereIsNoBody) {
    const Result result = read_request_all_ways("GET * HTTP/1.0\r\n\r\nrest");

    EXPECT_TRUE(result.complete);
    EXPECT_FALSE(result.keep_alive);
    EXPECT_EQ(result.left, 4u);
}

TEST(RequestParser, RefusesWhatIsNotPlainH129) {
    struct Row {
        std::string_view bytes;
        ParseError error;
    };
    const Row rows[] = {
        {"GET /\r\n\r\n", ParseError::bad_request_line},
        {"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"GET / a HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {" GET / HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"G(T / HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"GET / HTTP/1.1 \r\nHost: x\r\n\r\n", ParseError::bad_version},
        {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", ParseError::bad_version},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ParseError::bad_version},
        {"GET / http/1.1\r\nHost: x\r\n\r\n", ParseError::bad_request_line},
        {"\x16\x03\x01", ParseError::tls_record},
        {"GET / HTTP/1.1\nHost: x\r\n\r\n", ParseError::bare_lf},
        {"GET / HTTP/1.1\r\nHost: x\n\r\n", ParseError::bare_lf},
        {"GET / HTTP/1.1\r\nHost: x\r\n\n", ParseError::bare_lf},
        {"GET / HTTP/1.1\r\nHost: x\r\r\n\r\n", ParseError::bare_cr},
        {"GET / HTTP/1.1\r\nHost : x\r\n\r\n", ParseError::bad_field_name},
        {"GET / HTTP/1.1\r\nH\xffst: x\r\n\r\n", ParseError::bad_field_name},
        {"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", ParseError::misplaced_fold},
        {"GET / HTTP/1.1\r\nHost\r\n\r\n", ParseError::missing_colon},
        {"GET / HTTP/1.1\r\n\r\n", ParseError::bad_host},
        {"GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", ParseError::bad_host},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
         ParseError::length_and_transfer_encoding},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n",
         ParseError::bad_content_length},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
         ParseError::bad_transfer_encoding},
        {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
         ParseError::bad_transfer_encoding},
    };
    for (const Row& row : rows)
        EXPECT_EQ(read_request_all_ways(row.bytes).error, row.error) << row.bytes;
}

TEST(RequestParser, EarlyEndsAreTold) {
    EXPECT_EQ(read("").error, ParseError::closed_before_message);
    EXPECT_EQ(read("GET").error, ParseError::truncated_head);
    EXPECT_EQ(read("GET / HTTP/1.1\r\n").error, ParseError::truncated_head);
    EXPECT_EQ(read("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab").error,
              ParseError::truncated_body);
}

TEST(RequestParser, BoundsAreThoseOfResponses) {
    std::string fields = "Host: x\r\n";
    for (std::size_t i = 1; i < limits::kHeaderCountMax; ++i) fields += "A: b\r\n";

    EXPECT_EQ(read("GET / HTTP/1.1\r\n" + fields + "\r\n").error, std::nullopt);
    EXPECT_EQ(read("GET / HTTP/1.1\r\n" + fields + "A: b\r\n\r\n").error,
              ParseError::too_many_fields);
    EXPECT_EQ(read("GET /" + std::string(limits::kHeaderLineBytesMax, 'a')).error,
              ParseError::line_too_long);
}

TEST(RequestParser, IsUsedAgainOnOneConnection) {
    RequestParser parser;
    ASSERT_TRUE(parser.next("GET /1 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"));
    EXPECT_TRUE(parser.keep_alive());

    parser.start();
    ASSERT_TRUE(parser.next("HEAD /2 HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n"));
    EXPECT_EQ(parser.method(), "HEAD");
    EXPECT_EQ(parser.target(), "/2");
    EXPECT_EQ(parser.headers().get("host"), "y");
    EXPECT_FALSE(parser.keep_alive());
}

}  // namespace weft::http
