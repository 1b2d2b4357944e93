#include "aio/process/signals.h"

#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "aio/loop/shards.h"
#include "aio/sync/timeout.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"

namespace weft::aio {
namespace {

// The signal that a handler set by us would keep from the process.
bool is_default(int signal) {
    struct sigaction action{};
    ::sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_DFL;
}

}  // namespace

// The first waiter that ended put the default back, and the next signal ended the process.
TEST(Signals, WaitersMayEndInTheOrderInWhichTheyCame) {
    run([]() -> Co<> {
        Task<int> first = create_task(signals({SIGUSR1}));
        co_await sleep(1ms);
        Task<int> second = create_task(signals({SIGUSR1}));
        co_await sleep(1ms);

        first.cancel();
        co_await sleep(1ms);
        EXPECT_FALSE(is_default(SIGUSR1));
        ::raise(SIGUSR1);

        EXPECT_EQ(co_await wait_for(second, 10s), SIGUSR1);
    }());
    EXPECT_TRUE(is_default(SIGUSR1));
}

TEST(Signals, EachOfManyWaitersIsTold) {
    run([]() -> Co<> {
        std::vector<Co<int>> waiting;
        for (int i = 0; i < 50; ++i) waiting.push_back(signals({SIGUSR1, SIGUSR2}));
        EventLoop::running().call_later(5ms, [] { ::raise(SIGUSR2); });
        const std::vector<int> told = co_await wait_for(gather(std::move(waiting)), 10s);
        EXPECT_EQ(told, std::vector<int>(50, SIGUSR2));
    }());
    EXPECT_TRUE(is_default(SIGUSR1) && is_default(SIGUSR2));
}

TEST(Signals, HandlersMayDieInAnyOrder) {
    std::string log;
    run([](std::string& out) -> Co<> {
        auto first = std::make_unique<SignalHandler>(SIGUSR1, [&] { out += '1'; });
        auto second = std::make_unique<SignalHandler>(SIGUSR1, [&] { out += '2'; });
        auto third = std::make_unique<SignalHandler>(SIGUSR1, [&] { out += '3'; });
        const auto raise = []() -> Co<> {
            ::raise(SIGUSR1);
            co_await sleep(5ms);
        };
        co_await raise();
        second.reset();
        co_await raise();
        third.reset();
        co_await raise();
    }(log));
    EXPECT_EQ(log, "331");
    EXPECT_TRUE(is_default(SIGUSR1));
}

// The handler wrote to the number of a pipe that was closed, and that another file had by then.
TEST(Signals, NothingIsWrittenToADescriptorOfSomebodyElse) {
    run([]() -> Co<> {
        auto first = std::make_unique<SignalHandler>(SIGUSR1, [] {});
        auto second = std::make_unique<SignalHandler>(SIGUSR1, [] {});
        first.reset();
        int strangers[2];
        EXPECT_EQ(::pipe2(strangers, O_NONBLOCK | O_CLOEXEC), 0);
        second.reset();
        int more[2];
        EXPECT_EQ(::pipe2(more, O_NONBLOCK | O_CLOEXEC), 0);
        const SignalHandler third(SIGUSR1, [] {});
        ::raise(SIGUSR1);
        co_await sleep(1ms);
        for (int fd : {strangers[0], more[0]}) {
            char byte = 0;
            EXPECT_EQ(::read(fd, &byte, 1), -1);
        }
        for (int fd : {strangers[0], strangers[1], more[0], more[1]}) ::close(fd);
    }());
}

TEST(Signals, ASignalThatCameBeforeAHandlerIsNotTold) {
    int calls = 0;
    run([](int& count) -> Co<> {
        auto first = std::make_unique<SignalHandler>(SIGUSR1, [] {});
        ::raise(SIGUSR1);
        first.reset();
        const SignalHandler second(SIGUSR1, [&] { ++count; });
        co_await sleep(5ms);
    }(calls));
    EXPECT_EQ(calls, 0);
}

TEST(Signals, WaitersOnSeveralLoopsAreTold) {
    Shards shards(3);
    std::atomic<int> waiting = 0;
    std::atomic<int> told = 0;
    shards.run([&](const Shard& shard) -> Co<> {
        Task<int> wait = create_task(signals({SIGUSR2}));
        co_await sleep(0s);
        ++waiting;
        while (waiting < 3) co_await sleep(1ms);
        if (shard.index == 0) ::kill(::getpid(), SIGUSR2);
        told += co_await wait_for(wait, 10s) == SIGUSR2;
    });
    EXPECT_EQ(told, 3);
    EXPECT_TRUE(is_default(SIGUSR2));
}

}  // namespace weft::aio
