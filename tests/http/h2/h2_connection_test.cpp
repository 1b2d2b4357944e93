// The client's connection against nghttp2's own server side and against scripted frames, in virtual
// time: every moment can be named exactly.
#include "http/h2/h2_connection.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/sync/timeout.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/units.h"
#include "support/h2_frames.h"
#include "support/h2_server.h"
#include "support/simulate.h"

namespace weft::http {
namespace {

using aio::Co;
using aio::SimulatedLoop;
using tests::H2Server;
namespace h2 = tests::h2;

struct Sink final : ResponseSink {
    void on_request(std::string_view bytes) override { request = bytes; }
    void on_wire(std::string_view bytes) override { wire += bytes; }

    std::string request;
    std::string wire;
};

struct Ending {
    Response response;
    std::string content;
    std::string wire;
    std::string request;
    std::string_view failure;
    std::string what;
    bool may_retry = false;
    std::size_t piece_max = 0;
    Duration when{};
};

Headers fields_for() {
    Headers headers;
    headers.add("Host", "a.test");
    headers.add("User-Agent", "weft");
    return headers;
}

// Reads no more than `bytes_max`, and once it has some only after `pause` is set.
struct Reader {
    std::size_t bytes_max = SIZE_MAX;
    aio::Event* pause = nullptr;
};

Co<> read_into(Ending& ending, H2Exchange& exchange, Conversation& conversation, Reader reader) {
    co_await exchange.start(conversation);
    while (ending.content.size() < reader.bytes_max) {
        const std::string_view piece = co_await exchange.read(conversation);
        if (piece.empty()) co_return;
        ending.content += piece;
        ending.piece_max = std::max(ending.piece_max, piece.size());
        if (reader.pause) co_await reader.pause->wait();
    }
}

Co<Ending> ask(H2Connection& connection, Request request, FetchLimits limits = {},
               Reader reader = {}) {
    Ending ending;
    Sink sink;
    const Headers headers = fields_for();
    const aio::EventLoop& loop = aio::EventLoop::running();
    FetchClock clock("a.test", limits.total_timeout);
    Conversation conversation{.request = request,
                              .target = request.url.path_and_query(),
                              .headers = headers,
                              .limits = limits,
                              .clock = clock,
                              .sink = sink,
                              .response = ending.response};
    try {
        const std::unique_ptr<H2Exchange> exchange = connection.open();
        co_await read_into(ending, *exchange, conversation, reader);
    } catch (const UnansweredError& error) {
        ending.failure = name(error.failure());
        ending.what = error.what();
        ending.may_retry = true;
    } catch (const FetchError& error) {
        ending.failure = name(error.failure());
        ending.what = error.what();
    }
    ending.wire = std::move(sink.wire);
    ending.request = std::move(sink.request);
    ending.when = loop.time().time_since_epoch();
    co_return ending;
}

Co<Ending> ask(H2Connection& connection, std::string path) {
    Request request{.url = web::Url::parse("http://a.test" + path).value()};
    co_return co_await ask(connection, std::move(request));
}

Co<> serve_one(std::unique_ptr<aio::Listener> listener, H2Server& server) {
    std::unique_ptr<aio::Transport> transport = co_await listener->accept();
    co_await server.talk(aio::Stream(std::move(transport)));
}

// Says its lines one after another, each after its pause, whatever the client says.
struct Line {
    std::string bytes;
    Duration pause{};
};
Co<> recite(std::unique_ptr<aio::Listener> listener, std::vector<Line> lines, bool then_closes) {
    std::unique_ptr<aio::Transport> transport = co_await listener->accept();
    aio::Stream stream(std::move(transport));
    co_await stream.fill();
    for (const Line& line : lines) {
        if (line.pause > Duration::zero()) co_await aio::sleep(line.pause);
        co_await stream.write(line.bytes);
    }
    if (then_closes) co_return;
    for (bool more = true; more; stream.consume(stream.buffered().size())) {
        more = co_await stream.fill();
    }
}

template <class Body>
Co<> connect_and(aio::Endpoint endpoint, Body& body) {
    aio::Stream stream = co_await aio::connect(endpoint);
    H2Connection connection(std::move(stream));
    co_await body(connection);
}

// Runs the body with a connection to the server.
template <class Body>
void with_server(H2Server& server, Body body) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(10ms);
    auto listener = loop.network().listen("a.test", 80);
    const aio::Endpoint endpoint = listener->local();
    loop.run([](auto listening, auto& serving, auto to, auto& running) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(serve_one(std::move(listening), serving));
            co_await connect_and(to, running);
            group.cancel();
        });
    }(std::move(listener), server, endpoint, body));
}

// The same with a scripted server; the answers to requests, started together.
std::vector<Ending> hear(std::vector<Line> lines, std::size_t count = 1, FetchLimits limits = {},
                         bool then_closes = false) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    const aio::Endpoint endpoint = listener->local();
    std::vector<Ending> endings;
    auto body = [&](H2Connection& connection) -> Co<> {
        std::vector<aio::Task<Ending>> tasks;
        for (std::size_t i = 0; i < count; ++i) {
            Request request{.url = web::Url::parse("http://a.test/").value()};
            tasks.push_back(aio::create_task(ask(connection, std::move(request), limits)));
        }
        for (aio::Task<Ending>& task : tasks) {
            Ending ending = co_await std::move(task);
            endings.push_back(std::move(ending));
        }
    };
    loop.run([](auto listening, auto said, bool closes, auto to, auto& running) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(recite(std::move(listening), std::move(said), closes));
            co_await connect_and(to, running);
            group.cancel();
        });
    }(std::move(listener), std::move(lines), then_closes, endpoint, body));
    return endings;
}

}  // namespace

TEST(H2Connection, GivesAnAnswerWithItsTimes) {
    H2Server server;
    server.replies["/page?q=1"] = {.headers = {{"content-type", "text/html"}}, .body = "hello"};

    with_server(server, [](H2Connection& connection) -> Co<> {
        const Ending ending = co_await ask(connection, "/page?q=1");

        EXPECT_EQ(ending.failure, "") << ending.what;
        EXPECT_EQ(ending.content, "hello");
        EXPECT_EQ(ending.response.status, 200);
        EXPECT_EQ(ending.response.protocol, "h2");
        EXPECT_EQ(ending.response.headers.get("Content-Type"), "text/html");
        EXPECT_EQ(ending.response.timings.sent, 0ms);
        EXPECT_EQ(ending.response.timings.first_byte, 20ms);
    });
    EXPECT_EQ(server.seen[0].fields[":authority"], "a.test");
    EXPECT_EQ(server.seen[0].fields[":scheme"], "http");
    EXPECT_EQ(server.seen[0].fields["user-agent"], "weft");
    EXPECT_FALSE(server.seen[0].fields.contains("host"));
}

TEST(H2Connection, TheWireIsAnHttp1MessageWithTheContentAsSent) {
    H2Server server;
    const std::string coded = "whatever is there, it is left as it is";
    server.replies["/"] = {.headers = {{"content-encoding", "gzip"}}, .body = coded};

    with_server(server, [&](H2Connection& connection) -> Co<> {
        const Ending ending = co_await ask(connection, "/");

        EXPECT_EQ(ending.request, "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: weft\r\n\r\n");
        EXPECT_EQ(ending.content, coded);
        const std::string head = "HTTP/1.1 200 \r\ncontent-encoding: gzip\r\n\r\n";
        EXPECT_EQ(ending.wire, head + coded);
        EXPECT_EQ(ending.response.wire_head_begin, 0u);
        EXPECT_EQ(ending.response.wire_head_end, head.size());
        EXPECT_EQ(ending.response.wire_bytes, ending.wire.size());
    });
}

TEST(H2Connection, ManyExchangesShareTheConnection) {
    H2Server server;
    for (int i = 0; i < 300; ++i) {
        server.replies["/" + std::to_string(i)] = {.body =
                                                       std::string(1'000, 'a') + std::to_string(i)};
    }

    with_server(server, [](H2Connection& connection) -> Co<> {
        std::vector<aio::Task<Ending>> tasks;
        for (int i = 0; i < 300; ++i) {
            tasks.push_back(aio::create_task(ask(connection, "/" + std::to_string(i))));
        }
        for (int i = 0; i < 300; ++i) {
            const Ending ending = co_await tasks[static_cast<std::size_t>(i)];
            EXPECT_EQ(ending.content, std::string(1'000, 'a') + std::to_string(i));
        }
        EXPECT_EQ(connection.exchange_count(), 0u);
    });
    EXPECT_EQ(server.open_count_max, limits::kH2StreamCountMax);
}

TEST(H2Connection, KeepsToWhatTheServerAllows) {
    H2Server server;
    server.stream_count_max = 3;
    server.replies["/"] = {.body = "x"};

    with_server(server, [](H2Connection& connection) -> Co<> {
        co_await ask(connection, "/");  // The server's settings have come.
        std::vector<aio::Task<Ending>> tasks;
        for (int i = 0; i < 20; ++i) tasks.push_back(aio::create_task(ask(connection, "/")));
        for (aio::Task<Ending>& task : tasks) {
            const Ending ending = co_await std::move(task);
            EXPECT_EQ(ending.content, "x") << ending.what;
        }
    });
    EXPECT_EQ(server.open_count_max, 3u);
}

TEST(H2Connection, SendsABodyLargerThanTheWindows) {
    H2Server server;
    server.replies["/echo"] = {.echoes = true};
    const std::string body(1'000'000, 'b');

    with_server(server, [&](H2Connection& connection) -> Co<> {
        Request request{
            .url = web::Url::parse("http://a.test/echo").value(), .method = "POST", .body = body};
        const Ending ending = co_await ask(connection, std::move(request));
        EXPECT_EQ(ending.content, body) << ending.what;
    });
}

TEST(H2Connection, TakesABodyLargerThanTheWindows) {
    H2Server server;
    server.replies["/"] = {.body = std::string(6'000'000, 'x')};

    with_server(server, [&](H2Connection& connection) -> Co<> {
        const Ending ending = co_await ask(connection, "/");
        EXPECT_EQ(ending.content.size(), 6'000'000u) << ending.what;
    });
}

TEST(H2Connection, ASlowReaderHoldsBackItsOwnStreamOnly) {
    H2Server server;
    server.replies["/big"] = {.body = std::string(1'000'000, 'x')};

    with_server(server, [](H2Connection& connection) -> Co<> {
        aio::Event pause;
        Request request{.url = web::Url::parse("http://a.test/big").value()};
        aio::Task<Ending> slow = aio::create_task(
            ask(connection, std::move(request), {.total_timeout = 1h}, {.pause = &pause}));
        for (int i = 0; i < 4; ++i) {
            const Ending other = co_await ask(connection, "/big");
            EXPECT_EQ(other.content.size(), 1'000'000u) << other.what;
        }
        co_await aio::sleep(10min);  // No limit runs while it is we who are slow.
        EXPECT_FALSE(slow.done());
        pause.set();
        const Ending ending = co_await std::move(slow);
        EXPECT_EQ(ending.content.size(), 1'000'000u) << ending.what;
        EXPECT_LE(ending.piece_max, limits::kH2StreamWindowBytes);
    });
}

TEST(H2Connection, ACancelledExchangeResetsItsStreamAndNoOther) {
    H2Server server;
    server.replies["/stall"] = {.body = "half", .stalls = true};
    server.replies["/page"] = {.body = "whole"};

    with_server(server, [](H2Connection& connection) -> Co<> {
        aio::Task<Ending> stalled = aio::create_task(ask(connection, "/stall"));
        co_await aio::sleep(1s);
        stalled.cancel();
        const bool was_cancelled =
            co_await aio::throws<aio::CancelledError>(aio::as_co(std::move(stalled)));
        EXPECT_TRUE(was_cancelled);
        const Ending ending = co_await ask(connection, "/page");
        EXPECT_EQ(ending.content, "whole");
        EXPECT_TRUE(connection.is_usable());
    });
    EXPECT_EQ(server.resets, std::vector<std::int32_t>{1});
}

TEST(H2Connection, AnAnswerThatIsNotReadToItsEndIsReset) {
    H2Server server;
    server.replies["/"] = {.body = std::string(1'000'000, 'x')};

    with_server(server, [](H2Connection& connection) -> Co<> {
        Request request{.url = web::Url::parse("http://a.test/").value()};
        const Ending ending =
            co_await ask(connection, std::move(request), {}, {.bytes_max = 1'000});
        EXPECT_GE(ending.content.size(), 1'000u) << ending.what;
        const Ending next = co_await ask(connection, "/");
        EXPECT_EQ(next.content.size(), 1'000'000u);
    });
    EXPECT_EQ(server.resets, std::vector<std::int32_t>{1});
}

TEST(H2Connection, ADroppedConnectionFailsWhatIsUnderWay) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    loop.run([](auto listening, auto to) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(recite(std::move(listening), {{h2::greeting()}}, false));
            aio::Stream stream = co_await aio::connect(to);
            auto connection = std::make_unique<H2Connection>(std::move(stream));
            aio::Task<Ending> asked = group.create_task(ask(*connection, "/"));
            co_await aio::sleep(1s);
            connection.reset();
            const Ending ending = co_await std::move(asked);
            EXPECT_EQ(ending.failure, "reset");
            EXPECT_EQ(ending.when, 1s);
            group.cancel();
        });
    }(std::move(listener), loop.network().host("a.test").endpoint(80)));
}

TEST(H2Connection, H35ARequestThatCannotBeAskedIsNotSent) {
    H2Server server;

    with_server(server, [](H2Connection& connection) -> Co<> {
        Request request{.url = web::Url::parse("http://a.test/").value(), .method = "GE T"};
        const Ending ending = co_await ask(connection, std::move(request));
        EXPECT_EQ(ending.failure, "bad_request");
        EXPECT_TRUE(connection.is_usable());
    });
    EXPECT_TRUE(server.seen.empty());
}

TEST(H2Connection, H02ASilentServerEndsAtTheFirstByteTimeout) {
    const Ending ending = hear({{h2::greeting()}})[0];

    EXPECT_EQ(ending.failure, "first_byte_timeout");
    EXPECT_EQ(ending.when, FetchLimits{}.first_byte_timeout);
}

TEST(H2Connection, H02AStalledBodyEndsAtTheIdleTimeout) {
    const std::string head = h2::head(1, {{":status", "200"}});
    const Ending ending = hear({{h2::greeting()}, {head, 3s}, {h2::content(1, "x"), 10s}})[0];

    EXPECT_EQ(ending.failure, "idle_timeout");
    EXPECT_EQ(ending.when, 13s + FetchLimits{}.idle_timeout);
}

TEST(H2Connection, H03ASlowDripIsTooSlowAfterTheWindow) {
    std::vector<Line> lines{{h2::greeting() + h2::head(1, {{":status", "200"}})}};
    for (int i = 0; i < 60; ++i) lines.push_back({h2::content(1, "x"), 1s});
    const Ending ending = hear(std::move(lines))[0];

    EXPECT_EQ(ending.failure, "too_slow");
    EXPECT_EQ(ending.when, FetchLimits{}.rate_window);
}

TEST(H2Connection, H53NoRoomForStreamsEndsAtTheIdleTimeout) {
    const std::vector<Ending> endings = hear({{h2::greeting({{3, 0}}) + h2::page(1, "x")}}, 1);
    EXPECT_EQ(endings[0].content, "x") << "it was out before the server said so";

    H2Server server;
    server.stream_count_max = 0;
    with_server(server, [](H2Connection& connection) -> Co<> {
        co_await aio::sleep(1s);
        const Ending ending = co_await ask(connection, "/");
        EXPECT_EQ(ending.failure, "send_timeout");
        EXPECT_EQ(ending.when, 20ms + 1s + FetchLimits{}.idle_timeout);
    });
}

TEST(H2Connection, H53ABodyThatIsNeverAllowedEndsAtTheIdleTimeout) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    const aio::Endpoint endpoint = listener->local();
    auto body = [](H2Connection& connection) -> Co<> {
        Request request{.url = web::Url::parse("http://a.test/").value(),
                        .method = "POST",
                        .body = std::string(100'000, 'b')};
        const Ending ending = co_await ask(connection, std::move(request));
        EXPECT_EQ(ending.failure, "send_timeout");
        EXPECT_EQ(ending.when, FetchLimits{}.idle_timeout);
    };
    loop.run([](auto listening, auto to, auto& running) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(recite(std::move(listening), {{h2::greeting({{4, 0}})}}, false));
            co_await connect_and(to, running);
            group.cancel();
        });
    }(std::move(listener), endpoint, body));
}

TEST(H2Connection, H51RefusedStreamsMayBeTriedAgainResetOnesNot) {
    const std::vector<Ending> endings =
        hear({{h2::greeting() + h2::reset(1, h2::refused_stream) +
               h2::reset(3, h2::internal_error) + h2::head(5, {{":status", "200"}}) +
               h2::reset(5, h2::refused_stream) + h2::page(7, "fine")}},
             4);

    EXPECT_EQ(endings[0].failure, "reset");
    EXPECT_TRUE(endings[0].may_retry);
    EXPECT_EQ(endings[1].failure, "reset");
    EXPECT_FALSE(endings[1].may_retry);
    EXPECT_EQ(endings[2].failure, "reset");
    EXPECT_FALSE(endings[2].may_retry) << "the answer had begun";
    EXPECT_EQ(endings[3].content, "fine");
}

TEST(H2Connection, H52StreamsBeyondAGoAwayMayBeTriedAgain) {
    const std::vector<Ending> endings =
        hear({{h2::greeting() + h2::go_away(1, h2::no_error)}, {h2::page(1, "drained"), 1s}}, 3);

    EXPECT_EQ(endings[0].content, "drained");
    EXPECT_TRUE(endings[1].may_retry);
    EXPECT_TRUE(endings[2].may_retry);
    EXPECT_EQ(endings[1].when, Duration{}) << "at once";
}

TEST(H2Connection, H09ACloseBeforeTheAnswerMayBeTriedAgainOneInsideItNot) {
    const std::vector<Ending> endings =
        hear({{h2::greeting() + h2::head(1, {{":status", "200"}}) + h2::content(1, "half"), 1s}}, 2,
             {}, true);

    EXPECT_EQ(endings[0].failure, "truncated");
    EXPECT_FALSE(endings[0].may_retry);
    EXPECT_EQ(endings[1].failure, "closed_early");
    EXPECT_TRUE(endings[1].may_retry);
}

TEST(H2Connection, H49AFloodEndsAllExchangesWithItsName) {
    const std::string flood =
        h2::greeting() + h2::times(2'000, h2::frame(h2::ping, h2::none, 0, "12345678"));
    const std::vector<Ending> endings = hear({{flood}}, 2);

    for (const Ending& ending : endings) {
        EXPECT_EQ(ending.failure, "bad_response");
        EXPECT_TRUE(ending.what.contains("flood of HTTP/2 frames")) << ending.what;
        EXPECT_FALSE(ending.may_retry);
    }
}

TEST(H2Connection, H54AServerOfHttp1IsNotHttp2) {
    const Ending ending = hear({{"HTTP/1.1 400 Bad Request\r\n\r\n"}})[0];

    EXPECT_EQ(ending.failure, "not_http");
    EXPECT_TRUE(ending.what.contains("HTTP/1")) << ending.what;
}

TEST(H2Connection, AClosedConnectionIsNotUsable) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    const aio::Endpoint endpoint = listener->local();
    auto body = [](H2Connection& connection) -> Co<> {
        const Ending first = co_await ask(connection, "/");
        EXPECT_EQ(first.content, "x");
        co_await aio::sleep(1s);
        EXPECT_FALSE(connection.is_usable());
        const Ending second = co_await ask(connection, "/");
        EXPECT_TRUE(second.may_retry);
    };
    loop.run([](auto listening, auto to, auto& running) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(
                recite(std::move(listening), {{h2::greeting() + h2::page(1, "x")}}, true));
            co_await connect_and(to, running);
            group.cancel();
        });
    }(std::move(listener), endpoint, body));
}

}  // namespace weft::http
