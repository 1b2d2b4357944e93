#include "aio/net/stream.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "aio/files/files.h"
#include "aio/files/memory_files.h"
#include "aio/loop/descriptor_ready.h"
#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/counting_selector.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

using tests::run_on_selector;

// Reads until something ends it, and says what.
Co<std::string> read_to_the_end(Stream& stream) {
    try {
        co_return co_await stream.read(1 << 20);
    } catch (const IoError& error) {
        co_return error.code() == std::errc::operation_canceled ? "closed under it" : error.what();
    }
}

Co<std::string> write_for_ever(Stream& stream) {
    const std::string block(1 << 20, 'w');
    try {
        for (;;) co_await stream.write(block);
    } catch (const IoError& error) {
        co_return error.code() == std::errc::operation_canceled ? "closed under it" : error.what();
    }
}

std::string numbers(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; text.size() < count; ++i) text += std::to_string(i) + ' ';
    text.resize(count);
    return text;
}

// A message with all that a cut could tear: header lines, a chunk's size, a character of three
// bytes.
constexpr std::string_view kMessage =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\xE2\x82\xAC\r\n0\r\n\r\n";

Co<std::string> parse_message(Stream& stream) {
    const std::string head = co_await stream.readuntil("\r\n\r\n", 200);
    const std::string size = co_await stream.readline(10);
    const std::string body = co_await stream.readexactly(3);
    const std::string rest = co_await stream.read(100);
    co_return head + "|" + size + "|" + body + "|" + rest;
}

Co<> write_in_two(Stream stream, std::size_t cut) {
    co_await stream.write(kMessage.substr(0, cut));
    co_await sleep(0s);
    co_await sleep(0s);
    co_await stream.write(kMessage.substr(cut));
}

}  // namespace

TEST(Stream, A9AMessageCutAnywhereIsReadTheSame) {
    run([]() -> Co<> {
        for (std::size_t cut = 0; cut <= kMessage.size(); ++cut) {
            StreamPair pair = make_stream_pair();
            const Task<> writing = create_task(write_in_two(std::move(pair.first), cut));
            const std::string read = co_await parse_message(pair.second);
            EXPECT_EQ(read,
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n|3\r\n|\xE2\x82\xAC|"
                      "\r\n0\r\n\r\n")
                << cut;
            EXPECT_TRUE(pair.second.at_eof());
        }
    }());
}

// A close under a waiting read left the waiter with a dead connection.
TEST(Stream, ClosedByAnotherTaskEndsItsReadsAndWrites) {
    run([]() -> Co<> {
        StreamPair idle = make_stream_pair();
        StreamPair full = make_stream_pair();
        const Task<std::string> reading = create_task(read_to_the_end(idle.first));
        const Task<std::string> writing = create_task(write_for_ever(full.first));
        co_await sleep(1ms);
        idle.first.close();
        full.first.close();

        EXPECT_EQ(co_await reading, "closed under it");
        EXPECT_EQ(co_await writing, "closed under it");
    }());
}

TEST(Stream, ClosedByAnotherTaskEndsItsReadsInASimulationToo) {
    simulate([]() -> Co<> {
        auto listener = EventLoop::running().network().listen({IpAddress::loopback(), 80});
        Stream stream = co_await connect(listener->local());
        const Task<std::string> reading = create_task(read_to_the_end(stream));
        co_await sleep(1s);
        stream.close();
        EXPECT_EQ(co_await reading, "closed under it");
    });
}

TEST(Stream, ClosedBetweenTheWakeAndTheStepIsSeenToo) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        const Task<std::string> reading = create_task(read_to_the_end(pair.first));
        co_await sleep(1ms);
        co_await pair.second.write("x");
        co_await pair.second.write("y");
        EventLoop::running().call_later(0s, [&] { pair.first.close(); });
        EXPECT_EQ(co_await reading, "closed under it");
    }());
}

TEST(Stream, UsedAfterItsCloseIsAnIoError) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        pair.first.close();
        EXPECT_TRUE(pair.first.is_closed());
        EXPECT_THROW(co_await pair.first.readline(10), IoError);
        EXPECT_THROW(co_await pair.first.write("x"), IoError);
        EXPECT_THROW(pair.first.write_eof(), IoError);
        EXPECT_THROW(static_cast<void>(pair.first.peer()), IoError);
        co_await pair.first.close_gracefully();  // Nothing to do.
    }());
}

// It ended the process, though the second reader alone is wrong.
TEST(Stream, TwoReadersAtOnceAreToldWhatToDo) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        Task<std::string> first = create_task(read_to_the_end(pair.first));
        co_await sleep(0s);
        std::string told;
        try {
            co_await pair.first.readline(10);
        } catch (const InvalidStateError& error) {
            told = error.what();
        }
        EXPECT_NE(told.find("two tasks read from one connection"), std::string::npos) << told;
        EXPECT_NE(told.find("let one task do it"), std::string::npos) << told;
        co_await pair.second.write("all of it");
        pair.second.close();
        EXPECT_EQ(co_await first, "all of it");
    }());
}

TEST(Stream, SendfileSendsAPartOfAFileAndSaysHowMuch) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("weft-sendfile-" + std::to_string(::getpid()));
    const std::string text = numbers(3 << 20);
    std::ofstream(path) << text;
    for (const char* selector : {"epoll", "poll"}) {
        run_on_selector(selector, [](std::filesystem::path name, std::string sent) -> Co<> {
            auto file = EventLoop::running().files().open(name, OpenMode::read);
            StreamPair pair = make_stream_pair();
            const auto receive = [](Stream stream) -> Co<std::string> {
                co_return co_await stream.read(8 << 20);
            };
            const Task<std::string> receiving = create_task(receive(std::move(pair.second)));
            EXPECT_EQ(co_await pair.first.sendfile(*file, 5, 100), 100u);
            EXPECT_EQ(co_await pair.first.sendfile(*file, 100), sent.size() - 100);
            EXPECT_EQ(co_await pair.first.sendfile(*file, sent.size()), 0u);
            pair.first.close();
            EXPECT_EQ(co_await receiving, sent.substr(5, 100) + sent.substr(100));
        }(path, text));
    }
    std::filesystem::remove(path);
}

TEST(Stream, SendfileReadsAndWritesWhereTheKernelCannot) {
    simulate([]() -> Co<> {
        const std::string text = numbers(100'000);
        FileSystem& files = EventLoop::running().files();
        files.write_all("page", text);
        auto file = files.open("page", OpenMode::read);
        auto listener = EventLoop::running().network().listen({IpAddress::loopback(), 80});
        Stream client = co_await connect(listener->local());
        Stream server(co_await listener->accept());
        const auto send = [](Stream stream, File& from) -> Co<std::uint64_t> {
            co_return co_await stream.sendfile(from, 10);
        };
        const Task<std::uint64_t> sending = create_task(send(std::move(server), *file));
        EXPECT_EQ(co_await client.read(1 << 20), text.substr(10));
        EXPECT_EQ(co_await sending, text.size() - 10);
    });
}

TEST(DescriptorReady, WaitsForADescriptorThatIsNotOurs) {
    for (const char* selector : {"epoll", "poll", "select"}) {
        run_on_selector(selector, []() -> Co<> {
            const FileDescriptor event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
            co_await writable(event.get());
            const auto wait = [](int fd) -> Co<> { co_await readable(fd); };
            EXPECT_THROW(co_await wait_for(wait(event.get()), 1ms), TimeoutError);
            EventLoop::running().call_later(1ms, [&] {
                const std::uint64_t one = 1;
                EXPECT_EQ(::write(event.get(), &one, sizeof one), 8);
            });
            co_await wait_for(wait(event.get()), 5s);
        }());
    }
}

TEST(Server, AtAPathTalksToWhoConnectsThere) {
    run([]() -> Co<> {
        const std::filesystem::path path =
            std::filesystem::temp_directory_path() / ("weft-echo-" + std::to_string(::getpid()));
        const auto echo = [](Stream stream) -> Co<> {
            const std::string line = co_await stream.readline(100);
            co_await stream.write(line);
        };
        Server server = start_unix_server(echo, path);
        Stream stream = co_await open_unix_connection(path);
        co_await stream.write("there and back\n");
        EXPECT_EQ(co_await stream.readline(100), "there and back\n");
        server.close();
        co_await server.wait_closed();
        EXPECT_FALSE(std::filesystem::exists(path));
    }());
}

// The waiter got the CancelledError of the server.
TEST(Server, ClosedBeforeItsFirstStepCanBeWaitedFor) {
    run([]() -> Co<> {
        const auto refuse = [](Stream) -> Co<> { co_return; };
        Server server = start_server(refuse, {IpAddress::loopback(), 0});
        server.close();
        co_await server.wait_closed();
        Server again = start_server(refuse, {IpAddress::loopback(), 0});
        again.close();
        co_await again.serve_forever();
    }());
}

}  // namespace weft::aio
