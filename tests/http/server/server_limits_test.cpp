// A hostile client and the server's own limits (H129), in virtual time.
#include <gtest/gtest.h>

#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "http/served.h"
#include "http/server/event_stream.h"

namespace weft::http {
namespace {

using aio::Co;

Co<std::string> drip(Served& served, std::string bytes, Duration pause) {
    aio::Stream stream = co_await aio::connect(served.at);
    try {
        for (const char byte : bytes) {
            co_await stream.write(std::string_view(&byte, 1));
            co_await aio::sleep(pause);
            if (!stream.buffered().empty()) break;
        }
    } catch (const aio::IoError&) {
        // The server has had enough; what it said is still there to read.
    }
    co_return co_await Served::read_to_end(stream);
}

std::string with_field_bytes(std::size_t bytes) {
    return fmt::format("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: {}\r\n\r\n",
                       std::string(bytes, 'x'));
}

}  // namespace

TEST(ServerLimits, H129ASlowHeadIsRefusedInTime) {
    with_server(say_target(), {.header_timeout = 10s}, [](Served& served) -> Co<> {
        const std::string answer = co_await drip(served, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 1s);

        EXPECT_EQ(status_in(answer), 408);
        EXPECT_LT(served.now(), 60s);
        EXPECT_EQ(served.server.counts().requests, 0u);
    });
}

TEST(ServerLimits, H129ASlowBodyIsRefusedInTime) {
    with_server(say_target(), {.body_timeout = 20s}, [](Served& served) -> Co<> {
        aio::Stream stream = co_await aio::connect(served.at);
        co_await stream.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nfour");
        const std::string answer = co_await Served::read_to_end(stream);

        EXPECT_EQ(status_in(answer), 408);
        EXPECT_GE(served.now(), 20s);
        EXPECT_LT(served.now(), 21s);
    });
}

TEST(ServerLimits, H129ASilentConnectionIsClosedWithoutAWord) {
    with_server(say_target(), {.idle_timeout = 60s}, [](Served& served) -> Co<> {
        aio::Stream fresh = co_await aio::connect(served.at);
        const std::string nothing = co_await Served::read_to_end(fresh);
        EXPECT_EQ(nothing, "");
        EXPECT_GE(served.now(), 60s);
        EXPECT_LT(served.now(), 61s);

        aio::Stream used = co_await aio::connect(served.at);
        co_await used.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        const std::string answer = co_await Served::read_to_end(used);
        EXPECT_EQ(body_of(answer), "GET /");
        EXPECT_LT(served.now(), 122s);
    });
}

TEST(ServerLimits, H129AHeadMayBeAsLargeAsTheLimitAndNoLarger) {
    with_server(say_target(), {.header_bytes_max = 1'000}, [](Served& served) -> Co<> {
        const std::size_t rest = with_field_bytes(0).size();
        const std::string full = co_await served.ask(with_field_bytes(1'000 - rest));
        const std::string over = co_await served.ask(with_field_bytes(1'001 - rest));
        const std::string line =
            co_await served.ask("GET /" + std::string(2'000, 'x') + " HTTP/1.1\r\n");

        EXPECT_EQ(status_in(full), 200);
        EXPECT_EQ(status_in(over), 431);
        EXPECT_EQ(status_in(line), 414);
    });
}

TEST(ServerLimits, H129AHeadMayHaveAsManyFieldsAsTheLimitAndNoMore) {
    with_server(say_target(), {.header_count_max = 10}, [](Served& served) -> Co<> {
        for (const auto& [count, status] : {std::pair{10, 200}, std::pair{11, 431}}) {
            std::string request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
            for (int i = 2; i < count; ++i) request += fmt::format("X-{}: 1\r\n", i);
            const std::string answer = co_await served.ask(request + "\r\n");
            EXPECT_EQ(status_in(answer), status) << count;
        }
    });
}

TEST(ServerLimits, H129ABodyMayBeAsLargeAsTheLimitAndNoLarger) {
    with_server(say_target(), {.body_bytes_max = 100}, [](Served& served) -> Co<> {
        for (const auto& [bytes, status] : {std::pair{100, 200}, std::pair{101, 413}}) {
            const std::string body(static_cast<std::size_t>(bytes), 'x');
            const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
            const std::string length = co_await served.ask(
                fmt::format("{}Content-Length: {}\r\n\r\n{}", head, bytes, body));
            const std::string chunked = co_await served.ask(fmt::format(
                "{}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n", head, bytes, body));
            EXPECT_EQ(status_in(length), status) << bytes;
            EXPECT_EQ(status_in(chunked), status) << bytes;
        }
    });
}

TEST(ServerLimits, H129TheRefusalOfAnEndlessBodyReachesItsSender) {
    with_server(say_target(), {.body_bytes_max = 100}, [](Served& served) -> Co<> {
        const std::string answer = co_await served.ask(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFF\r\n" +
            std::string(100'000, 'x'));

        EXPECT_EQ(status_in(answer), 413);
        EXPECT_EQ(answer.find("[reset]"), std::string::npos);
    });
}

TEST(ServerLimits, H129AReaderThatTakesNothingIsLeft) {
    bool ended = false;
    Handler big = [&](const ServerRequest&, Responder& responder) -> Co<> {
        struct AtEnd {
            bool& flag;
            ~AtEnd() { flag = true; }
        };
        const AtEnd at_end{ended};
        co_await responder.start({});
        for (;;) co_await responder.write(std::string(64 * 1024, 'x'));
    };
    with_server(std::move(big), {.write_timeout = 30s}, [&](Served& served) -> Co<> {
        aio::Stream stream = co_await aio::connect(served.at);
        co_await stream.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        co_await aio::sleep(40s);

        EXPECT_TRUE(ended);
        EXPECT_EQ(served.server.counts().open, 0u);
    });
}

TEST(ServerLimits, H129TheLongestIdleConnectionMakesRoom) {
    with_server(say_target(), {.connections_max = 3}, [](Served& served) -> Co<> {
        std::vector<aio::Stream> idle;
        for (int i = 0; i < 3; ++i) {
            aio::Stream stream = co_await aio::connect(served.at);
            idle.push_back(std::move(stream));
            co_await aio::sleep(1s);
        }
        const std::string answer =
            co_await served.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        const std::string oldest = co_await Served::read_to_end(idle[0]);
        co_await idle[1].write("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n");
        const std::string kept = co_await Served::read_answer(idle[1], 9);

        EXPECT_EQ(status_in(answer), 200);
        EXPECT_EQ(oldest, "");
        EXPECT_EQ(body_of(kept), "GET /kept");
        EXPECT_EQ(served.server.counts().refused, 0u);
    });
}

TEST(ServerLimits, H129ACrowdThatComesAtOnceIsHeldToTheLimit) {
    with_server(say_target(), {.connections_max = 3}, [](Served& served) -> Co<> {
        std::vector<aio::Stream> idle;
        for (int i = 0; i < 3; ++i) {
            aio::Stream stream = co_await aio::connect(served.at);
            idle.push_back(std::move(stream));
        }
        co_await aio::sleep(1s);
        std::vector<Co<aio::Stream>> crowd;
        for (int i = 0; i < 50; ++i) crowd.push_back(aio::connect(served.at));
        const std::vector<aio::Stream> streams = co_await aio::gather(std::move(crowd));
        co_await aio::sleep(1s);

        EXPECT_LE(served.server.counts().open, 3u);
        EXPECT_EQ(served.server.counts().accepted, 53u);
    });
}

TEST(ServerLimits, H129AFullServerSaysSoAndServesAgainWhenThereIsRoom) {
    Handler slow = [](const ServerRequest&, Responder& responder) -> Co<> {
        co_await aio::sleep(10s);
        co_await responder.reply({.body = "late"});
    };
    const std::string get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    with_server(std::move(slow), {.connections_max = 2}, [&](Served& served) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            auto first = group.create_task(served.ask(get));
            auto second = group.create_task(served.ask(get));
            co_await aio::sleep(1s);
            const std::string refused = co_await served.ask("");
            EXPECT_EQ(status_in(refused), 503);
            const std::string one = co_await first;
            const std::string two = co_await second;
            EXPECT_EQ(body_of(one), "late");
            EXPECT_EQ(body_of(two), "late");
        });
        const std::string after = co_await served.ask(get);
        EXPECT_EQ(body_of(after), "late");
        EXPECT_EQ(served.server.counts().refused, 1u);
    });
}

TEST(ServerLimits, H129OnePeerCannotTakeEveryPlace) {
    with_server(say_target(), {.connections_per_peer_max = 2}, [](Served& served) -> Co<> {
        aio::Stream one = co_await aio::connect(served.at);
        aio::Stream two = co_await aio::connect(served.at);
        co_await aio::sleep(1s);
        const std::string refused = co_await served.ask("");
        one.close();
        co_await aio::sleep(1s);
        const std::string served_again =
            co_await served.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        EXPECT_EQ(status_in(refused), 503);
        EXPECT_EQ(status_in(served_again), 200);
    });
}

TEST(ServerLimits, H129EventStreamsAreCounted) {
    Handler events = [](const ServerRequest&, Responder& responder) -> Co<> {
        EventStream stream(responder);
        co_await stream.open();
        co_await aio::sleep(10s);
    };
    with_server(std::move(events), {.event_streams_max = 2}, [](Served& served) -> Co<> {
        const std::string get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            auto first = group.create_task(served.ask(get));
            auto second = group.create_task(served.ask(get));
            co_await aio::sleep(1s);
            const std::string third = co_await served.ask(get);
            EXPECT_EQ(status_in(third), 503);
            const std::string one = co_await first;
            EXPECT_EQ(status_in(one), 200);
            co_await second;
        });
        const std::string fourth = co_await served.ask(get);
        EXPECT_EQ(status_in(fourth), 200);
    });
}

TEST(ServerLimits, H129TenThousandSilentConnectionsLeaveRoomForAnHonestOne) {
    with_server(say_target(), {.connections_max = 1'000, .connections_per_peer_max = 100'000},
                [](Served& served) -> Co<> {
                    std::vector<aio::Stream> crowd;
                    for (int i = 0; i < 10'000; ++i) {
                        aio::Stream stream = co_await aio::connect(served.at);
                        if (i % 2 == 0) co_await stream.write("GET / HT");  // Half a head.
                        crowd.push_back(std::move(stream));
                        EXPECT_LE(served.server.counts().open, 1'002u);
                    }
                    const Duration before = served.now();
                    std::string answer;
                    while (status_in(answer) != 200 && served.now() < before + 30s) {
                        co_await aio::sleep(1s);
                        answer = co_await served.ask(
                            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    }
                    EXPECT_EQ(status_in(answer), 200);
                });
}

}  // namespace weft::http
