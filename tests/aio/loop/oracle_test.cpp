#include <filesystem>
#include <map>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/run.h"
#include "aio/net/socket_address.h"
#include "aio/net/stream.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "support/background_server.h"

// The same work done with blocking calls and threads: what the loop must match, and what it saves.
namespace weft::aio {
namespace {

using tests::BackgroundServer;

struct Fixture {
    std::string bytes;
    std::size_t piece = SIZE_MAX;  // Sent in such pieces, with a pause between.
};

const std::map<std::string, Fixture>& fixtures() {
    static const std::map<std::string, Fixture> all{
        {"/empty", {""}},
        {"/length", {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"}},
        {"/to-the-end", {"HTTP/1.0 200 OK\r\n\r\n" + std::string(100'000, 'x')}},
        {"/chunked",
         {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 1}},
        {"/one-by-one", {"HTTP/1.0 200 OK\r\n\r\nslow but whole", 1}},
        {"/binary", {std::string("HTTP/1.0 200 OK\r\n\r\n\0\r\n\xFF\x00\x1A", 26), 3}},
        {"/large", {"HTTP/1.0 200 OK\r\n\r\n" + std::string(4 << 20, 'y'), 65'536}},
        {"/cut", {"HTTP/1.0 200 OK\r\nContent-Length: 500\r\n\r\nnot all", 7}},
    };
    return all;
}

Co<> answer(Stream stream) {
    const std::string head = co_await stream.readuntil("\r\n\r\n", 1'000);
    const std::string path = head.substr(4, head.find(' ', 4) - 4);
    const Fixture& fixture = fixtures().at(path);
    for (std::size_t at = 0; at < fixture.bytes.size();) {
        const std::string_view piece = std::string_view(fixture.bytes).substr(at, fixture.piece);
        co_await stream.write(piece);
        at += piece.size();
        if (at < fixture.bytes.size()) co_await sleep(50us);
    }
    co_await stream.close_gracefully();
}

std::string request_for(const std::string& path) {
    return "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
}

FileDescriptor connect_blocking(const Endpoint& server) {
    FileDescriptor fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    detail::SocketAddress address(server);
    if (::connect(fd.get(), address.get(), address.size()) != 0) throw_errno("connect");
    return fd;
}

void send_blocking(const FileDescriptor& fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) throw_errno("send");
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

// The oracle: a fetch that stops its thread at every step.
std::string fetch_blocking(const Endpoint& server, const std::string& path) {
    const FileDescriptor fd = connect_blocking(server);
    send_blocking(fd, request_for(path));
    std::string response;
    std::array<char, 4096> room;
    for (;;) {
        const ssize_t count = ::recv(fd.get(), room.data(), room.size(), 0);
        if (count < 0) throw_errno("recv");
        if (count == 0) return response;
        response.append(room.data(), static_cast<std::size_t>(count));
    }
}

// The same as one coroutine: all it knows is in its locals, from the first line to the last.
Co<std::string> fetch(Endpoint server, std::string path) {
    Stream stream = co_await connect(server);
    co_await stream.write(request_for(path));
    std::string response;
    std::array<char, 4096> room;
    while (const std::size_t count = co_await stream.read_some(room)) {
        response.append(room.data(), count);
    }
    co_return response;
}

Co<> echo(Stream stream) {
    while (!stream.at_eof()) {
        const std::string line = co_await stream.readline(1'000);
        co_await stream.write(line);
    }
}

// One client that asks `count` times.
Co<std::size_t> ask(Endpoint server, std::size_t count) {
    Stream stream = co_await connect(server);
    std::size_t answers = 0;
    for (std::size_t i = 0; i < count; ++i) {
        co_await stream.write("question\n");
        const std::string line = co_await stream.readline(100);
        answers += line == "question\n";
    }
    co_return answers;
}

std::size_t ask_blocking(const Endpoint& server, std::size_t count) {
    const FileDescriptor fd = connect_blocking(server);
    std::size_t answers = 0;
    for (std::size_t i = 0; i < count; ++i) {
        send_blocking(fd, "question\n");
        std::array<char, 9> room;
        const ssize_t got = ::recv(fd.get(), room.data(), room.size(), MSG_WAITALL);
        answers += got == 9 && std::string_view(room.data(), 9) == "question\n";
    }
    return answers;
}

std::size_t thread_count() {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

struct Effort {
    std::size_t answers = 0;
    std::size_t threads_more = 0;  // At the height of it.
};

Effort by_threads(const Endpoint& server, std::size_t clients, std::size_t questions) {
    const std::size_t before = thread_count();
    std::atomic<std::size_t> answers = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < clients; ++i) {
        threads.emplace_back([&] { answers += ask_blocking(server, questions); });
    }
    const std::size_t height = threads.size();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(thread_count(), before);
    return {answers, height};
}

Effort by_one_loop(const Endpoint& server, std::size_t clients, std::size_t questions) {
    const std::size_t before = thread_count();
    Effort effort;
    run([](Endpoint to, std::size_t count, std::size_t each, Effort& out) -> Co<> {
        std::vector<Co<std::size_t>> asking;
        for (std::size_t i = 0; i < count; ++i) asking.push_back(ask(to, each));
        const std::vector<std::size_t> answers = co_await gather(std::move(asking));
        for (const std::size_t n : answers) out.answers += n;
        out.threads_more = thread_count();
    }(server, clients, questions, effort));
    effort.threads_more -= before;
    return effort;
}

}  // namespace

TEST(Oracle, A1TheLoopFetchesTheSameBytesAsABlockingFetch) {
    const BackgroundServer server(answer);
    for (const auto& [path, fixture] : fixtures()) {
        const std::string expected = fetch_blocking(server.local(), path);
        EXPECT_EQ(expected, fixture.bytes) << path;
        EXPECT_EQ(run(fetch(server.local(), path)), expected) << path;
    }
}

TEST(Oracle, A16ManyFetchesAtOnceKeepTheirStateInTheirLocals) {
    const BackgroundServer server(answer);
    run([](Endpoint from) -> Co<> {
        std::vector<Co<std::string>> fetches;
        std::vector<const Fixture*> expected;
        for (int round = 0; round < 10; ++round) {
            for (const auto& [path, fixture] : fixtures()) {
                fetches.push_back(fetch(from, path));
                expected.push_back(&fixture);
            }
        }
        const std::vector<std::string> got = co_await gather(std::move(fetches));
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected[i]->bytes) << i;
    }(server.local()));
}

// The facts behind the pair of figures that bench/aio measures: both ways give the same answers, a
// few busy connections need few threads, many sleepy ones as many as there are, or one loop.
TEST(Oracle, A12ThreadsAndOneLoopGiveTheSameAnswersAtADifferentPrice) {
    const BackgroundServer server(echo);
    for (const auto& [clients, questions] : {std::pair(4uz, 500uz), std::pair(300uz, 2uz)}) {
        const Effort threads = by_threads(server.local(), clients, questions);
        const Effort loop = by_one_loop(server.local(), clients, questions);
        EXPECT_EQ(threads.answers, clients * questions);
        EXPECT_EQ(loop.answers, clients * questions);
        EXPECT_EQ(threads.threads_more, clients);
        EXPECT_EQ(loop.threads_more, 0u);
    }
}

}  // namespace weft::aio
