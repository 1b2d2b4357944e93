#include "aio/net/connect.h"

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/net/socket_network.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::aio {
namespace {

Co<> echo_once(Stream stream) {
    for (;;) {
        const std::string line = co_await stream.readline(100);
        if (line.empty()) co_return;
        co_await stream.write(line);
    }
}

// An endpoint that takes no connection and sends no refusal: a listener whose queue is full.
class BlackHole {
public:
    static Co<std::unique_ptr<BlackHole>> dig() {
        auto hole = std::make_unique<BlackHole>();
        hole->listener_ =
            EventLoop::running().network().listen({IpAddress::loopback(), 0}, {.backlog = 0});
        try {
            for (;;) {
                Stream stream =
                    co_await connect_to_any({hole->endpoint()}, {.attempt_timeout = 20ms});
                hole->queued_.push_back(std::move(stream));
            }
        } catch (const TimeoutError&) {
        }
        co_return hole;
    }
    Endpoint endpoint() const { return listener_->local(); }

private:
    std::unique_ptr<Listener> listener_;
    std::vector<Stream> queued_;
};

Endpoint closed_endpoint() {
    return EventLoop::running().network().listen({IpAddress::loopback(), 0})->local();
}

Endpoint v4(std::uint16_t port) {
    return {IpAddress::loopback(), port};
}
Endpoint v6(std::uint16_t port) {
    return {*IpAddress::parse("::1"), port};
}

}  // namespace

TEST(ConnectToAny, ConnectsFromTheAddressGiven) {
    run([]() -> Co<> {
        const IpAddress local = *IpAddress::parse("127.0.0.2");
        const auto listener = EventLoop::running().network().listen({IpAddress::loopback(), 0});

        const Stream stream = co_await connect_to_any({listener->local()}, {.local = local});
        const std::unique_ptr<Transport> accepted = co_await listener->accept();

        EXPECT_EQ(accepted->peer().address, local);
        EXPECT_EQ(stream.peer(), listener->local());
    }());
}

TEST(ConnectToAny, AnAddressOfAnotherMachineIsNotAvailable) {
    const IpAddress elsewhere = *IpAddress::parse("192.0.2.1");
    EXPECT_TRUE(is_own_address(IpAddress::loopback()));
    EXPECT_FALSE(is_own_address(elsewhere));
    run([](IpAddress local) -> Co<> {
        try {
            co_await connect_to_any({closed_endpoint()}, {.local = local});
            ADD_FAILURE() << "it connected";
        } catch (const IoError& error) {
            EXPECT_EQ(error.code(), std::errc::address_not_available);
        }
    }(elsewhere));
}

TEST(ConnectToAny, H08FamiliesTakeTurns) {
    EXPECT_EQ(interleave_families({v6(1), v6(2), v6(3), v4(4), v4(5)}),
              (std::vector<Endpoint>{v6(1), v4(4), v6(2), v4(5), v6(3)}));
    EXPECT_EQ(interleave_families({v4(1), v6(2)}), (std::vector<Endpoint>{v4(1), v6(2)}));
}

TEST(ConnectToAny, H08ADeadAddressCostsOnlyTheDelay) {
    run([]() -> Co<> {
        const auto hole = co_await BlackHole::dig();
        const Server server = start_server(echo_once, {IpAddress::loopback(), 0});
        const TimePoint start = EventLoop::running().time();

        Stream stream =
            co_await connect_to_any({hole->endpoint(), server.local()}, {.attempt_delay = 30ms});

        EXPECT_EQ(stream.peer(), server.local());
        const Duration taken = EventLoop::running().time() - start;
        EXPECT_GE(taken, 30ms);
        EXPECT_LT(taken, 1s);
    }());
}

TEST(ConnectToAny, ARefusalStartsTheNextAtOnce) {
    run([]() -> Co<> {
        const Server server = start_server(echo_once, {IpAddress::loopback(), 0});

        Stream stream =
            co_await connect_to_any({closed_endpoint(), server.local()}, {.attempt_delay = 1h});

        EXPECT_EQ(stream.peer(), server.local());
    }());
}

TEST(ConnectToAny, H06WhenAllFailTheLastFailureIsThrown) {
    run([]() -> Co<> {
        try {
            co_await connect_to_any({closed_endpoint(), closed_endpoint()});
            ADD_FAILURE();
        } catch (const IoError& error) {
            EXPECT_EQ(error.code(), std::errc::connection_refused);
        }
        const auto hole = co_await BlackHole::dig();
        try {
            co_await connect_to_any({hole->endpoint(), hole->endpoint()},
                                    {.attempt_delay = 1ms, .attempt_timeout = 20ms});
            ADD_FAILURE();
        } catch (const TimeoutError& error) {
            EXPECT_EQ(error.what(), hole->endpoint().to_string() + " did not accept in 20 ms");
        }
    }());
}

TEST(ConnectToAny, A40CancelledItLeavesNoAttemptBehind) {
    run([]() -> Co<> {
        const auto hole = co_await BlackHole::dig();
        const Task<Stream> connecting = create_task(
            connect_to_any({hole->endpoint(), hole->endpoint()}, {.attempt_delay = 1ms}));
        co_await sleep(10ms);
        EXPECT_EQ(EventLoop::running().task_count(), 4u);  // Ours, the race and its two attempts.

        connecting.cancel();
        co_await sleep(1ms);

        EXPECT_TRUE(connecting.cancelled());
        EXPECT_EQ(EventLoop::running().task_count(), 1u);
    }());
}

TEST(OpenConnection, TakesALiteralAddress) {
    run([]() -> Co<> {
        const Server server = start_server(echo_once, {IpAddress::loopback(), 0});

        Stream stream = co_await open_connection("127.0.0.1", server.local().port);
        co_await stream.write("hello\n");

        EXPECT_EQ(co_await stream.readline(100), "hello\n");
    }());
}

TEST(Getaddrinfo, AsksTheSystem) {
    const std::vector<Endpoint> found = run(
        []() -> Co<std::vector<Endpoint>> { co_return co_await getaddrinfo("127.0.0.1", 80); }());

    EXPECT_EQ(found, std::vector<Endpoint>{v4(80)});
}

TEST(Server, AFailingHandlerEndsOnlyItsConnection) {
    run([]() -> Co<> {
        const auto moody = [](Stream stream) -> Co<> {
            const std::string line = co_await stream.readline(100);
            if (line == "bad\n") throw Error("a bad line");
            co_await stream.write(line);
        };
        const Server server = start_server(moody, {IpAddress::loopback(), 0});
        Stream bad = co_await connect(server.local());
        Stream good = co_await connect(server.local());

        co_await bad.write("bad\n");
        co_await good.write("good\n");

        EXPECT_EQ(co_await bad.read(100), "");
        EXPECT_EQ(co_await good.read(100), "good\n");
    }());
}

TEST(Server, CloseLetsConnectionsGoOnAndWaitClosedWaitsForThem) {
    run([]() -> Co<> {
        Server server = start_server(echo_once, {IpAddress::loopback(), 0});
        const Endpoint endpoint = server.local();
        Stream stream = co_await connect(endpoint);
        co_await stream.write("one\n");
        EXPECT_EQ(co_await stream.readline(100), "one\n");

        server.close();
        const Task<> closed =
            create_task([](Server& of) -> Co<> { co_await of.wait_closed(); }(server));
        co_await sleep(1ms);
        EXPECT_FALSE(closed.done());
        EXPECT_THROW(co_await connect(endpoint), IoError);
        co_await stream.write("two\n");
        EXPECT_EQ(co_await stream.readline(100), "two\n");
        stream.close();

        co_await closed;
        EXPECT_EQ(server.connection_count(), 0u);
    }());
}

TEST(Server, BeyondTheLimitClientsWait) {
    run([]() -> Co<> {
        const Server server =
            start_server(echo_once, {IpAddress::loopback(), 0}, {.connections_max = 1});
        Stream first = co_await connect(server.local());
        co_await first.write("a\n");
        co_await first.readline(10);
        Stream second = co_await connect(server.local());
        co_await second.write("b\n");
        co_await sleep(5ms);
        EXPECT_EQ(server.connection_count(), 1u);

        first.close();

        EXPECT_EQ(co_await second.readline(10), "b\n");
    }());
}

}  // namespace weft::aio
