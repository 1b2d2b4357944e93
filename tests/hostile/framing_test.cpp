// H18 to H32: answers that are no HTTP, or of which nobody knows where they end. Each goes through
// the real client, whole and byte by byte.
#include <gtest/gtest.h>

#include "hostile/arena.h"
#include "http/bad_status_lines.h"

namespace weft::hostile {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

constexpr std::string_view kBad = "bad_response";

// Keeps the texts of rows alive.
class Rows {
public:
    void add(std::string answer, std::string_view failure, std::string_view content = "") {
        texts_.push_back(std::make_unique<std::string>(std::move(answer)));
        rows_.push_back({*texts_.back(), failure, content});
    }
    const std::vector<AnswerRow>& get() const { return rows_; }

private:
    std::vector<std::unique_ptr<std::string>> texts_;
    std::vector<AnswerRow> rows_;
};

std::string ok(std::string_view fields_and_body) {
    return "HTTP/1.1 200 OK\r\n" + std::string(fields_and_body);
}

std::string chunked(std::string_view body) {
    return ok("Transfer-Encoding: chunked\r\n\r\n" + std::string(body));
}

const Script kGoodScript{read_request(), send(ok("Content-Length: 4\r\n\r\ngood"))};

// The first connection gets `answer` and stays open: the second fetch must not meet anything of it.
void expect_not_pooled(const std::string& answer, std::string_view method = "GET") {
    SCOPED_TRACE(answer);
    Arena arena;
    arena.serve("evil.test", 80, {{read_request(), send(answer), sleep(1h)}, kGoodScript});

    const std::vector<Ending> endings = arena.fetch_all({{.method = std::string(method)}, {}});

    EXPECT_FALSE(endings[1].response.reused_connection);
    EXPECT_EQ(endings[1].content, "good") << endings[1].failure;
}

}  // namespace

TEST(Hostile, H18ThirtyBadStatusLinesAreRefused) {
    static_assert(std::size(http::kBadStatusLines) >= 30);
    Rows rows;
    for (const std::string_view line : http::kBadStatusLines) {
        rows.add(std::string(line) + "\r\nContent-Length: 0\r\n\r\n", kBad);
    }
    expect_answers(rows.get());
}

TEST(Hostile, H18OddButGoodStatusLinesAreAnswers) {
    for (const auto& [line, status] :
         {std::pair("HTTP/1.1 200"sv, 200), std::pair("HTTP/1.1 204 "sv, 204),
          std::pair("HTTP/1.1 999 Request denied"sv, 999), std::pair("HTTP/1.2 600 x"sv, 600)}) {
        Arena arena;
        arena.serve({read_request(), send(std::string(line) + "\r\nContent-Length: 0\r\n\r\n")});
        expect_answer(arena.fetch(), status);
    }
}

TEST(Hostile, H19WhatIsNoHttpIsNotAPage) {
    Rows rows;
    for (const std::string_view bytes :
         {"<html><body>as in 1991</body></html>", "SSH-2.0-OpenSSH_9.2\r\n",
          "220 mail.test ESMTP\r\n", "-ERR unknown command\r\n", "ICY 200 OK\r\n\r\n",
          "\x16\x03\x01\x02\x00\x01", "\xef\xbb\xbfHTTP/1.1 200 OK\r\n\r\n"}) {
        rows.add(std::string(bytes), "not_http");
    }
    expect_answers(rows.get());
}

TEST(Hostile, H20ContentLengthIsOneNumberOrAnError) {
    Rows rows;
    for (const std::string_view lengths :
         {"5\r\nContent-Length: 6", "5, 6", "+5", "-1", "0x5", "5.0", "5 5", "five", "\"5\"", "5,",
          "18446744073709551617", "9223372036854775808"}) {
        rows.add(ok(fmt::format("Content-Length: {}\r\n\r\nhello", lengths)), kBad);
    }
    for (const std::string_view lengths : {"5", " 5 ", "5, 5", "005", "5\r\nContent-Length: 5"}) {
        rows.add(ok(fmt::format("Content-Length: {}\r\n\r\nhello", lengths)), "", "hello");
    }
    expect_answers(rows.get());
}

TEST(Hostile, H21TransferEncodingWinsAndTheConnectionIsNotUsedAgain) {
    constexpr std::string_view kBody = "2\r\nOK\r\n0\r\n\r\n";
    Rows rows;
    for (const std::string_view fields :
         {"Content-Length: 3\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked, chunked",
          "Transfer-Encoding: identity, chunked",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"}) {
        const std::string answer = ok(fmt::format("{}\r\n\r\n{}", fields, kBody));
        rows.add(answer, "", "OK");
        expect_not_pooled(answer);
    }
    for (const std::string_view fields :
         {"Transfer-Encoding: identity", "Transfer-Encoding: xchunked",
          "Transfer-Encoding: chunked, identity"}) {
        rows.add(ok(fmt::format("{}\r\n\r\n{}", fields, kBody)), "", kBody);
    }
    for (const std::string_view fields :
         {"Transfer-Encoding: xyz, chunked", "Transfer-Encoding: chunked, gzip, chunked",
          "Transfer-Encoding: xchunked\r\nContent-Length: 3"}) {
        rows.add(ok(fmt::format("{}\r\n\r\n{}", fields, kBody)), kBad);
    }
    rows.add("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(kBody), "",
             "OK");
    expect_not_pooled(
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
        std::string(kBody));
    expect_answers(rows.get());
}

TEST(Hostile, H22ChunkSizesAreOneToFifteenHexadecimalDigits) {
    Rows rows;
    for (const std::string_view size : {"-5", "0x5", "5_0", "FFFFFFFFFFFFFFFFF", "", " 5", "5 5",
                                        "g", "+5", "5,", "5\t5", "1000000000000000"}) {
        rows.add(chunked(fmt::format("{}\r\nhello\r\n0\r\n\r\n", size)), kBad);
    }
    rows.add(chunked("5\nhello\r\n0\r\n\r\n"), kBad);
    rows.add(chunked("5\r\nhello\n0\r\n\r\n"), kBad);
    rows.add(chunked("5\r\nhello\r\n0\r\n\n"), kBad);
    rows.add(chunked("FFFFFFFFFFFFFFF\r\nhello"), "truncated");
    rows.add(chunked("005;a=\"b\"\r\nhello\r\n0\r\n\r\n"), "", "hello");
    expect_answers(rows.get());
}

TEST(Hostile, H23ChunksThatNeverEndAreBoundedOrTruncated) {
    Rows rows;
    std::string trailers;
    for (int i = 0; i < 10'000; ++i) trailers += "T: x\r\n";
    rows.add(chunked("5;" + std::string(1'000, 'e') + "\r\nhello\r\n0\r\n\r\n"), kBad);
    rows.add(chunked("5\r\nhello\r\n0\r\n" + trailers), kBad);
    rows.add(chunked("5\r\nhello\r\n"), "truncated");
    rows.add(chunked("5\r\nhello\r\n0\r\n"), "truncated");
    rows.add(chunked("5\r\nhello0\r\n\r\n"), kBad);
    rows.add(chunked("5\r\nhell"), "truncated");
    expect_answers(rows.get());

    Arena arena;
    arena.serve({read_request(), send(chunked("5;")), loop(std::string(64_KiB, 'e'))});
    expect_failure(arena.fetch(), kBad);
}

TEST(Hostile, H24EndlessBodiesAreCutAndSaidToBe) {
    const std::string chunk = "10000\r\n" + std::string(64_KiB, 'x') + "\r\n";
    for (const auto& [head, piece] :
         {std::pair(chunked(""), chunk), std::pair(ok("\r\n"), chunk)}) {
        Arena arena;
        arena.serve({read_request(), send(head), loop(piece)});
        Fetch fetch;
        fetch.client.limits.content_bytes_max = 4_MiB;

        const Ending ending = arena.fetch(fetch);

        expect_answer(ending, 200, {.deadline = 10s});
        EXPECT_EQ(ending.response.cut, http::Cut::length);
        EXPECT_EQ(ending.response.content_bytes, 4_MiB);
    }
}

TEST(Hostile, H25HeadersWithoutEndAreBounded) {
    for (const std::string& piece :
         {std::string("A: b\r\n"), std::string(64_KiB, 'x'),
          "B: " + std::string(1'000, 'y') + "\r\n",
          "HTTP/1.1 103 Hints\r\nC: " + std::string(10'000, 'z') + "\r\n\r\n"}) {
        const bool is_interim = piece.starts_with("HTTP");
        Arena arena;
        arena.serve({read_request(), send(is_interim ? "" : "HTTP/1.1 200 OK\r\n"), loop(piece)});
        expect_failure(arena.fetch(), kBad, {.deadline = 5s});
    }
}

TEST(Hostile, H26OddHeaderLinesAreReadByOnePolicy) {
    Rows rows;
    const auto add = [&rows](std::string_view lines, std::string_view failure) {
        rows.add(ok(fmt::format("{}Content-Length: 5\r\n\r\nhello", lines)), failure, "hello");
    };
    for (const std::string_view good : {"A: 1\r\n 2\r\n", "A: 1\n", "A:\r\n", "A: :\r\n"}) {
        add(good, "");
    }
    for (const std::string_view bad :
         {"A : 1\r\n", "A\r\n", " A: 1\r\n", "A: 1\r2\r\n", "A\r: 1\r\n", ": 1\r\n", "A b: 1\r\n",
          "\rA: 1\r\n", "A: 1\r\r\n"}) {
        add(bad, kBad);
    }
    rows.add("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "", "hello");
    rows.add("HTTP/1.1 200 OK\r\nContent-Length: 5\n\r\nhello", kBad);
    expect_answers(rows.get());
    expect_not_pooled(ok("A: 1\nContent-Length: 5\r\n\r\nhello"));
    expect_not_pooled(ok("A: 1\r\n 2\r\nContent-Length: 5\r\n\r\nhello"));
}

TEST(Hostile, H27NulIsAnErrorAndHighBytesAreKept) {
    Rows rows;
    rows.add(ok("A: x\0y\r\nContent-Length: 5\r\n\r\nhello"sv), kBad);
    rows.add(ok("A\0: x\r\nContent-Length: 5\r\n\r\nhello"sv), kBad);
    rows.add("HTTP/1.1 200 O\0K\r\n\r\n"s, kBad);
    rows.add(ok("A\xff: \x80\xfe\r\nContent-Length: 5\r\n\r\nhello"), "", "hello");
    expect_answers(rows.get());
}

TEST(Hostile, H28InterimAnswersAreBoundedAndNoUpgradeIsAccepted) {
    const std::string hint = "HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\n\r\n";
    std::string eight;
    for (int i = 0; i < 8; ++i) eight += hint;
    Rows rows;
    rows.add(eight + ok("Content-Length: 5\r\n\r\nhello"), "", "hello");
    rows.add(eight + hint + ok("Content-Length: 5\r\n\r\nhello"), kBad);
    rows.add("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", kBad);
    rows.add("HTTP/1.1 100 Continue\r\n\r\n", "truncated");
    expect_answers(rows.get());

    Arena arena;
    arena.serve({read_request(), loop(hint)});
    expect_failure(arena.fetch(), kBad);
}

TEST(Hostile, H29WhatHasNoBodyHasNone) {
    const std::string smuggled = ok("Content-Length: 4\r\n\r\nevil");
    expect_not_pooled("HTTP/1.1 204 No Content\r\n\r\n" + smuggled);
    expect_not_pooled("HTTP/1.1 304 Not Modified\r\nContent-Length: 41\r\n\r\n" + smuggled);
    expect_not_pooled("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n");
    expect_not_pooled(ok("Content-Length: 5\r\n\r\nhello"), "HEAD");
}

TEST(Hostile, H30AnAnswerWithoutLengthRunsToTheCloseAndIsNotReused) {
    Arena arena;
    arena.serve(
        "evil.test", 80,
        {{read_request(), send(ok("Connection: keep-alive\r\n\r\nto the close"))}, kGoodScript});
    const std::vector<Ending> endings = arena.fetch_all({{}, {}});
    EXPECT_EQ(endings[0].content, "to the close");
    EXPECT_EQ(endings[1].content, "good");

    expect_not_pooled(ok("Connection: close\r\nContent-Length: 5\r\n\r\nhello"));

    Arena open_for_ever;
    open_for_ever.serve({read_request(), send(ok("\r\nno end")), sleep(1h)});
    expect_failure(open_for_ever.fetch(), "idle_timeout",
                   {.deadline = http::FetchLimits{}.idle_timeout});
}

TEST(Hostile, H31APartIsNoAnswerToAPlainRequest) {
    const std::string part =
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/10\r\n"
        "Content-Length: 5\r\n\r\nhello";
    expect_answers({{part, kBad}});

    Fetch asks_for_part;
    asks_for_part.headers.add("Range", "bytes=0-4");
    expect_answers({{part, "", "hello"}}, asks_for_part);

    Arena arena;
    arena.serve({read_request(), send("HTTP/1.1 416 Range Not Satisfiable\r\n"
                                      "Content-Range: bytes */10\r\nContent-Length: 0\r\n\r\n")});
    expect_answer(arena.fetch(), 416);
}

TEST(Hostile, H32TheWrongProtocolForThePortIsSaidAtOnce) {
    Arena tls_to_plain;
    tls_to_plain.serve("evil.test", 443,
                       {{await_request(), send("HTTP/1.1 400 Bad Request\r\n\r\n"), sleep(1h)}});
    expect_failure(tls_to_plain.fetch({.url = "https://evil.test/"}), "tls_not_tls");

    Arena plain_to_tls;
    plain_to_tls.serve({read_request(), send(std::string("\x15\x03\x01\x00\x02\x02\x46", 7))});
    expect_failure(plain_to_tls.fetch(), "not_http");

    Arena polite;
    polite.serve(
        {read_request(), send("HTTP/1.1 400 The plain HTTP request was sent to HTTPS port\r\n"
                              "Content-Length: 0\r\n\r\n")});
    expect_answer(polite.fetch(), 400);
}

}  // namespace weft::hostile
