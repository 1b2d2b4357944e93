#include "aio/simulated/simulated_network.h"

#include <gtest/gtest.h>

#include "aio/net/stream.h"
#include "aio/simulated/simulation.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::aio {
namespace {

Endpoint at(SimulatedLoop& loop, const char* host, std::uint16_t port = 80) {
    return loop.network().host(host).endpoint(port);
}

// Runs `connect` and says what it failed with, and when.
struct Failure {
    std::error_code code;
    Duration when{};
};

Co<Failure> failure_of(Co<Stream> connecting) {
    try {
        co_await std::move(connecting);
    } catch (const IoError& error) {
        co_return Failure{error.code(), EventLoop::running().time().time_since_epoch()};
    }
    co_return Failure{};
}

// Sends everything back until the end of the stream, or the connection fails.
Co<> echo_one(std::unique_ptr<Transport> transport) {
    Stream stream(std::move(transport));
    try {
        for (;;) {
            const bool more = co_await stream.fill();
            if (!more) co_return;
            const std::string bytes(stream.buffered());
            stream.consume(bytes.size());
            co_await stream.write(bytes);
        }
    } catch (const IoError&) {
        co_return;
    }
}

Co<> echo(std::unique_ptr<Listener> listener) {
    co_await task_group([&](TaskGroup& group) -> Co<> {
        for (;;) {
            std::unique_ptr<Transport> transport = co_await listener->accept();
            group.create_task(echo_one(std::move(transport)));
        }
    });
}

template <class Client>
Co<> talk_to_echo(std::unique_ptr<Listener> listener, Client client) {
    co_await task_group([&](TaskGroup& group) -> Co<> {
        group.create_task(echo(std::move(listener)));
        co_await client();
        group.cancel();
    });
}

template <class Client>
void with_echo(SimulatedLoop& loop, const char* host, Client client) {
    loop.run(talk_to_echo(loop.network().listen(host, 80), std::move(client)));
}

}  // namespace

TEST(SimulatedNetwork, AConnectionTakesARoundTripAndAnAnswerAnother) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(20ms);

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        EXPECT_EQ(loop.now(), 40ms);
        co_await stream.write("hello\n");
        const std::string line = co_await stream.readline(100);
        EXPECT_EQ(line, "hello\n");
        EXPECT_EQ(loop.now(), 80ms);
    });
}

TEST(SimulatedNetwork, BandwidthIsSharedByTheConnectionsOfAHost) {
    SimulatedLoop loop;
    loop.network().host("a.test").bandwidth(10'000).buffers(1'000'000);

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        co_await stream.write(std::string(50'000, 'x'));
        stream.write_eof();
        const std::string back = co_await stream.read(100'000);
        EXPECT_EQ(back.size(), 50'000u);
        // 5 s down, and up again behind it, a segment later.
        EXPECT_GE(loop.now(), 5s);
        EXPECT_LE(loop.now(), 8s);
    });
}

TEST(SimulatedNetwork, A5AWriterWaitsForAReaderThatDoesNotRead) {
    SimulatedLoop loop;
    loop.network().host("a.test").buffers(1'000);
    loop.network().host("here").buffers(500);
    auto listener = loop.network().listen("a.test", 80);

    loop.run([](SimulatedLoop& sim, Listener& server) -> Co<> {
        Stream stream = co_await connect(at(sim, "a.test"));
        Stream peer(co_await server.accept());
        const std::string much(5'000, 'x');
        std::size_t taken = 0;
        for (;;) {
            const IoResult result = stream.transport().write(std::string_view(much).substr(taken));
            if (result) {
                taken += *result;
            } else {
                EXPECT_TRUE(would_block(result));
                if (taken >= 1'500) break;
                co_await stream.transport().until_writable();
            }
        }
        EXPECT_EQ(taken, 1'500u);  // 1,000 with the reader, 500 here.
        EXPECT_EQ(sim.now(), 0s);

        char room[300];
        co_await sleep(1s);
        EXPECT_EQ(peer.transport().read(room).value_or(0), 300u);
        co_await stream.transport().until_writable();
        const IoResult more = stream.transport().write(std::string_view(much).substr(taken));
        EXPECT_EQ(more.value_or(0), 300u);
    }(loop, *listener));
}

TEST(SimulatedNetwork, H06RefusedUnreachableAndSilentAreThreeOutcomes) {
    SimulatedLoop loop;
    SimulatedNetwork& network = loop.network();
    network.host("closed.test").latency(10ms);
    network.host("far.test").latency(10ms).reach(Reach::unreachable);
    network.host("silent.test").reach(Reach::black_hole);

    loop.run([](SimulatedLoop& sim) -> Co<> {
        const Failure refused = co_await failure_of(connect(at(sim, "closed.test")));
        EXPECT_EQ(refused.code, std::errc::connection_refused);
        EXPECT_EQ(refused.when, 20ms);
        const Failure far = co_await failure_of(connect(at(sim, "far.test")));
        EXPECT_EQ(far.code, std::errc::host_unreachable);
        EXPECT_EQ(far.when, 40ms);
        const Endpoint nowhere{*IpAddress::parse("192.0.2.1"), 80};
        const Failure none = co_await failure_of(connect(nowhere));
        EXPECT_EQ(none.code, std::errc::host_unreachable);
        const Failure silent = co_await failure_of(connect(at(sim, "silent.test")));
        EXPECT_EQ(silent.code, std::errc::timed_out);
        EXPECT_EQ(silent.when, 40ms + 127s);
        bool timed_out = false;
        try {
            co_await wait_for(connect(at(sim, "silent.test")), 10s);
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(sim.now(), 40ms + 137s);
    }(loop));
}

TEST(SimulatedNetwork, H04HalfCloseLetsTheOtherDirectionGoOn) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(5ms);

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        co_await stream.write("over and out");
        stream.write_eof();
        const std::string all = co_await stream.read(100);
        EXPECT_EQ(all, "over and out");
        EXPECT_EQ(loop.now(), 20ms);
    });
}

TEST(SimulatedNetwork, H01AResetComesAfterTheBytesBeforeIt) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(5ms).resets_after(7);

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        co_await stream.write("0123456789");
        std::string got;
        std::error_code code;
        try {
            got = co_await stream.readexactly(7);
            co_await stream.readexactly(1);
        } catch (const IoError& error) {
            code = error.code();
        }
        EXPECT_EQ(got, "0123456");
        EXPECT_EQ(code, std::errc::connection_reset);
    });
}

TEST(SimulatedNetwork, ClosingWithUnreadBytesResetsThePeer) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);

    loop.run([](SimulatedLoop& sim, Listener& server) -> Co<> {
        Stream stream = co_await connect(at(sim, "a.test"));
        Stream peer(co_await server.accept());
        co_await stream.write("unread");
        co_await sleep(1ms);
        peer.close();
        std::error_code code;
        try {
            co_await stream.fill();
        } catch (const IoError& error) {
            code = error.code();
        }
        EXPECT_EQ(code, std::errc::connection_reset);
        std::error_code later;
        try {
            co_await stream.write("more");
        } catch (const IoError& error) {
            later = error.code();
        }
        EXPECT_EQ(later, std::errc::broken_pipe);
    }(loop, *listener));
}

TEST(SimulatedNetwork, APartitionHoldsBytesBackUntilItHeals) {
    SimulatedLoop loop;
    SimulatedNetwork& network = loop.network();
    network.host("a.test");
    network.at(1s, [&] { network.partition({"a.test"}); });
    network.at(9s, [&] { network.heal(); });

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        co_await sleep(2s);
        co_await stream.write("through\n");
        const std::string line = co_await stream.readline(100);
        EXPECT_EQ(line, "through\n");
        // Sent again after 0.2, 0.6, 1.4, 3, 6.2 and 12.6 s: the last two seconds before the heal.
        EXPECT_EQ(loop.now(), 2s + 12'600ms);
    });
}

TEST(SimulatedNetwork, LossCostsTimeButNoBytes) {
    SimulatedLoop loop(7);
    loop.network().host("a.test").latency(1ms).loss(0.2).segments(100);

    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        std::string sent;
        for (int i = 0; i < 2'000; ++i) sent += static_cast<char>('a' + i % 26);
        co_await stream.write(sent);
        const std::string back = co_await stream.readexactly(sent.size());
        EXPECT_EQ(back, sent);
        EXPECT_GT(loop.now(), 200ms);
    });
}

TEST(SimulatedNetwork, ALostConnectionEndsInATimeout) {
    SimulatedLoop loop;
    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        loop.network().lose_connections("a.test");
        co_await stream.write("anybody?");
        std::error_code code;
        try {
            co_await stream.fill();
        } catch (const IoError& error) {
            code = error.code();
        }
        EXPECT_EQ(code, std::errc::timed_out);
        EXPECT_GT(loop.now(), 600s);
    });
}

TEST(SimulatedNetwork, AFullBacklogDropsTheHandshakeUntilThereIsRoom) {
    SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80, {.backlog = 1});

    loop.run([](SimulatedLoop& sim, Listener& server) -> Co<> {
        Stream first = co_await connect(at(sim, "a.test"));
        Task<Stream> second = create_task(connect(at(sim, "a.test")));
        co_await sleep(1500ms);
        EXPECT_FALSE(second.done());
        Stream peer(co_await server.accept());
        Stream connected = co_await std::move(second);
        EXPECT_EQ(sim.now(), 3s);  // The third try.
    }(loop, *listener));
}

TEST(SimulatedNetwork, NamesAnswerFailAndKeepSilent) {
    SimulatedLoop loop;
    SimulatedNetwork& network = loop.network();
    network.name("www.a.test").addresses({network.host("a.test").address()}).delay(30ms);
    network.name("bad.test").fails(NameFault::server_failure);
    network.name("mute.test").fails(NameFault::no_answer);

    loop.run([](SimulatedLoop& sim) -> Co<> {
        Resolver& resolver = EventLoop::running().network().resolver();
        const Resolution found = co_await resolver.resolve("www.a.test");
        EXPECT_EQ(found.addresses.front(), sim.network().host("a.test").address());
        EXPECT_EQ(sim.now(), 30ms);
        co_await resolver.resolve("www.a.test");
        EXPECT_EQ(sim.network().name("www.a.test").question_count(), 1u);
        co_await sleep(2h);
        co_await resolver.resolve("www.a.test");
        EXPECT_EQ(sim.network().name("www.a.test").question_count(), 2u);
        for (const char* name : {"bad.test", "nobody.test"}) {
            std::optional<bool> temporary;
            try {
                co_await resolver.resolve(name);
            } catch (const ResolveError& error) {
                temporary = error.is_temporary();
            }
            EXPECT_EQ(temporary, std::string_view(name) == "bad.test");
        }
        bool timed_out = false;
        try {
            co_await wait_for(resolver.resolve("mute.test"), 5s);
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
    }(loop));
}

namespace {

// Many connections that come, talk, fail and go, as one text.
std::string history(std::uint64_t seed) {
    std::string text;
    {
        SimulatedLoop loop(seed);
        SimulatedNetwork& network = loop.network();
        network.set_trace([&](std::string_view line) { (text += line) += '\n'; });
        network.host("a.test").latency(5ms).jitter(20ms).loss(0.1).segments(200);
        network.at(300ms, [&] { network.partition({"here"}, {"a.test"}); });
        network.at(900ms, [&] { network.heal(); });
        network.at(1500ms, [&] { network.reset_connections("a.test"); });
        const auto talk = [](SimulatedLoop& sim, int number) -> Co<> {
            co_await sleep(std::chrono::milliseconds(100 * number));
            try {
                Stream stream = co_await connect(at(sim, "a.test"));
                co_await stream.write(std::string(1'000, 'x'));
                co_await stream.readexactly(1'000);
            } catch (const Error& error) {
                sim.network().name(error.what());
            }
        };
        with_echo(loop, "a.test", [&]() -> Co<> {
            std::vector<Co<>> talks;
            for (int i = 0; i < 20; ++i) talks.push_back(talk(loop, i));
            co_await gather(std::move(talks));
        });
    }
    return text;
}

}  // namespace

TEST(SimulatedNetwork, OneSeedGivesOneTraceByteForByteAndAnotherSeedAnother) {
    const std::string first = history(1);

    EXPECT_GT(std::ranges::count(first, '\n'), 200);
    EXPECT_EQ(first, history(1));
    EXPECT_NE(first, history(2));
}

TEST(SimulatedNetwork, A41NothingIsLeftBehind) {
    const std::size_t before = frame_pool::live_count();
    SimulatedLoop loop;
    with_echo(loop, "a.test", [&]() -> Co<> {
        Stream stream = co_await connect(at(loop, "a.test"));
        co_await stream.write("x");
        co_await sleep(1s);
        stream.close();
        co_await sleep(1s);
    });

    EXPECT_EQ(frame_pool::live_count(), before);
    EXPECT_EQ(loop.network().connection_count(), 0u);
}

}  // namespace weft::aio
