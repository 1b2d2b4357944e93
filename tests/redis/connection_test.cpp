#include "redis/connection.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/sync/timeout.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "redis/error.h"
#include "redis/fake_redis.h"

namespace weft::redis {

namespace {

using aio::Co;

Command echo(std::string_view text) {
    return std::move(Command("ECHO").add(text));
}

std::optional<std::string> answer_echo(const Arguments& command) {
    return command.front() == "ECHO" ? bulk(command.at(1)) : "+OK\r\n";
}

// Runs body(connection) in virtual time against a server that answers like this.
template <class Body>
void with_connection(FakeRedis::Responder responder, Body body, ConnectionOptions options = {}) {
    const std::size_t frames_before = aio::frame_pool::live_count();
    {
        aio::SimulatedLoop loop;
        loop.run([](aio::SimulatedLoop& own, FakeRedis::Responder answers, Body inner,
                    ConnectionOptions settings) -> Co<> {
            FakeRedis server(own, "a.test", std::move(answers));
            const auto connection = co_await Connection::open(server.node(), std::move(settings));
            co_await inner(*connection, server);
        }(loop, std::move(responder), std::move(body), std::move(options)));
    }
    EXPECT_EQ(aio::frame_pool::live_count(), frames_before);
}

// The message of the ConnectionLost that the call throws; "" if it throws none.
template <class T>
Co<std::string> loss_of(Co<T> call) {
    try {
        co_await std::move(call);
    } catch (const ConnectionLost& error) {
        co_return error.what();
    }
    co_return "";
}

Duration elapsed_time() {
    return aio::EventLoop::running().time().time_since_epoch();
}

TEST(RedisConnection, GivesEachCallItsReplies) {
    with_connection(answer_echo, [](Connection& connection, FakeRedis& server) -> Co<> {
        std::vector<Co<Reply>> calls;
        for (int i = 0; i < 100; ++i) calls.push_back(connection.call(echo(std::to_string(i))));
        const std::vector<Reply> replies = co_await aio::gather(std::move(calls));
        for (std::size_t i = 0; i < replies.size(); ++i) {
            EXPECT_EQ(replies[i].text, std::to_string(i));
        }
        std::vector<Command> pair = {echo("x"), echo(std::string("\r\n\0", 3))};
        const std::vector<Reply> both = co_await connection.call(std::move(pair));
        EXPECT_EQ(both.at(0).text, "x");
        EXPECT_EQ(both.at(1).text, std::string("\r\n\0", 3));
        EXPECT_EQ(server.connection_count(), 1U);
    });
}

TEST(RedisConnection, LogsInBeforeAnythingElse) {
    with_connection(answer_echo,
                    [](Connection& connection, FakeRedis& server) -> Co<> {
                        co_await connection.call(echo("x"));
                        EXPECT_EQ(server.heard().at(0), (Arguments{"AUTH", "ann", "secret"}));
                        EXPECT_EQ(server.heard().at(1), (Arguments{"ECHO", "x"}));
                    },
                    {.user = "ann", .password = "secret"});
    with_connection(answer_echo,
                    [](Connection&, FakeRedis& server) -> Co<> {
                        EXPECT_EQ(server.heard().at(0), (Arguments{"AUTH", "secret"}));
                        co_return;
                    },
                    {.password = "secret"});
}

TEST(RedisConnection, ARefusedLoginIsAnErrorOfTheServer) {
    const auto refuse = [](const Arguments&) { return "-WRONGPASS no such user\r\n"; };
    try {
        with_connection(refuse, [](Connection&, FakeRedis&) -> Co<> { co_return; },
                        {.password = "guess"});
        ADD_FAILURE() << "the login succeeded";
    } catch (const ServerError& error) {
        EXPECT_EQ(error.code(), "WRONGPASS");
        EXPECT_EQ(std::string_view(error.what()), "redis a.test:6379: WRONGPASS no such user");
    }
}

TEST(RedisConnection, AnErrorReplyIsAReply) {
    with_connection([](const Arguments&) { return "-ERR no\r\n"; },
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const Reply reply = co_await connection.call(echo("x"));
                        EXPECT_TRUE(reply.is_error());
                        EXPECT_TRUE(connection.is_open());
                    });
}

// The reply of the cancelled call comes late; the next call must not get it.
TEST(RedisConnection, ACancelledCallDoesNotShiftTheReplies) {
    const auto slow_first =
        [held = std::string()](const Arguments& command) mutable -> std::optional<std::string> {
        if (command.at(1) != "first") return std::exchange(held, "") + bulk(command.at(1));
        held = bulk("first");
        return std::nullopt;
    };
    with_connection(slow_first, [](Connection& connection, FakeRedis& server) -> Co<> {
        aio::Task<Reply> first = aio::create_task(connection.call(echo("first")));
        co_await aio::sleep(100ms);
        first.cancel();
        co_await aio::sleep(1ms);
        EXPECT_TRUE(first.cancelled());
        const Reply second = co_await connection.call(echo("second"));
        EXPECT_EQ(second.text, "second");
        EXPECT_EQ(server.connection_count(), 1U);
    });
}

TEST(RedisConnection, SilenceEndsAllCalls) {
    with_connection([](const Arguments&) { return std::nullopt; },
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const std::vector<std::string> losses = co_await aio::gather([&] {
                            std::vector<Co<std::string>> calls;
                            for (int i = 0; i < 3; ++i)
                                calls.push_back(loss_of(connection.call(echo("x"))));
                            return calls;
                        }());
                        for (const std::string& loss : losses) {
                            EXPECT_EQ(loss, "redis a.test:6379: no reply within 2 s");
                        }
                        EXPECT_EQ(elapsed_time(), 2s);
                        EXPECT_FALSE(connection.is_open());
                        const std::string later = co_await loss_of(connection.call(echo("x")));
                        EXPECT_FALSE(later.empty());
                    });
}

// WAIT holds up the calls behind it for a second each: the server is not silent, only busy. Here
// the third reply comes 3 s after its call, 1.5 s after the second reply.
TEST(RedisConnection, RepliesThatComeOneByOneAreNoSilence) {
    const auto lag = [count = 0](const Arguments&) mutable -> std::optional<std::string> {
        ++count;
        if (count == 1 || count == 3) return std::nullopt;
        return count < 6 ? "+early\r\n" : "+late\r\n+late\r\n+late\r\n";
    };
    with_connection(lag, [](Connection& connection, FakeRedis&) -> Co<> {
        std::vector<aio::Task<Reply>> calls;
        for (int i = 0; i < 6; ++i) {
            calls.push_back(aio::create_task(connection.call(echo("x"))));
            if (i != 1) co_await aio::sleep(1500ms);
        }
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const Reply reply = co_await calls[i];
            EXPECT_EQ(reply.text, i < 3 ? "early" : "late");
        }
    });
}

TEST(RedisConnection, AnIdleConnectionStaysOpen) {
    with_connection(answer_echo, [](Connection& connection, FakeRedis&) -> Co<> {
        co_await connection.call(echo("x"));
        co_await aio::sleep(1h);
        const Reply reply = co_await connection.call(echo("y"));
        EXPECT_EQ(reply.text, "y");
    });
}

TEST(RedisConnection, RubbishEndsIt) {
    for (const char* rubbish : {"HTTP/1.1 400 Bad Request\r\n\r\n", "*9999999999\r\n", "?"}) {
        with_connection([rubbish](const Arguments&) { return rubbish; },
                        [](Connection& connection, FakeRedis&) -> Co<> {
                            const std::string loss = co_await loss_of(connection.call(echo("x")));
                            EXPECT_EQ(loss,
                                      "redis a.test:6379: the answer is not the protocol of Redis");
                        });
    }
}

TEST(RedisConnection, AReplyThatNobodyAskedForEndsIt) {
    with_connection([](const Arguments&) { return "+1\r\n+2\r\n"; },
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const Reply reply = co_await connection.call(echo("x"));
                        EXPECT_EQ(reply.text, "1");
                        EXPECT_FALSE(connection.is_open());
                    });
}

TEST(RedisConnection, HalfAReplyIsNone) {
    with_connection([](const Arguments&) { return "$5\r\nhal"; },
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const std::string loss = co_await loss_of(connection.call(echo("x")));
                        EXPECT_EQ(loss, "redis a.test:6379: no reply within 2 s");
                    });
    with_connection([](const Arguments&) { return ""; },
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const std::string loss = co_await loss_of(connection.call(echo("x")));
                        EXPECT_EQ(loss, "redis a.test:6379: the server closed the connection");
                    });
}

TEST(RedisConnection, AReplyBeyondTheBoundEndsIt) {
    const std::string reply = bulk(std::string(1'000, 'x'));
    const auto answer = [reply](const Arguments&) { return reply; };
    with_connection(answer,
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const Reply whole = co_await connection.call(echo("x"));
                        EXPECT_EQ(whole.text.size(), 1'000U);
                    },
                    {.reply_bytes_max = reply.size()});
    with_connection(answer,
                    [](Connection& connection, FakeRedis&) -> Co<> {
                        const std::string loss = co_await loss_of(connection.call(echo("x")));
                        EXPECT_EQ(loss, "redis a.test:6379: the reply is too long");
                    },
                    {.reply_bytes_max = reply.size() - 1});
}

TEST(RedisConnection, OpeningIsBoundedInTime) {
    aio::SimulatedLoop loop;
    loop.network().host("hole.test").reach(aio::Reach::black_hole);
    loop.network().host("shut.test").reach(aio::Reach::refusing);
    loop.run([]() -> Co<> {
        const std::string hole = co_await loss_of(Connection::open({"hole.test"}, {}));
        EXPECT_EQ(hole, "redis hole.test:6379: cannot connect within 2 s");
        EXPECT_EQ(elapsed_time(), 2s);
        const std::string shut = co_await loss_of(Connection::open({"shut.test"}, {}));
        EXPECT_TRUE(shut.contains("refused")) << shut;
        const std::string gone = co_await loss_of(Connection::open({"no-name.test"}, {}));
        EXPECT_TRUE(gone.contains("no-name.test")) << gone;
    }());
}

// A login that gets no answer must not hang.
TEST(RedisConnection, ASilentLoginIsBoundedInTime) {
    const auto open = [] {
        with_connection([](const Arguments&) { return std::nullopt; },
                        [](Connection&, FakeRedis&) -> Co<> { co_return; }, {.password = "x"});
    };
    EXPECT_THROW(open(), ConnectionLost);
}

TEST(RedisConnection, ClosingEndsTheCallsInProgress) {
    with_connection([](const Arguments&) { return std::nullopt; },
                    [](Connection&, FakeRedis& server) -> Co<> {
                        auto connection = co_await Connection::open(server.node(), {});
                        aio::Task<std::string> call =
                            aio::create_task(loss_of(connection->call(echo("x"))));
                        co_await aio::sleep(10ms);
                        connection.reset();
                        const std::string loss = co_await call;
                        EXPECT_EQ(loss, "redis a.test:6379: closed by us");
                    });
}

}  // namespace

}  // namespace weft::redis
