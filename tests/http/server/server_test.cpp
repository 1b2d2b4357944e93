#include "http/server/server.h"

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "http/served.h"
#include "http/server/event_stream.h"

namespace weft::http {
namespace {

using aio::Co;

std::string get(std::string_view target, std::string_view fields = "") {
    return fmt::format("GET {} HTTP/1.1\r\nHost: a.test\r\n{}\r\n", target, fields);
}
std::string last_get(std::string_view target) {
    return get(target, "Connection: close\r\n");
}

}  // namespace

TEST(HttpServer, AnswersRequestAfterRequestOnOneConnection) {
    with_server(say_target(), {}, [](Served& served) -> Co<> {
        aio::Stream stream = co_await aio::connect(served.at);
        for (const std::string target : {"/a", "/b", "/c"}) {
            co_await stream.write(get(target));
            const std::string answer = co_await served.read_answer(stream, 6);
            EXPECT_EQ(body_of(answer), "GET " + target);
            EXPECT_EQ(answer.find("Connection:"), std::string::npos);
            EXPECT_NE(answer.find("\r\nDate: "), std::string::npos);
        }
        EXPECT_EQ(served.server.counts().accepted, 1u);
        EXPECT_EQ(served.server.counts().requests, 3u);
    });
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInTheirOrder) {
    Handler slow_first = [](const ServerRequest& request, Responder& responder) -> Co<> {
        if (request.target == "/1") co_await aio::sleep(5s);
        co_await responder.reply({.body = request.target + request.body + "\n"});
    };
    with_server(std::move(slow_first), {}, [](Served& served) -> Co<> {
        const std::string answers = co_await served.ask(
            get("/1") + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" +
            last_get("/3"));

        const std::size_t one = answers.find("/1\n");
        const std::size_t two = answers.find("/2hello\n");
        const std::size_t three = answers.find("/3\n");
        EXPECT_LT(one, two);
        EXPECT_LT(two, three);
        EXPECT_NE(three, std::string::npos);
    });
}

TEST(HttpServer, HeadIsAnsweredAsGetWithoutTheBody) {
    with_server(say_target(), {}, [](Served& served) -> Co<> {
        const std::string answer =
            co_await served.ask("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        EXPECT_NE(answer.find("Content-Length: 7\r\n"), std::string::npos);
        EXPECT_EQ(body_of(answer), "");
    });
}

TEST(HttpServer, ABodyOfUnknownLengthIsChunkedAndEndsTheConnectionOnlyForOldClients) {
    Handler pieces = [](const ServerRequest&, Responder& responder) -> Co<> {
        co_await responder.start({});
        co_await responder.write("one");
        co_await responder.write("");
        co_await responder.write(std::string(70'000, 'x'));
        co_await responder.finish();
    };
    with_server(std::move(pieces), {}, [](Served& served) -> Co<> {
        const std::string chunked = co_await served.ask(get("/") + last_get("/"));
        const std::string plain = co_await served.ask("GET / HTTP/1.0\r\n\r\n");

        const std::string x(70'000, 'x');
        EXPECT_NE(chunked.find("\r\n\r\n3\r\none\r\n10000\r\n" + x.substr(0, 65536) +
                               "\r\n1170\r\n" + x.substr(65536) + "\r\n0\r\n\r\nHTTP/1.1 200"),
                  std::string::npos);
        EXPECT_EQ(body_of(plain), "one" + x);
        EXPECT_NE(plain.find("Connection: close\r\n"), std::string::npos);
    });
}

TEST(HttpServer, AnOldClientKeepsItsConnectionIfItAsks) {
    with_server(say_target(), {}, [](Served& served) -> Co<> {
        const std::string answers = co_await served.ask(
            "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n");

        EXPECT_NE(answers.find("Connection: keep-alive\r\n\r\nGET /1HTTP/1.1"), std::string::npos);
        EXPECT_TRUE(answers.ends_with("Connection: close\r\n\r\nGET /2"));
    });
}

TEST(HttpServer, ABodyThatBreaksOffIsSeenToBeCut) {
    Handler half = [](const ServerRequest& request, Responder& responder) -> Co<> {
        const bool chunked = request.target == "/chunked";
        co_await responder.start({}, chunked ? std::nullopt : std::optional<std::uint64_t>(10));
        co_await responder.write("half!");
        throw Error("the rest is lost");
    };
    with_server(std::move(half), {}, [](Served& served) -> Co<> {
        const std::string chunked = co_await served.ask(get("/chunked"));
        const std::string length = co_await served.ask(get("/length"));

        EXPECT_EQ(body_of(chunked), "5\r\nhalf!\r\n");
        EXPECT_EQ(body_of(length), "half!");
    });
}

TEST(HttpServer, WhatAHandlerThrowsBecomesTheAnswer) {
    Handler thrower = [](const ServerRequest& request, Responder& responder) -> Co<> {
        if (request.target == "/gone") throw HttpRefusal(410, "it was here");
        if (request.target == "/error") throw std::runtime_error("oops");
        if (request.target == "/split") {
            co_await responder.reply({.headers = {{"Location", "/\r\nSet-Cookie: a=b"}}});
        }
    };
    with_server(std::move(thrower), {}, [](Served& served) -> Co<> {
        const std::string gone = co_await served.ask(get("/gone") + last_get("/gone"));
        const std::string error = co_await served.ask(last_get("/error"));
        const std::string split = co_await served.ask(last_get("/split"));
        const std::string nothing = co_await served.ask(last_get("/nothing"));

        EXPECT_EQ(status_in(gone), 410);
        EXPECT_TRUE(gone.ends_with("410 Gone: it was here\n"));
        EXPECT_EQ(status_in(error), 500);
        EXPECT_EQ(status_in(split), 500);
        EXPECT_EQ(split.find("Set-Cookie"), std::string::npos);
        EXPECT_EQ(status_in(nothing), 500);
    });
}

TEST(HttpServer, BadRequestsAreRefusedAndTheConnectionEnds) {
    const std::pair<std::string, int> rows[] = {
        {"GET /\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: a\n\n", 400},
        {"GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"\x16\x03\x01\x02", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nExpect: a pony\r\n\r\n", 417},
        // Smuggling: a second request must not be found in what two readers would read differently.
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
         "0\r\n\r\n" +
             get("/evil"),
         400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400},
    };
    with_server(say_target(), {}, [&](Served& served) -> Co<> {
        for (const auto& [bytes, status] : rows) {
            const std::string answer = co_await served.ask(bytes);
            EXPECT_EQ(status_in(answer), status) << bytes;
            EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << bytes;
            EXPECT_EQ(answer.find("HTTP/1.1 ", 1), std::string::npos) << answer;
        }
        EXPECT_EQ(served.server.counts().requests, 0u);
    });
}

TEST(HttpServer, AnAbsoluteTargetNamesTheHost) {
    Handler handler = [](const ServerRequest& request, Responder& responder) -> Co<> {
        co_await responder.reply(
            {.body = fmt::format("{} {} {}", request.host(), request.path(), request.query())});
    };
    with_server(std::move(handler), {.hosts = HostList({"a.test"})}, [](Served& served) -> Co<> {
        const std::string absolute = co_await served.ask(
            "GET http://a.test?q=1 HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n");
        const std::string foreign = co_await served.ask(
            "GET http://evil/ HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");

        EXPECT_EQ(body_of(absolute), "a.test / q=1");
        EXPECT_EQ(status_in(foreign), 403);
    });
}

TEST(HttpServer, H126AForeignNameIsRefusedWithoutAskingTheHandler) {
    with_server(
        say_target(), {.hosts = HostList::of(aio::IpAddress::loopback())},
        [](Served& served) -> Co<> {
            for (const char* host : {"evil.test", "evil.test:80", "localhost.evil.test",
                                     "127.0.0.2", "127.0.0.1.evil.test", "[::2]", "localhost:80:80",
                                     "localhost:x", "", "localhost..", "[::1", "[::1]x"}) {
                const std::string answer =
                    co_await served.ask(fmt::format("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", host));
                EXPECT_EQ(status_in(answer), 403) << host;
            }
            for (const char* host : {"localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:1",
                                     "[::1]", "[::1]:80", "a.localhost"}) {
                const std::string answer = co_await served.ask(
                    fmt::format("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host));
                EXPECT_EQ(status_in(answer), 200) << host;
            }
            EXPECT_EQ(served.server.counts().requests, 7u);
            const std::string unnamed = co_await served.ask("GET / HTTP/1.0\r\n\r\n");
            EXPECT_EQ(status_in(unnamed), 403);
        });
}

TEST(HttpServer, H126BeyondLoopbackOnlyLiteralsAndNamesThatWereGivenAreAnswered) {
    // Bound to a network it answered to any name, so any page could point one at it.
    HostList hosts = HostList::of(*aio::IpAddress::parse("0.0.0.0"));
    hosts.add("desk.local");

    for (const char* host : {"192.168.1.5:8000", "10.0.0.1", "[fe80::1]:8000", "localhost:8000",
                             "a.localhost", "Desk.Local:8000"}) {
        EXPECT_TRUE(hosts.allows(host)) << host;
    }
    for (const char* host : {"evil.test", "evil.test:8000", "192.168.1.5.evil.test", "1.2.3",
                             "desk.local.evil.test", "", "[evil]", "0x7f.1"}) {
        EXPECT_FALSE(hosts.allows(host)) << host;
    }
    hosts.add("*");
    EXPECT_TRUE(hosts.allows("evil.test"));
}

TEST(HttpServer, AClientThatWaitsForTheGoAheadGetsIt) {
    Handler echo = [](const ServerRequest& request, Responder& responder) -> Co<> {
        co_await responder.reply({.body = request.body});
    };
    with_server(std::move(echo), {.body_bytes_max = 10}, [](Served& served) -> Co<> {
        aio::Stream stream = co_await aio::connect(served.at);
        co_await stream.write(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            "Content-Length: 5\r\n\r\n");
        const std::string interim = co_await stream.readuntil("\r\n\r\n", 100);
        co_await stream.write("hello");
        const std::string answer = co_await served.read_answer(stream, 5);
        const std::string refused = co_await served.ask(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");

        EXPECT_EQ(interim, "HTTP/1.1 100 Continue\r\n\r\n");
        EXPECT_EQ(body_of(answer), "hello");
        EXPECT_EQ(status_in(refused), 413);
    });
}

TEST(HttpServer, TellsOfEveryAnswer) {
    std::vector<std::string> lines;
    ServerOptions options;
    options.on_answered = [&](const Answered& answered) {
        lines.push_back(fmt::format("{} {} {} {} {}", answered.request.method,
                                    answered.request.target, answered.status, answered.body_bytes,
                                    answered.elapsed / 1s));
    };
    Handler handler = [](const ServerRequest&, Responder& responder) -> Co<> {
        co_await aio::sleep(3s);
        co_await responder.reply({.body = "four"});
    };
    with_server(std::move(handler), std::move(options), [](Served& served) -> Co<> {
        co_await served.ask(last_get("/x"));
        co_await served.ask("GET / HTTP/3.0\r\n\r\n");
    });

    EXPECT_EQ(lines, (std::vector<std::string>{"GET /x 200 4 3", "  505 56 0"}));
}

TEST(HttpServer, EventsComeAsTheyHappen) {
    Handler ticker = [](const ServerRequest&, Responder& responder) -> Co<> {
        EventStream events(responder);
        co_await events.open();
        co_await events.send({.data = "one\ntwo\r\nthree", .name = "a\nid: 7", .id = "5"});
        co_await events.ping();
        co_await aio::sleep(1h);
        co_await events.send({.data = ""});
        co_await responder.finish();
    };
    with_server(std::move(ticker), {}, [](Served& served) -> Co<> {
        const std::string answer = co_await served.ask("GET / HTTP/1.0\r\n\r\n");

        EXPECT_NE(answer.find("Content-Type: text/event-stream\r\n"), std::string::npos);
        EXPECT_EQ(body_of(answer),
                  "event: a\nid: 5\ndata: one\ndata: two\ndata: three\n\n:\n\ndata: \n\n");
        EXPECT_GE(served.now(), 1h);
    });
}

TEST(HttpServer, StopLetsAnAnswerFinishAndClosesWhatIsIdle) {
    Handler slow = [](const ServerRequest&, Responder& responder) -> Co<> {
        co_await aio::sleep(3s);
        co_await responder.reply({.body = "done"});
    };
    aio::SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    loop.run([](auto own_listener, auto handler) -> Co<> {
        HttpServer server(std::move(handler));
        const Served served{server, own_listener->local()};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            auto serving = group.create_task(server.serve(std::move(own_listener)));
            aio::Stream idle = co_await aio::connect(served.at);
            auto asking = group.create_task(served.ask(get("/")));
            co_await aio::sleep(1s);

            server.stop();
            const std::string nothing = co_await served.read_to_end(idle);
            EXPECT_LT(served.now(), 2s);
            EXPECT_EQ(nothing, "");
            co_await serving;
            EXPECT_GE(served.now(), 3s);
            EXPECT_LT(served.now(), 4s);
            const std::string answer = co_await asking;
            EXPECT_EQ(body_of(answer), "done");
        });
    }(std::move(listener), std::move(slow)));
}

TEST(HttpServer, StopEndsEventStreamsAtOnceAndTheStubbornAfterTheGrace) {
    Handler endless = [](const ServerRequest& request, Responder& responder) -> Co<> {
        if (request.target == "/events") {
            EventStream events(responder);
            co_await events.open();
            co_await aio::sleep(1h);
        }
        co_await aio::sleep(1h);
    };
    aio::SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    loop.run([](auto own_listener, auto handler) -> Co<> {
        HttpServer server(std::move(handler), {.grace = 7s});
        const Served served{server, own_listener->local()};
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            auto serving = group.create_task(server.serve(std::move(own_listener)));
            auto events = group.create_task(served.ask(get("/events")));
            auto stubborn = group.create_task(served.ask(get("/stubborn")));
            co_await aio::sleep(1s);

            server.stop();
            co_await events;
            EXPECT_LT(served.now(), 2s);
            co_await serving;
            EXPECT_GE(served.now(), 8s);
            EXPECT_LT(served.now(), 9s);
            co_await stubborn;
        });
    }(std::move(listener), std::move(endless)));
}

}  // namespace weft::http
