// H01 to H10: connections that break, stall, drip, or say too much.
#include <gtest/gtest.h>

#include "hostile/arena.h"

namespace weft::hostile {
namespace {

const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
const std::string kWholePage = kHead + "Content-Length: 5\r\n\r\nhello";

}  // namespace

TEST(Hostile, H01AResetInTheBodyIsAReset) {
    const std::string body(10'000, 'x');
    const std::string head = kHead + fmt::format("Content-Length: {}\r\n\r\n", body.size());
    for (const std::size_t percent : {0U, 1U, 50U, 99U}) {
        Arena arena;
        // The request lies unread when the connection closes.
        arena.serve({await_request(), send(head + body.substr(0, body.size() * percent / 100))});

        const Ending ending = arena.fetch();

        expect_failure(ending, "reset");
        EXPECT_EQ(ending.content.size(), body.size() * percent / 100);
    }
}

TEST(Hostile, H01AResetBeforeTheFirstByteIsAReset) {
    Arena arena;
    arena.serve({await_request()});

    expect_failure(arena.fetch(), "reset");
}

TEST(Hostile, H02AStallAtEachPointEndsByTheLimitOfItsPhase) {
    struct Row {
        std::string sent;
        std::string_view failure;
        Duration deadline;
    };
    const http::FetchLimits limits;
    const std::string chunked = kHead + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    const std::vector<Row> rows{
        {"", "first_byte_timeout", limits.first_byte_timeout},
        {"HTTP/1.1 2", "idle_timeout", limits.idle_timeout},
        {kHead + "Content-", "idle_timeout", limits.idle_timeout},
        {kHead + "Content-Length: 5\r\n\r\n", "idle_timeout", limits.idle_timeout},
        {kHead + "Content-Length: 5\r\n\r\nhel", "idle_timeout", limits.idle_timeout},
        {chunked, "idle_timeout", limits.idle_timeout},
    };
    for (const Row& row : rows) {
        Arena arena;
        arena.serve({read_request(), send(row.sent), sleep(1h)});

        const Ending ending = arena.fetch();

        expect_failure(ending, row.failure, {.deadline = row.deadline});
        EXPECT_GE(ending.took, row.deadline);
        EXPECT_EQ(ending.canary_count, kCanaryPageCount);
    }
}

TEST(Hostile, H03ADripOfAByteASecondIsTooSlow) {
    const http::FetchLimits limits;
    for (const std::string& start : {std::string(), kHead + "X: ", kHead + "\r\n"}) {
        Arena arena;
        arena.serve(
            {read_request(), send(start),
             drip(start.empty() ? "HTTP/1.1 200 " + std::string(600, 'x') : std::string(600, 'x'),
                  1s)});

        const Ending ending = arena.fetch();

        expect_failure(ending, "too_slow", {.deadline = limits.rate_window});
        EXPECT_EQ(ending.canary_count, kCanaryPageCount);
    }
}

TEST(Hostile, H03WhatKeepsTheLeastRateForEverEndsByTheTotalLimit) {
    const http::FetchLimits limits;
    Arena arena;
    arena.network().host("evil.test").bandwidth(limits.rate_bytes_per_second_min * 2);
    arena.serve({read_request(), send(kHead + "\r\n"), loop(std::string(1024, 'x'))});

    const Ending ending = arena.fetch();

    expect_failure(ending, "total_timeout", {.deadline = limits.total_timeout});
}

TEST(Hostile, H04AnEndBeforeOrInTheAnswerIsSaidAtOnce) {
    struct Row {
        std::string sent;
        std::string_view failure;
    };
    const std::vector<Row> rows{
        {"", "closed_early"},
        {"HTTP/1.1 200 OK\r\n", "truncated"},
        {kHead + "Content-Length: 5\r\n\r\n", "truncated"},
        {kHead + "Transfer-Encoding: chunked\r\n\r\n", "truncated"},
        {kHead + "\r\n", ""},  // To the close: an empty page.
    };
    for (const Row& row : rows) {
        Arena arena;
        arena.serve({send(row.sent), fin(), read_request(), sleep(1h)});

        const Ending ending = arena.fetch();

        EXPECT_EQ(ending.failure, row.failure) << row.sent;
        EXPECT_LE(ending.took, 1s);
    }
}

TEST(Hostile, H05AServerThatNeverReadsEndsBySendTimeout) {
    const http::FetchLimits limits;
    Arena arena;
    arena.network().host("evil.test").buffers(1024);
    arena.serve({sleep(1h)});

    const Ending ending = arena.fetch({.method = "POST", .body = std::string(1 << 20, 'x')});

    expect_failure(ending, "send_timeout",
                   {.deadline = limits.idle_timeout, .heap_bytes_max = 4_MiB});
    EXPECT_EQ(ending.canary_count, kCanaryPageCount);
}

TEST(Hostile, H06AHostThatCannotBeReachedHasAClassOfItsOwn) {
    struct Row {
        aio::Reach reach;
        std::string_view failure;
        Duration deadline;
    };
    const Row rows[] = {
        {aio::Reach::black_hole, "connect_timeout", http::FetchLimits{}.connect_timeout},
        {aio::Reach::refusing, "connect_refused", 0s},
        {aio::Reach::unreachable, "connect_unreachable", 0s},
    };
    for (const Row& row : rows) {
        Arena arena;
        arena.network().host("evil.test").reach(row.reach);

        expect_failure(arena.fetch(), row.failure, {.deadline = row.deadline});
    }
}

TEST(Hostile, H07AServerThatClosesAtOnceIsMetOncePerFetch) {
    Arena arena;
    ScriptedServer& server = arena.serve({});

    const std::vector<Ending> endings = arena.fetch_all(std::vector<Fetch>(200));

    for (const Ending& ending : endings) {
        // The request may arrive before the end does or after.
        EXPECT_TRUE(ending.failure == "closed_early" || ending.failure == "reset");
    }
    EXPECT_EQ(server.connection_count(), endings.size());
}

TEST(Hostile, H08ADeadAddressBesideAGoodOneCostsAQuarterSecond) {
    Arena arena;
    arena.network().host("dead.test").reach(aio::Reach::black_hole);
    const aio::IpAddress good = arena.network().host("evil.test").address();
    arena.network()
        .name("both.test")
        .addresses({arena.network().host("dead.test").address(), good});
    arena.serve({read_request(), send(kWholePage)});

    const Ending ending = arena.fetch({.url = "http://both.test/"});

    expect_answer(ending, 200);
    EXPECT_LE(ending.took, 250ms + 100ms);
    EXPECT_EQ(ending.response.peer.address, good);
}

TEST(Hostile, H09ARequestThatMeetsAClosingConnectionIsSentOnceMore) {
    for (const Duration closes_after : {0ms, 2ms, 5ms, 15ms, 25ms}) {
        Arena arena;
        ScriptedServer& server =
            arena.serve({read_request(), send(kWholePage), sleep(closes_after)});

        const std::vector<Ending> endings = arena.fetch_all({{}, {}}, 5ms);

        expect_answer(endings[0], 200);
        expect_answer(endings[1], 200);
        EXPECT_EQ(endings[1].content, "hello");
        EXPECT_EQ(server.connection_count(), 2u);
    }
}

TEST(Hostile, H09ARequestWithABodyIsNotSentTwice) {
    int met_count = 0;
    for (Duration closes_after = 0ms; closes_after <= 40ms; closes_after += 1ms) {
        Arena arena;
        ScriptedServer& server =
            arena.serve({read_request(), send(kWholePage), sleep(closes_after)});

        const std::vector<Ending> endings =
            arena.fetch_all({{}, {.method = "POST", .body = "pay 5"}}, 5ms);

        const std::string& failure = endings[1].failure;
        const bool met_a_close = failure == "closed_early" || failure == "reset";
        met_count += met_a_close;
        EXPECT_TRUE(met_a_close || failure.empty()) << failure;
        EXPECT_EQ(server.connection_count(), met_a_close ? 1u : 2u);
    }
    EXPECT_GT(met_count, 5);
    EXPECT_LT(met_count, 40);
}

TEST(Hostile, H10UnaskedBytesOnAnIdleConnectionEndIt) {
    for (const std::string& poison :
         {std::string("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"), std::string("\r\n"),
          std::string("x")}) {
        Arena arena;
        const Script first{read_request(), send(kWholePage), sleep(50ms), send(poison), sleep(1h)};
        const Script second{read_request(), send(kHead + "Content-Length: 5\r\n\r\nclean")};
        ScriptedServer& server = arena.serve("evil.test", 80, {first, second});

        const std::vector<Ending> endings = arena.fetch_all({{}, {}}, 100ms);

        EXPECT_EQ(endings[0].content, "hello");
        EXPECT_EQ(endings[1].content, "clean");
        EXPECT_FALSE(endings[1].response.reused_connection);
        EXPECT_EQ(server.connection_count(), 2u);
    }
}

}  // namespace weft::hostile
