#include <ctime>
#include <filesystem>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/net/socket_network.h"
#include "aio/net/stream.h"
#include "aio/sync/timeout.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/counting_selector.h"

namespace weft::aio {
namespace {

using tests::CountingSelector;
using tests::run_on_selector;

WEFT_ON_EACH_SELECTOR(EachSocket);

struct Connected {
    Stream client;
    Stream server;
};

std::unique_ptr<Listener> listen_here() {
    return EventLoop::running().network().listen({IpAddress::loopback(), 0});
}

Co<Connected> connect_pair(Listener& listener) {
    Stream client = co_await connect(listener.local());
    std::unique_ptr<Transport> accepted = co_await listener.accept();
    co_return Connected{std::move(client), Stream(std::move(accepted))};
}

std::string numbered(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; text.size() < count; ++i) text += std::to_string(i) + ",";
    text.resize(count);
    return text;
}

Co<> send_in_pieces(Stream stream, std::string text, std::size_t piece) {
    for (std::size_t at = 0; at < text.size(); at += piece) {
        co_await stream.write(std::string_view(text).substr(at, piece));
        if (piece < 4096) co_await sleep(0s);
    }
}

// The descriptor is nobody's business but the transport's: found by its address.
void shrink_send_buffer(const Stream& stream) {
    const int bytes = 4096;
    for (int fd = 0; fd < 1024; ++fd) {
        sockaddr_in address{};
        socklen_t size = sizeof address;
        if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) continue;
        if (address.sin_family != AF_INET || ntohs(address.sin_port) != stream.local().port)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
}

std::size_t thread_count() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/task")) {
        ++count;
    }
    return count;
}

}  // namespace

TEST_P(EachSocket, A2ARefusedConnectSaysSo) {
    const auto refused = []() -> Co<std::error_code> {
        auto listener = listen_here();
        const Endpoint gone = listener->local();
        listener.reset();
        try {
            co_await connect(gone);
        } catch (const IoError& error) {
            co_return error.code();
        }
        co_return std::error_code();
    };

    EXPECT_EQ(run_on_selector(GetParam(), refused()), std::errc::connection_refused);
}

TEST_P(EachSocket, A2AConnectThatNobodyAnswersEndsWithTheDeadline) {
    // A listener whose queue is full drops what comes.
    const auto black_hole = []() -> Co<bool> {
        auto listener =
            EventLoop::running().network().listen({IpAddress::loopback(), 0}, {.backlog = 0});
        std::vector<Stream> waiting;
        try {
            for (int i = 0; i < 16; ++i) {
                waiting.push_back(co_await wait_for(connect(listener->local()), 20ms));
            }
        } catch (const TimeoutError&) {
            co_return true;
        }
        co_return false;
    };

    EXPECT_TRUE(run_on_selector(GetParam(), black_hole()));
}

// UndefinedBehaviorSanitizer looks into memory through a pipe.
#if __has_feature(undefined_behavior_sanitizer)
constexpr bool kNeedsDescriptors = true;
#else
constexpr bool kNeedsDescriptors = false;
#endif

// Takes every descriptor that may be had, while there.
class NoDescriptorLeft {
public:
    NoDescriptorLeft() {
        getrlimit(RLIMIT_NOFILE, &usual_);
        const rlimit few{256, usual_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        for (FileDescriptor fd(dup(0)); fd; fd = FileDescriptor(dup(0))) {
            taken_.push_back(std::move(fd));
        }
    }
    ~NoDescriptorLeft() { setrlimit(RLIMIT_NOFILE, &usual_); }
    NoDescriptorLeft(const NoDescriptorLeft&) = delete;
    NoDescriptorLeft& operator=(const NoDescriptorLeft&) = delete;

    void give_back() { taken_.clear(); }

private:
    rlimit usual_{};
    std::vector<FileDescriptor> taken_;
};

TEST_P(EachSocket, H96AConnectWaitsForADescriptorAndDoesNotSpin) {
    if (kNeedsDescriptors) GTEST_SKIP() << "the sanitizer needs descriptors of its own";
    const auto connect_late = []() -> Co<std::string> {
        auto listener = listen_here();
        NoDescriptorLeft crowd;
        EventLoop::running().call_later(120ms, [&crowd] { crowd.give_back(); });
        const std::clock_t before = std::clock();
        Connected both = co_await connect_pair(*listener);
        EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 20);
        co_await both.client.write("late");
        co_return co_await both.server.readexactly(4);
    };

    EXPECT_EQ(run_on_selector(GetParam(), connect_late()), "late");
}

TEST_P(EachSocket, H96AConnectThatGetsNoDescriptorEndsWithTheDeadline) {
    if (kNeedsDescriptors) GTEST_SKIP() << "the sanitizer needs descriptors of its own";
    const auto never = []() -> Co<bool> {
        auto listener = listen_here();
        const NoDescriptorLeft crowd;
        try {
            co_await wait_for(connect(listener->local()), 80ms);
        } catch (const TimeoutError&) {
            co_return true;
        }
        co_return false;
    };

    EXPECT_TRUE(run_on_selector(GetParam(), never()));
}

// Idle connections end no wait. A short look replaces the five seconds of the requirement: a loop
// that spun would come back thousands of times.
TEST_P(EachSocket, A3ManyIdleConnectionsDoNotSpin) {
    CountingSelector selector(GetParam());
    const int count = selector.name() == "select" ? 400 : 1'000;
    const auto idle = [](CountingSelector& counted, int connections) -> Co<std::size_t> {
        auto listener = listen_here();
        std::vector<Connected> all;
        std::size_t returns = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            for (int i = 0; i < connections; ++i) {
                Connected pair = co_await connect_pair(*listener);
                all.push_back(std::move(pair));
            }
            for (Connected& pair : all) group.create_task(pair.server.fill());
            co_await sleep(50ms);
            std::clock_t busy = CLOCKS_PER_SEC;
            for (int look = 0; look < 5 && busy >= CLOCKS_PER_SEC / 500; ++look) {
                const std::size_t before = counted.returns;
                const std::clock_t busy_before = std::clock();
                co_await sleep(200ms);
                returns = counted.returns - before;
                busy = std::clock() - busy_before;
            }
            EXPECT_LT(busy,
                      CLOCKS_PER_SEC / 500);  // One per cent; a cold cache may cost more once.
            group.cancel();
        });
        co_return returns;
    };

    EXPECT_LE(run_on_selector(selector, idle(selector, count)), 4u);
}

TEST_P(EachSocket, A6AnEmptyLoopReturnsAndStopEndsAFullOne) {
    const SystemPlatform system;
    CountingSelector selector(GetParam());
    Platform platform = system.get();
    platform.selector = &selector;
    EventLoop loop(platform);

    loop.run_forever();  // Nothing to wait for.

    std::string order;
    loop.call_soon([&] {
        order += 'a';
        loop.call_soon([&] { order += 'c'; });  // For a later round.
        loop.stop();
    });
    loop.call_soon([&] { order += 'b'; });
    loop.call_later(1h, [] {});
    loop.run_forever();
    EXPECT_EQ(order, "ab");
    loop.call_soon([&] { loop.stop(); });
    loop.run_forever();
    EXPECT_EQ(order, "abc");
}

TEST_P(EachSocket, A7NothingYetAnEndAndAResetAreThreeOutcomes) {
    const auto outcomes = []() -> Co<> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        std::array<char, 100> room;
        Transport& transport = pair.server.transport();
        EXPECT_TRUE(would_block(transport.read(room)));
        co_await pair.client.write("now");
        co_await transport.until_readable();
        EXPECT_EQ(transport.read(room).value(), 3u);
        EXPECT_TRUE(would_block(transport.read(room)));
        pair.client.close();
        co_await transport.until_readable();
        EXPECT_EQ(transport.read(room).value(), 0u);

        Connected other = co_await connect_pair(*listener);
        co_await other.server.write("unread");
        co_await sleep(1ms);
        other.client.close();
        co_await other.server.transport().until_readable();
        EXPECT_EQ(other.server.transport().read(room).error(), std::errc::connection_reset);
    };

    run_on_selector(GetParam(), outcomes());
}

TEST_P(EachSocket, A7EndAndResetAreDifferentOutcomes) {
    const auto outcomes = []() -> Co<std::string> {
        auto listener = listen_here();
        std::string seen;
        {
            Connected pair = co_await connect_pair(*listener);
            pair.client.close();
            const bool more = co_await pair.server.fill();
            seen += more ? "data " : "end ";
        }
        Connected pair = co_await connect_pair(*listener);
        co_await pair.server.write("unread");
        co_await sleep(1ms);
        pair.client.close();  // With unread bytes: the kernel sends a reset.
        try {
            const bool more = co_await pair.server.fill();
            seen += more ? "data" : "end";
        } catch (const IoError& error) {
            if (error.code() == std::errc::connection_reset) seen += "reset";
        }
        co_return seen;
    };

    EXPECT_EQ(run_on_selector(GetParam(), outcomes()), "end reset");
}

TEST_P(EachSocket, A8A9AllBytesArriveHoweverTheyAreCut) {
    for (const std::size_t piece : {1uz, 4'096uz, 65'536uz}) {
        const std::string text = numbered(piece == 1 ? 10'000 : 1 << 20);
        const auto transfer = [](std::string sent, std::size_t cut) -> Co<std::string> {
            auto listener = listen_here();
            Connected pair = co_await connect_pair(*listener);
            const Task<> sending =
                create_task(send_in_pieces(std::move(pair.client), std::move(sent), cut));
            std::string received;
            std::array<char, 4096> room;
            while (const std::size_t count = co_await pair.server.read_some(room)) {
                received.append(room.data(), count);
            }
            co_return received;
        };

        EXPECT_EQ(run_on_selector(GetParam(), transfer(text, piece)), text) << piece;
    }
}

TEST_P(EachSocket, A10APartialSendGoesOnWithoutBlockingTheLoop) {
    const auto transfer = []() -> Co<std::size_t> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        const std::string text = numbered(1 << 20);
        shrink_send_buffer(pair.client);
        std::size_t others = 0;
        std::string received;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task([](Stream& stream, const std::string& bytes) -> Co<> {
                co_await stream.write(bytes);
                stream.write_eof();
            }(pair.client, text));
            const Task<> other = group.create_task([](std::size_t& count) -> Co<> {
                for (;;) {
                    ++count;
                    co_await sleep(100us);
                }
            }(others));
            std::array<char, 16'384> room;
            for (;;) {
                const std::size_t count = co_await pair.server.read_some(room);
                if (count == 0) break;
                received.append(room.data(), count);
                co_await sleep(200us);  // A slow reader.
            }
            other.cancel();
        });
        EXPECT_EQ(received, text);
        co_return others;
    };

    EXPECT_GT(run_on_selector(GetParam(), transfer()), 10u);
}

TEST_P(EachSocket, A11ManyConnectionsAreServedByOneThread) {
    const auto many = [](int count) -> Co<std::size_t> {
        auto listener = listen_here();
        std::size_t threads = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task([](Listener& from, int expected) -> Co<> {
                std::vector<Stream> open;
                for (int i = 0; i < expected; ++i) {
                    open.emplace_back(co_await from.accept());
                }
                for (Stream& stream : open) co_await stream.write("answer\n");
            }(*listener, count));
            std::vector<Co<std::string>> asking;
            for (int i = 0; i < count; ++i) {
                asking.push_back([](Endpoint endpoint) -> Co<std::string> {
                    Stream stream = co_await connect(endpoint);
                    co_return co_await stream.readline(100);
                }(listener->local()));
            }
            const std::vector<std::string> answers = co_await gather(std::move(asking));
            threads = thread_count();
            EXPECT_EQ(std::ranges::count(answers, "answer\n"), count);
        });
        co_return threads;
    };
    const std::size_t before = thread_count();

    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    const bool are_few = std::string_view(GetParam()) == "select" || files.rlim_cur < 2'100;
    EXPECT_EQ(run_on_selector(GetParam(), many(are_few ? 400 : 1'000)), before);
}

TEST_P(EachSocket, A13ManySleepyConnectionsAreAllAnswered) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    const std::size_t by_limit = std::string_view(GetParam()) == "select" ? 400 : 2'000;
    const std::size_t count = std::min<std::size_t>(by_limit, (files.rlim_cur - 100) / 2);
    const auto sleepy = [](std::size_t connections) -> Co<std::size_t> {
        auto listener = listen_here();
        std::vector<Connected> all;
        for (std::size_t i = 0; i < connections; ++i) {
            Connected pair = co_await connect_pair(*listener);
            all.push_back(std::move(pair));
        }
        std::size_t answered = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            for (Connected& pair : all) {
                group.create_task([](Stream& stream) -> Co<> {
                    const std::string line = co_await stream.readline(10);
                    co_await stream.write(line);
                }(pair.server));
            }
            for (Connected& pair : all) {
                co_await pair.client.write("x\n");
                const std::string echo = co_await pair.client.readline(10);
                if (echo == "x\n") ++answered;
            }
        });
        co_return answered;
    };

    EXPECT_EQ(run_on_selector(GetParam(), sleepy(count)), count);
}

TEST_P(EachSocket, A33ReadSomeGivesWhatIsThereAndReadexactlyWaitsForAll) {
    const auto reads = []() -> Co<std::string> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        co_await pair.client.write("ab");
        std::array<char, 100> room;
        const std::size_t count = co_await pair.server.read_some(room);
        std::string seen(room.data(), count);
        const Task<> later = create_task([](Stream stream) -> Co<> {
            co_await stream.write("cd");
            co_await sleep(1ms);
            co_await stream.write("ef");
        }(std::move(pair.client)));
        seen += "|" + co_await pair.server.readexactly(4);
        co_return seen;
    };

    EXPECT_EQ(run_on_selector(GetParam(), reads()), "ab|cdef");
}

TEST_P(EachSocket, A40ACancelledReadLeavesTheConnectionUsable) {
    const auto cancelled = []() -> Co<std::string> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        try {
            co_await wait_for(pair.server.readexactly(3), 1ms);
        } catch (const TimeoutError&) {
        }
        co_await pair.client.write("abc");
        co_return co_await pair.server.readexactly(3);
    };

    EXPECT_EQ(run_on_selector(GetParam(), cancelled()), "abc");
}

TEST_P(EachSocket, H04AHalfClosedPeerIsStillWrittenTo) {
    const auto half_closed = []() -> Co<std::string> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        co_await pair.client.write("question");
        pair.client.write_eof();
        const std::string question = co_await pair.server.read(100);
        co_await pair.server.write(question + " answered");
        pair.server.close();
        co_return co_await pair.client.read(100);
    };

    EXPECT_EQ(run_on_selector(GetParam(), half_closed()), "question answered");
}

TEST_P(EachSocket, H05AWriteToOneWhoNeverReadsEndsWithTheDeadline) {
    const auto stuck = []() -> Co<bool> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        const std::string flood(64 << 20, 'x');
        try {
            co_await wait_for(pair.client.write(flood), 30ms);
        } catch (const TimeoutError&) {
            co_return pair.client.is_broken();
        }
        co_return false;
    };

    EXPECT_TRUE(run_on_selector(GetParam(), stuck()));
}

// A later write that succeeded made the stream look whole again.
TEST_P(EachSocket, AStreamWithATornWriteStaysBroken) {
    const auto torn = []() -> Co<bool> {
        auto listener = listen_here();
        Connected pair = co_await connect_pair(*listener);
        const std::string flood(64 << 20, 'x');
        try {
            co_await wait_for(pair.client.write(flood), 30ms);
        } catch (const TimeoutError&) {
        }
        const Task<> draining = create_task([](Stream& stream) -> Co<> {
            for (;;) {
                co_await stream.fill();
                stream.consume(stream.buffered().size());
            }
        }(pair.server));
        co_await pair.client.write("more");
        draining.cancel();
        co_return pair.client.is_broken();
    };

    EXPECT_TRUE(run_on_selector(GetParam(), torn()));
}

TEST_P(EachSocket, AFloodingPeerDoesNotStarveTheOthers) {
    const auto flooded = []() -> Co<std::size_t> {
        auto listener = listen_here();
        Connected loud = co_await connect_pair(*listener);
        std::size_t turns = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            const Task<> flooding = group.create_task([](Stream& stream) -> Co<> {
                const std::string block(1 << 20, 'x');
                for (;;) co_await stream.write(block);
            }(loud.client));
            const Task<> other = group.create_task([](std::size_t& count) -> Co<> {
                for (;;) {
                    ++count;
                    co_await sleep(0s);
                }
            }(turns));
            std::size_t received = 0;
            while (received < 16 << 20) {
                const bool more = co_await loud.server.fill();
                if (!more) break;
                received += loud.server.buffered().size();
                loud.server.consume(loud.server.buffered().size());
            }
            group.cancel();
        });
        co_return turns;
    };

    EXPECT_GE(run_on_selector(GetParam(), flooded()), (16u << 20) / kBytesPerTurnMax / 2);
}

}  // namespace weft::aio
