#include "http/message/response_parser.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "http/bad_status_lines.h"
#include "http/exchange.h"

namespace weft::http {
namespace {

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\n";

std::string ok(std::string_view fields_and_body) {
    return std::string(kOk) + std::string(fields_and_body);
}

}  // namespace

TEST(ResponseParser, ReadsHeadAndBodyHoweverCut) {
    const Reading reading = read_all_ways(
        "HTTP/1.1 200 Fine, thanks\r\nServer:  a b\t\r\nX:\r\n"
        "content-length: 5\r\n\r\nhello");

    EXPECT_EQ(reading.status, 200);
    EXPECT_EQ(reading.minor_version, 1);
    EXPECT_EQ(reading.reason, "Fine, thanks");
    EXPECT_EQ(reading.headers[0], std::pair(std::string("Server"), std::string("a b")));
    EXPECT_EQ(reading.headers[1].second, "");
    EXPECT_EQ(reading.body, "hello");
    EXPECT_TRUE(reading.complete);
    EXPECT_TRUE(reading.keep_alive);
    EXPECT_FALSE(reading.oddities.any());
}

TEST(ResponseParser, KeepsTheHeadAsReceived) {
    const std::string head = "HTTP/1.0 404 no\nA:  1 \r\n folded\r\n\r\n";
    EXPECT_EQ(read_all_ways(head + "body").raw_head, head);
}

TEST(ResponseParser, IsUsedAgainOnOneConnection) {
    ResponseParser parser;
    const std::string first =
        ok("Transfer-Encoding: chunked\r\nA: 1\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n");
    const std::string second = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno";
    const auto one_byte = [] { return std::size_t{1}; };

    parser.start("GET");
    const Reading a = read_pieces(parser, first, one_byte);
    parser.start("GET");
    const Reading b = read_pieces(parser, second, one_byte);

    EXPECT_EQ(a.body, "abc");
    EXPECT_EQ(a.trailers.size(), 1u);
    EXPECT_EQ(b, read_response(second));
    EXPECT_TRUE(b.keep_alive);
}

TEST(ResponseParser, BodyPiecesAreViewsIntoTheInput) {
    const std::string bytes = ok("Content-Length: 5\r\n\r\nhello");
    ResponseParser parser;
    parser.start("GET");

    const auto head = parser.next(bytes);
    const auto body = parser.next(std::string_view(bytes).substr(head->consumed));

    EXPECT_EQ(body->body.data(), bytes.data() + head->consumed);
}

TEST(ResponseParser, GoodStatusLinesAreReadH18) {
    struct Row {
        std::string_view line;
        int status;
        std::string_view reason;
    };
    const Row rows[] = {
        {"HTTP/1.1 200 OK", 200, "OK"},
        {"HTTP/1.0 301 Moved Permanently", 301, "Moved Permanently"},
        {"HTTP/1.1 200", 200, ""},
        {"HTTP/1.1 200 ", 200, ""},
        {"HTTP/1.1 404  two spaces ", 404, " two spaces "},
        {"HTTP/1.1 999 Request denied", 999, "Request denied"},
        {"HTTP/1.1 600 ", 600, ""},
        {"HTTP/1.2 200 OK", 200, "OK"},
        {"HTTP/1.9 200 OK", 200, "OK"},
        {"HTTP/1.1 500 Ori\xc3\xabntatie\tx", 500, "Ori\xc3\xabntatie\tx"},
    };
    for (const Row& row : rows) {
        const Reading reading = read_all_ways(std::string(row.line) + "\r\n\r\n");
        EXPECT_FALSE(reading.error) << row.line;
        EXPECT_EQ(reading.status, row.status) << row.line;
        EXPECT_EQ(reading.reason, row.reason) << row.line;
    }
}

TEST(ResponseParser, BadStatusLinesAreRefusedH18) {
    for (std::string_view line : kBadStatusLines) {
        const Reading reading = read_all_ways(std::string(line) + "\r\nA: b\r\n\r\n");
        EXPECT_EQ(reading.error, ParseError::bad_status) << line;
    }
}

TEST(ResponseParser, WhatDoesNotStartWithHttpIsNotHttpH19) {
    for (std::string_view bytes :
         {"<html>hello</html>", " HTTP/1.1 200 OK\r\n\r\n", "\nHTTP/1.1 200 OK\r\n\r\n",
          "\rHTTP/1.1 200 OK\r\n\r\n", "\r\n HTTP/1.1 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
          "HTP/1.1 200 OK\r\n\r\n", "HTTPS/1.1 200 OK\r\n\r\n", "RTSP/1.0 200 OK\r\n\r\n",
          "SSH-2.0-OpenSSH_9.2\r\n", "220 mail ESMTP\r\n", "\xef\xbb\xbfHTTP/1.1 200 OK\r\n\r\n"}) {
        EXPECT_EQ(read_all_ways(bytes).error, ParseError::not_http) << bytes;
    }
}

TEST(ResponseParser, NotHttpIsFoundWithoutALineEndH19) {
    ResponseParser parser;
    parser.start("GET");
    EXPECT_EQ(parser.next("<").error(), ParseError::not_http);
}

TEST(ResponseParser, ATlsAlertIsNamedH32) {
    const std::string_view alert("\x15\x03\x01\x00\x02\x02\x46", 7);
    EXPECT_EQ(read_all_ways(alert).error, ParseError::tls_record);
}

TEST(ResponseParser, EmptyLinesBeforeTheStatusLineAreReadOver) {
    const Reading reading = read_all_ways("\r\n\r\n" + ok("Content-Length: 0\r\n\r\n"));

    EXPECT_TRUE(reading.complete);
    EXPECT_TRUE(reading.raw_head.starts_with("HTTP/1.1"));
    EXPECT_TRUE(reading.oddities.has(Oddity::leading_empty_line));
    EXPECT_FALSE(reading.keep_alive);
}

TEST(ResponseParser, FieldSyntaxFollowsOnePolicyH26) {
    struct Row {
        std::string_view fields;
        std::optional<ParseError> error;
        std::string_view value;  // Of the field A.
    };
    const Row rows[] = {
        {"A: 1\r\n", {}, "1"},
        {"A:1\r\n", {}, "1"},
        {"A:\t 1 \t\r\n", {}, "1"},
        {"A: 1 2\t3\r\n", {}, "1 2\t3"},
        {"A: :\r\n", {}, ":"},
        {"A: 1\n", {}, "1"},
        {"A: 1\r\n 2\r\n", {}, "1 2"},
        {"A: 1\n\t 2 \r\n", {}, "1 2"},
        {"A:\r\n 2\r\n", {}, "2"},
        {"A: 1\r\n \r\n", {}, "1"},
        {"A: 1\r\nB\xff(x): 2\r\n", {}, "1"},
        {" A: 1\r\n", ParseError::misplaced_fold, ""},
        {"\tA: 1\r\n", ParseError::misplaced_fold, ""},
        {"A : 1\r\n", ParseError::bad_field_name, ""},
        {"A\t: 1\r\n", ParseError::bad_field_name, ""},
        {"A B: 1\r\n", ParseError::bad_field_name, ""},
        {": 1\r\n", ParseError::bad_field_name, ""},
        {"A\x01: 1\r\n", ParseError::bad_field_name, ""},
        {"A\x7f: 1\r\n", ParseError::bad_field_name, ""},
        {"A\r\n", ParseError::missing_colon, ""},
        {"A b c\r\n", ParseError::missing_colon, ""},
        {"HTTP/1.1 200 OK\r\n", ParseError::missing_colon, ""},
        {"A: 1\rB: 2\r\n", ParseError::bare_cr, ""},
        {"A: 1\r\r\n", ParseError::bare_cr, ""},
        {"A\r: 1\r\n", ParseError::bare_cr, ""},
        {"\rA: 1\r\n", ParseError::bare_cr, ""},
    };
    for (const Row& row : rows) {
        const Reading reading =
            read_all_ways(ok(std::string(row.fields) + "Content-Length: 0\r\n\r\n"));
        EXPECT_EQ(reading.error, row.error) << row.fields;
        if (!row.error) EXPECT_EQ(reading.headers[0].second, row.value) << row.fields;
    }
}

TEST(ResponseParser, TheHeadEndsAsItsLastLineDoesH26) {
    for (std::string_view bytes :
         {"HTTP/1.1 200 OK\n\r\nbody", "HTTP/1.1 200 OK\r\n\nbody",
          "HTTP/1.1 200 OK\r\nA: 1\n\r\nbody", "HTTP/1.1 200 OK\nA: 1\r\n\nbody"}) {
        EXPECT_EQ(read_all_ways(bytes).error, ParseError::mixed_line_ends) << bytes;
    }
    for (std::string_view bytes :
         {"HTTP/1.1 200 OK\n\nbody", "HTTP/1.1 200 OK\r\nA: 1\n\nbody",
          "HTTP/1.1 200 OK\nA: 1\r\n\r\nbody", "HTTP/1.1 200 OK\r\nA: 1\nB: 2\r\n\r\nbody"}) {
        EXPECT_EQ(read_all_ways(bytes).body, "body") << bytes;
    }
}

TEST(ResponseParser, NulIsRefusedAndOtherBytesAreKeptH27) {
    using namespace std::string_view_literals;
    EXPECT_EQ(read_all_ways(ok("A: x\0y\r\n\r\n"sv)).error, ParseError::nul_byte);
    EXPECT_EQ(read_all_ways(ok("A\0: x\r\n\r\n"sv)).error, ParseError::nul_byte);
    EXPECT_EQ(read_all_ways("HTTP/1.1 200 O\0K\r\n\r\n"sv).error, ParseError::nul_byte);

    const Reading reading = read_all_ways(ok("A: \x01\x80\xff\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_EQ(reading.headers[0].second, "\x01\x80\xff");
}

TEST(ResponseParser, OddHeadsAreReadButNotPooled) {
    EXPECT_FALSE(read_response(ok("A: 1\nContent-Length: 0\r\n\r\n")).keep_alive);
    EXPECT_FALSE(read_response(ok("A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n")).keep_alive);
    EXPECT_EQ(read_response("HTTP/1.1 200 OK\nA: 1\n 2\n\nx").oddities.names(),
              "bare-lf folded-field");
}

TEST(ResponseParser, InterimResponsesComeFirstAndAreBoundedH28) {
    const std::string interim = "HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\nLink: x\r\n\r\n";
    std::string bytes;
    for (std::size_t i = 0; i < limits::kInterimResponseCountMax; ++i) bytes += interim;

    const Reading eight = read_all_ways(bytes + ok("Content-Length: 2\r\n\r\nhi"));
    EXPECT_EQ(eight.interim.size(), 8u);
    EXPECT_EQ(eight.interim[7], interim);
    EXPECT_EQ(eight.status, 200);
    EXPECT_EQ(eight.headers.size(), 1u);
    EXPECT_EQ(eight.body, "hi");
    EXPECT_TRUE(eight.keep_alive);

    const Reading nine = read_response(bytes + interim + ok("\r\n"));
    EXPECT_EQ(nine.error, ParseError::too_many_interim_responses);
}

TEST(ResponseParser, SwitchingProtocolsUnaskedIsAnErrorH28) {
    EXPECT_EQ(read_all_ways("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n").error,
              ParseError::unasked_upgrade);
}

TEST(ResponseParser, AnswersWithoutBodyEndWithTheirHeadH29) {
    struct Row {
        std::string_view method;
        std::string_view status;
        std::string_view fields;
        bool keep_alive;
    };
    const Row rows[] = {
        {"GET", "204 No Content", "", true},
        {"GET", "204 No Content", "Content-Length: 0\r\n", true},
        {"GET", "204 No Content", "Content-Length: 5\r\n", false},
        {"GET", "204 No Content", "Transfer-Encoding: chunked\r\n", false},
        {"GET", "304 Not Modified", "Content-Length: 10\r\n", true},
        {"GET", "304 Not Modified", "Transfer-Encoding: chunked\r\n", true},
        {"GET", "304 Not Modified", "Content-Length: x\r\n", false},
        {"HEAD", "200 OK", "Content-Length: 123\r\n", true},
        {"HEAD", "200 OK", "", true},
        {"HEAD", "200 OK", "Transfer-Encoding: chunked\r\n", true},
        {"HEAD", "200 OK", "Content-Length: 1\r\nContent-Length: 2\r\n", false},
        {"CONNECT", "200 Established", "Content-Length: 5\r\n", true},
    };
    for (const Row& row : rows) {
        const std::string bytes = fmt::format("HTTP/1.1 {}\r\n{}\r\nhello", row.status, row.fields);
        const Reading reading = read_response(bytes, row.method);
        EXPECT_TRUE(reading.complete) << bytes;
        EXPECT_EQ(reading.body, "") << bytes;
        EXPECT_EQ(reading.left, 5u) << bytes;
        EXPECT_EQ(reading.keep_alive, row.keep_alive) << bytes;
    }
}

TEST(ResponseParser, ConnectionIsKeptOnlyWhenBothSidesWantToH30) {
    struct Row {
        std::string_view head;
        bool keep_alive;
    };
    const Row rows[] = {
        {"HTTP/1.1 200 OK\r\n", true},
        {"HTTP/1.1 200 OK\r\nConnection: close\r\n", false},
        {"HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\n", false},
        {"HTTP/1.1 200 OK\r\nConnection: x\r\nConnection: close\r\n", false},
        {"HTTP/1.1 200 OK\r\nConnection: closed\r\n", true},
        {"HTTP/1.0 200 OK\r\n", false},
        {"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n", true},
        {"HTTP/1.1 200 OK\r\nProxy-Connection: close\r\n", true},
    };
    for (const Row& row : rows) {
        const std::string bytes = std::string(row.head) + "Content-Length: 1\r\n\r\nx";
        EXPECT_EQ(read_response(bytes).keep_alive, row.keep_alive) << bytes;
    }
    EXPECT_FALSE(read_response(ok("\r\nto the close")).keep_alive);
}

TEST(ResponseParser, WithoutLengthTheBodyRunsToTheCloseH30) {
    const Reading reading = read_all_ways(ok("Connection: keep-alive\r\n\r\nHTTP/1.1 200 OK"));

    EXPECT_EQ(reading.body, "HTTP/1.1 200 OK");
    EXPECT_TRUE(reading.complete);
}

TEST(ResponseParser, ACutStreamDoesNotEndABodyH59) {
    ResponseParser parser;
    parser.start("GET");
    const std::string bytes = ok("\r\nhalf");
    const auto head = parser.next(bytes);
    ASSERT_TRUE(head);
    ASSERT_TRUE(parser.next(std::string_view(bytes).substr(head->consumed)));

    EXPECT_EQ(parser.finish(StreamEnd::cut).error(), ParseError::truncated_body);
    EXPECT_EQ(parser.progress(), "4 bytes");
}

TEST(ResponseParser, EveryEarlyEndIsTruncationAndSaysWhatIsMissing) {
    EXPECT_EQ(read_response("").error, ParseError::closed_before_message);
    EXPECT_EQ(read_response("\r\n").error, ParseError::truncated_head);
    EXPECT_EQ(read_response("HTTP/1.1 100 Continue\r\n\r\n").error, ParseError::truncated_head);

    const std::string counted = ok("Content-Length: 2048\r\n\r\n") + std::string(512, 'x');
    const Reading reading = read_response(counted);
    EXPECT_EQ(reading.error, ParseError::truncated_body);
    EXPECT_EQ(reading.progress, "512 of 2048 bytes");
    EXPECT_EQ(reading.body.size(), 512u);

    const std::string chunked =
        ok("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT: x\r\n\r\n");
    const std::size_t head_bytes = chunked.find("\r\n\r\n") + 4;
    for (std::size_t length = 1; length < chunked.size(); ++length) {
        const Reading cut = read_response(chunked.substr(0, length));
        EXPECT_EQ(cut.error,
                  length < head_bytes ? ParseError::truncated_head : ParseError::truncated_body);
    }
    EXPECT_EQ(read_response(chunked.substr(0, chunked.size() - 9)).progress,
              "5 bytes, last chunk missing");
}

TEST(ResponseParser, ErrorsStay) {
    ResponseParser parser;
    parser.start("GET");
    EXPECT_EQ(parser.next("<").error(), ParseError::not_http);
    EXPECT_EQ(parser.next("HTTP/1.1 200 OK\r\n\r\n").error(), ParseError::not_http);
    EXPECT_EQ(parser.finish().error(), ParseError::not_http);
    EXPECT_FALSE(parser.keep_alive());

    parser.start("GET");
    EXPECT_TRUE(parser.next("HTTP/1.1 200 OK\r\n\r\n"));
}

}  // namespace weft::http
