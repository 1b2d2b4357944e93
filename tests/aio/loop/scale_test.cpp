#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/descriptor_ready.h"
#include "aio/loop/run.h"
#include "aio/net/connect.h"
#include "aio/net/server.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/semaphore.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/units.h"
#include "support/build_kind.h"

// What many connections cost.
namespace weft::aio {
namespace {

using tests::kIsOptimized;
using tests::kIsSanitized;

constexpr std::size_t kConnections = kIsSanitized ? 2'000 : 10'000;

// Of the client's process, with its tasks and streams; the kernel's sockets are its own affair.
constexpr std::size_t kBytesPerConnectionMax = 4_KiB;

std::size_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool allow_files(rlim_t count) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur >= count) return true;
    files.rlim_cur = std::min(count, files.rlim_max);
    return setrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= count;
}

Co<> echo_all(Stream stream) {
    while (!stream.at_eof()) {
        const std::string line = co_await stream.readline(100);
        co_await stream.write(line);
    }
}

// Tells its port, then serves until the pipe is closed.
Co<> serve_until_closed(int told, int pipe) {
    const Server server =
        start_server(echo_all, {IpAddress::loopback(), 0}, {.connections_max = kConnections + 1});
    const std::uint16_t port = server.local().port;
    EXPECT_EQ(::write(told, &port, sizeof port), 2);
    co_await readable(pipe);
}

// A server in a process of its own, so that each end has a whole process's descriptors.
class ChildServer {
public:
    ChildServer() {
        int told[2];
        int over[2];
        EXPECT_EQ(::pipe(told) + ::pipe(over), 0);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::close(over[1]);
            run(serve_until_closed(told[1], over[0]));
            ::_exit(0);
        }
        ::close(told[1]);
        ::close(over[0]);
        over_ = FileDescriptor(over[1]);
        const FileDescriptor heard(told[0]);
        EXPECT_EQ(::read(heard.get(), &port_, sizeof port_), 2);
    }
    ~ChildServer() {
        over_ = FileDescriptor();
        ::waitpid(pid_, nullptr, 0);
    }
    ChildServer(const ChildServer&) = delete;
    ChildServer& operator=(const ChildServer&) = delete;

    Endpoint local() const { return {IpAddress::loopback(), port_}; }

private:
    pid_t pid_ = -1;
    std::uint16_t port_ = 0;
    FileDescriptor over_;
};

// Connects, sleeps, asks once, and sleeps again until all have asked.
Co<> live_sleepily(Endpoint server, Semaphore& connecting, Event& all_there, std::size_t& count) {
    std::optional<Stream> stream;
    {
        auto permit = co_await connecting.acquire();
        stream = co_await connect(server);
    }
    if (++count == kConnections) all_there.set();
    co_await all_there.wait();
    co_await stream->write("awake\n");
    const std::string line = co_await stream->readline(100);
    EXPECT_EQ(line, "awake\n");
    --count;
}

Co<> sleep_in_crowd(Endpoint server, std::size_t& bytes_each) {
    Semaphore connecting(200);
    Event all_there;
    std::size_t count = 0;
    const std::size_t before = resident_bytes();
    co_await task_group([&](TaskGroup& group) -> Co<> {
        for (std::size_t i = 0; i < kConnections; ++i) {
            group.create_task(live_sleepily(server, connecting, all_there, count));
        }
        co_await all_there.wait();
        bytes_each = (resident_bytes() - before) / kConnections;
    });
    EXPECT_EQ(count, 0u);
}

// Four levels down, as a crawler's worker waits.
Co<bool> wait_for_bytes(Stream& stream) {
    co_return co_await stream.fill();
}
Co<std::size_t> read_head(Stream& stream) {
    const bool more = co_await wait_for_bytes(stream);
    co_return more ? stream.buffered().size() : 0;
}
Co<std::size_t> fetch(Stream& stream) {
    const std::size_t size = co_await read_head(stream);
    co_return size;
}
Co<> work(Stream& stream) {
    co_await fetch(stream);
}

}  // namespace

TEST(Scale, A13TenThousandSleepyConnectionsInOneProcess) {
    if (!allow_files(kConnections + 100)) GTEST_SKIP() << "too few descriptors are allowed";
    const ChildServer server;
    std::size_t bytes_each = 0;

    run(sleep_in_crowd(server.local(), bytes_each));

    RecordProperty("bytes_per_connection", static_cast<int>(bytes_each));
    if (!kIsSanitized) EXPECT_LE(bytes_each, kBytesPerConnectionMax);
}

TEST(Scale, A15ASuspendedTaskCostsLessThanAPythonCoroutineAndFarLessThanAThread) {
    constexpr std::size_t kTasks = 200;
    constexpr std::size_t kPythonBytes = 2'611;  // 2.55 KiB; a thread's stack takes 16 KiB.
    constexpr std::size_t kOursBytes = 800;      // Five frames and the task, as optimized.
    std::size_t bytes = 0;

    run([](std::size_t& each) -> Co<> {
        std::vector<StreamPair> pairs;
        for (std::size_t i = 0; i < kTasks; ++i) pairs.push_back(make_stream_pair());
        co_await task_group([&](TaskGroup& group) -> Co<> {
            const std::size_t before = frame_pool::live_bytes();
            for (StreamPair& pair : pairs) group.create_task(work(pair.first));
            co_await sleep(1ms);
            each = (frame_pool::live_bytes() - before) / kTasks;
            group.cancel();
        });
    }(bytes));

    RecordProperty("bytes_per_task", static_cast<int>(bytes));
    EXPECT_GT(bytes, 0u);
    EXPECT_LE(bytes, kIsOptimized ? kOursBytes : kPythonBytes);
}

}  // namespace weft::aio
