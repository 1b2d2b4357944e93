// Whoever always has something to do lets the others run all the same.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/run.h"
#include "aio/net/datagram.h"
#include "aio/net/network.h"
#include "aio/net/socket_address.h"
#include "aio/process/pipe.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"

namespace weft::aio {
namespace {

// How many calls of `flood` go by before another task, ready all the time, has had `turns` turns.
template <class Call>
Co<int> calls_until_another_ran(Call call, int turns, int calls_max) {
    int left = turns;
    Task<> other = create_task([](int& count) -> Co<> {
        while (--count > 0) co_await yield_now();
    }(left));
    int calls = 0;
    while (!other.done() && calls < calls_max) {
        co_await call();
        ++calls;
    }
    if (!other.done()) other.cancel();
    co_return calls;
}

constexpr int kTurns = 10;
constexpr int kCallsMax = 100'000;
constexpr int kCallsPerTurn = 1'000;

}  // namespace

// A receiver under a flood never waited, so nobody else ran.
TEST(Fairness, ReceivingDatagramsGivesWay) {
    run([]() -> Co<> {
        DatagramSocket receiver({IpAddress::loopback(), 0});
        DatagramSocket sender({IpAddress::loopback(), 0});
        const auto one = [&]() -> Co<> {
            co_await sender.send_to("x", receiver.local());
            co_await receiver.receive_from(10);
        };
        const int calls = co_await calls_until_another_ran(one, kTurns, kCallsMax);
        EXPECT_LT(calls, kTurns * kCallsPerTurn);
    }());
}

// Only bytes were counted: 256 Ki calls that wrote one each went by without a pause.
TEST(Fairness, WritingSingleBytesGivesWay) {
    run([]() -> Co<> {
        Pipe pipe = make_pipe();
        const auto one = [&]() -> Co<> {
            co_await pipe.write_end.write("x");
            co_await pipe.read_end.readexactly(1);
        };
        const int calls = co_await calls_until_another_ran(one, kTurns, kCallsMax);
        EXPECT_LT(calls, kTurns * kCallsPerTurn);
    }());
}

// Calls of other threads went before all that was ready, however many came.
TEST(Fairness, CallsOfOtherThreadsLetTasksRun) {
    run([]() -> Co<> {
        EventLoop& loop = EventLoop::running();
        std::atomic<bool> over = false;
        std::atomic<std::uint64_t> last = 0;
        std::uint64_t sent = 0;
        bool in_order = true;
        std::thread flood([&] {
            while (!over) {
                // There is always one more, but not more than the memory holds.
                while (!over && sent - last > 100'000) std::this_thread::yield();
                loop.call_soon_threadsafe([&, number = ++sent] {
                    in_order = in_order && number == last + 1;
                    last = number;
                });
            }
        });
        while (last == 0) co_await sleep(1ms);
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 1'000; ++i) co_await yield_now();
        EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
        over = true;
        flood.join();
        while (last < sent) co_await sleep(1ms);
        EXPECT_TRUE(in_order);
    }());
}

// A listener whose clients come faster than it can accept them.
TEST(Fairness, AcceptingGivesWay) {
    run([]() -> Co<> {
        constexpr int kClients = 300;
        auto listener = EventLoop::running().network().listen({IpAddress::loopback(), 0},
                                                              {.backlog = kClients});
        detail::SocketAddress address(listener->local());
        std::vector<FileDescriptor> clients;
        for (int i = 0; i < kClients; ++i) {
            clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            EXPECT_EQ(::connect(clients.back().get(), address.get(), address.size()), 0);
        }
        co_await sleep(5ms);
        const auto one = [&]() -> Co<> { auto accepted = co_await listener->accept(); };
        EXPECT_LT(co_await calls_until_another_ran(one, 3, kClients), kClients);
    }());
}

}  // namespace weft::aio
