#include <filesystem>

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "aio/loop/executor.h"
#include "aio/loop/run.h"
#include "aio/net/connect.h"
#include "aio/net/datagram.h"
#include "aio/net/server.h"
#include "aio/net/tls.h"
#include "aio/net/unix_socket.h"
#include "aio/process/pipe.h"
#include "aio/process/subprocess.h"
#include "aio/simulated/simulated_clock.h"
#include "aio/simulated/simulated_network.h"
#include "aio/simulated/simulated_selector.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/cancelling_selector.h"
#include "support/certificates.h"
#include "support/dns_stub.h"

// Programs that wait for the world (streams, TLS, names, happy eyeballs), cancelled at every
// moment: they must end, and nothing of them may be left: no task, frame, connection or descriptor.
namespace weft::aio {
namespace {

using tests::CancellingSelector;
using Strike = CancellingSelector::Strike;
using tests::DnsStub;
using tests::TestAuthority;

struct Contexts {
    TestAuthority authority;
    std::shared_ptr<TlsContext> client;
    std::shared_ptr<TlsContext> server;

    Contexts() {
        TlsContext::ClientOptions client_options;
        client_options.ca_file = authority.ca_file();
        client = TlsContext::client(client_options);
        TlsContext::ServerOptions server_options;
        server_options.certificate_file =
            authority.issue("server", {.dns_name = "a.test", .ip_address = ""});
        server = TlsContext::server(server_options);
    }
};

Contexts& contexts() {
    static Contexts made;
    return made;
}

// Gives each line back; more than the connection holds, so that writes wait too.
Co<> echo(Stream stream) {
    while (!stream.at_eof()) {
        const std::string line = co_await stream.readline(1 << 20);
        co_await stream.write(line);
    }
}

Co<> talk(Stream stream, std::size_t count) {
    const std::string line = std::string(count, 'x') + '\n';
    const auto ask = [](Stream& to, const std::string& bytes) -> Co<> {
        co_await to.write(bytes);
        to.write_eof();
    };
    const auto hear = [](Stream& from, std::size_t expected) -> Co<> {
        const std::string head = co_await from.readexactly(1000);
        const std::string rest = co_await from.readuntil("\n", 1 << 20);
        EXPECT_EQ(head.size() + rest.size(), expected);
        co_await from.fill();
    };
    co_await gather(ask(stream, line), hear(stream, line.size()));
}

Co<> use_streams() {
    Server server = start_server(echo, {IpAddress::loopback(), 0});
    Stream stream = co_await connect(server.local());
    co_await talk(std::move(stream), 400'000);
    server.close();
    co_await server.wait_closed();
}

Co<> use_local_streams() {
    Pipe pipe = make_pipe();
    const auto pour = [](Stream into) -> Co<> { co_await into.write(std::string(200'000, 'p')); };
    const auto drink = [](Stream from) -> Co<> {
        const std::string all = co_await from.read(1 << 20);
        EXPECT_EQ(all.size(), 200'000u);
    };
    co_await gather(pour(std::move(pipe.write_end)), drink(std::move(pipe.read_end)));
    Process cat = co_await create_subprocess_exec(
        {"cat"}, {.standard_input = Redirect::pipe, .standard_output = Redirect::pipe});
    const Process::Output out = co_await cat.communicate("through a child");
    EXPECT_EQ(out.standard_output, "through a child");
    DatagramSocket one({IpAddress::loopback(), 0});
    DatagramSocket other({IpAddress::loopback(), 0});
    const auto send = [](DatagramSocket& from, Endpoint to) -> Co<> {
        co_await sleep(1ms);
        co_await from.send_to("hello", to);
    };
    const auto receive = [](DatagramSocket& at) -> Co<> { co_await at.receive_from(); };
    co_await gather(receive(other), send(one, other.local()));
    co_await to_thread([] { return 1; });
}

// By name, to a host of which one address is dead, and with a handshake.
Co<> use_names_and_tls(SimulatedNetwork& network) {
    Server server(network.listen("a.test", 443), echo, {.tls = contexts().server});
    Stream stream = co_await open_connection("a.test", 443, {.tls = contexts().client});
    co_await talk(std::move(stream), 20'000);
    server.close();
    co_await server.wait_closed();
}

Co<> use_happy_eyeballs(SimulatedNetwork& network) {
    const auto listener = network.listen("a.test", 80);
    const std::vector<Endpoint> endpoints{{network.host("dead.test").address(), 80},
                                          {network.host("shut.test").address(), 80},
                                          {network.host("deaf.test").address(), 80},
                                          {listener->local()}};
    Stream stream = co_await connect_to_any(endpoints, {.attempt_delay = 50ms});
    EXPECT_EQ(stream.peer(), listener->local());
}

// Runs the program in a made world and cancels it at that moment. False: it had ended before.
Strike cancel_simulated(Co<> (*program)(SimulatedNetwork&), std::size_t nth, std::size_t rounds) {
    SimulatedClock clock;
    SimulatedNetwork network(clock, 1);
    network.host("a.test").latency(20ms).segments(4'096).buffers(8'192);
    network.host("dead.test").reach(Reach::black_hole);
    network.host("shut.test").latency(5ms);
    network.host("deaf.test").reach(Reach::black_hole);
    network.name("a.test").delay(30ms).add(network.host("dead.test").address());
    SimulatedSelector simulated(clock, network);
    CancellingSelector selector(simulated, nth, rounds);
    MemoryFiles files;
    InlineExecutor executor;
    Random random(1);
    const std::unique_ptr<Network> view = network.seen_from("here");
    EventLoop loop(Platform{.clock = &clock,
                            .selector = &selector,
                            .network = view.get(),
                            .files = &files,
                            .executor = &executor,
                            .random = &random});
    const Task<> main = create_task_on(loop, program(network), "program");
    selector.at_the_moment(loop, [&] { main.cancel(); });
    EXPECT_TRUE(loop.run_until_done(*main.state()));
    const Strike strike = selector.strike();
    EXPECT_TRUE(main.cancelled() || !main.exception()) << describe(main.exception());
    loop.shutdown();
    EXPECT_EQ(loop.task_count(), 0u);
    return strike;
}

std::size_t open_descriptor_count() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

Strike cancel_on_sockets(Co<> (*program)(), std::size_t nth, std::size_t rounds) {
    const SystemPlatform system;
    const std::unique_ptr<Selector> epoll = make_epoll_selector();
    CancellingSelector selector(*epoll, nth, rounds);
    Platform platform = system.get();
    platform.selector = &selector;
    EventLoop loop(platform);
    const Task<> main = create_task_on(loop, program(), "program");
    selector.at_the_moment(loop, [&] { main.cancel(); });
    EXPECT_TRUE(loop.run_until_done(*main.state()));
    EXPECT_TRUE(main.cancelled() || !main.exception()) << describe(main.exception());
    const Strike strike = selector.strike();
    loop.shutdown();
    return strike;
}

// After each select, and after each round of the loop until the next; till the program ends before.
template <class Cancel>
void cancel_at_every_moment(std::size_t moments_min, Cancel cancel) {
    contexts();
    const std::size_t descriptors = open_descriptor_count();
    const std::size_t frames = frame_pool::live_count();
    std::size_t moments = 0;
    for (std::size_t nth = 0, rounds = 0; nth == 0 || rounds > 0; ++nth) {
        Strike strike = Strike::between;
        for (rounds = 0; strike == Strike::between; ++rounds, ++moments) {
            SCOPED_TRACE(std::to_string(nth) + " selects, " + std::to_string(rounds) + " rounds");
            strike = cancel(nth, rounds);
            EXPECT_EQ(frame_pool::live_count(), frames);
            EXPECT_EQ(open_descriptor_count(), descriptors);
            if (testing::Test::HasFailure()) return;
            if (strike == Strike::none) break;
        }
    }
    EXPECT_GT(moments, moments_min);
}

}  // namespace

TEST(CancelNetwork, A40A41NamesTlsAndStreamsAtEveryMomentLeaveNothing) {
    cancel_at_every_moment(100, [](std::size_t nth, std::size_t rounds) {
        return cancel_simulated(use_names_and_tls, nth, rounds);
    });
}

TEST(CancelNetwork, A40A41HappyEyeballsAtEveryMomentLeaveNothing) {
    cancel_at_every_moment(20, [](std::size_t nth, std::size_t rounds) {
        return cancel_simulated(use_happy_eyeballs, nth, rounds);
    });
}

TEST(CancelNetwork, A40A41SocketsAtEveryMomentLeaveNothing) {
    cancel_at_every_moment(20, [](std::size_t nth, std::size_t rounds) {
        return cancel_on_sockets(use_streams, nth, rounds);
    });
}

TEST(CancelNetwork, A40A41PipesChildrenDatagramsAndThreadsAtEveryMomentLeaveNothing) {
    cancel_at_every_moment(20, [](std::size_t nth, std::size_t rounds) {
        return cancel_on_sockets(use_local_streams, nth, rounds);
    });
}

TEST(CancelNetwork, A40A41AQuestionToARealNameServerAtEveryMomentLeavesNothing) {
    cancel_at_every_moment(10, [](std::size_t nth, std::size_t rounds) {
        return cancel_on_sockets(
            []() -> Co<> {
                DnsStub server;
                server["a.test"] = {.addresses = {IpAddress::loopback()}, .tcp_only = true};
                const auto resolver = make_ares_resolver({.servers = server.servers()});
                co_await task_group([&](TaskGroup& group) -> Co<> {
                    group.create_task(server.serve());
                    try {
                        const Resolution found = co_await resolver->resolve("a.test");
                        EXPECT_EQ(found.addresses.size(), 1u);
                    } catch (const ResolveError& error) {
                        EXPECT_TRUE(error.is_temporary()) << error.what();  // On a slow machine.
                    }
                    group.cancel();
                });
            },
            nth, rounds);
    });
}

}  // namespace weft::aio
