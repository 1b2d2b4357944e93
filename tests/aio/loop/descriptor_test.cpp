// Descriptors of others, and reads that stop short of what there is.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/descriptor_ready.h"
#include "aio/net/server.h"
#include "aio/net/socket_address.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/event.h"
#include "aio/sync/timeout.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "support/counting_selector.h"

namespace weft::aio {
namespace {

using tests::run_on_selector;

WEFT_ON_EACH_SELECTOR(EachDescriptor);

struct Ends {
    FileDescriptor ours;
    FileDescriptor theirs;
};

Ends make_ends() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) {
        throw_errno("socketpair");
    }
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void fill(int fd) {
    const std::string block(64 * 1024, 'x');
    while (::send(fd, block.data(), block.size(), MSG_NOSIGNAL) > 0) {
    }
}

// A byte with an open file beside it.
void send_descriptor(int through, int sent) {
    char byte = 'd';
    iovec piece{.iov_base = &byte, .iov_len = 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof sent)] = {};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof sent);
    std::memcpy(CMSG_DATA(header), &sent, sizeof sent);
    EXPECT_EQ(::sendmsg(through, &message, MSG_NOSIGNAL), 1);
}

}  // namespace

// The second wait found the descriptor watched, and an assertion ended the process.
TEST_P(EachDescriptor, IsWaitedForInBothDirectionsByManyTasks) {
    run_on_selector(GetParam(), []() -> Co<> {
        const Ends ends = make_ends();
        const int fd = ends.ours.get();
        fill(fd);
        std::vector<Task<>> readers;
        for (int i = 0; i < 3; ++i) readers.push_back(create_task(readable(fd)));
        std::vector<Task<>> writers;
        for (int i = 0; i < 3; ++i) writers.push_back(create_task(writable(fd)));
        co_await sleep(1ms);
        for (const Task<>& task : readers) EXPECT_FALSE(task.done());
        for (const Task<>& task : writers) EXPECT_FALSE(task.done());

        readers[0].cancel();
        writers[2].cancel();
        EXPECT_EQ(::send(ends.theirs.get(), "x", 1, 0), 1);
        co_await wait_for(readers[1], 10s);
        co_await wait_for(readers[2], 10s);
        EXPECT_FALSE(writers[0].done());

        std::string room(1 << 20, '\0');
        while (::recv(ends.theirs.get(), room.data(), room.size(), 0) > 0) {
        }
        co_await wait_for(writers[0], 10s);
        co_await wait_for(writers[1], 10s);
        EXPECT_TRUE(readers[0].cancelled() && writers[2].cancelled());
        co_await wait_for(gather(readable(fd), writable(fd)), 10s);
    }());
}

TEST_P(EachDescriptor, ThatIsNoneIsAnError) {
    run_on_selector(GetParam(), []() -> Co<> {
        for (const int fd : {-1, -100}) {
            try {
                co_await readable(fd);
                ADD_FAILURE();
            } catch (const IoError& error) {
                EXPECT_EQ(error.code(), std::errc::bad_file_descriptor);
            }
        }
    }());
}

TEST_P(EachDescriptor, OfAStreamIsRefused) {
    run_on_selector(GetParam(), []() -> Co<> {
        Ends ends = make_ends();
        const int fd = ends.ours.get();
        const Stream stream = detail::adopt_socket(std::move(ends.ours), "test");
        EXPECT_THROW(co_await readable(fd), InvalidStateError);
    }());
}

// The read before the descriptor was short, which was taken for the end of what was there.
TEST_P(EachDescriptor, BytesBehindADescriptorAreRead) {
    run_on_selector(GetParam(), []() -> Co<> {
        Ends ends = make_ends();
        Stream stream = detail::adopt_socket(std::move(ends.ours), "test");
        Task<std::string> reading = create_task(stream.readexactly(14));
        co_await sleep(1ms);
        EXPECT_EQ(::send(ends.theirs.get(), "before", 6, 0), 6);
        send_descriptor(ends.theirs.get(), STDIN_FILENO);
        EXPECT_EQ(::send(ends.theirs.get(), "after..", 7, 0), 7);
        EXPECT_EQ(co_await wait_for(reading, 10s),
                  "befored"
                  "after..");
    }());
}

// So was the read before urgent data.
// The watch asked for urgent data, which wakes no waiter: the loop span until other data came.
TEST_P(EachDescriptor, UrgentDataAloneDoesNotMakeTheLoopSpin) {
    tests::CountingSelector selector(GetParam());
    const auto returns_while_urgent = [](tests::CountingSelector& counted) -> Co<std::size_t> {
        const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in any{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        sockaddr_in at{};
        socklen_t size = sizeof at;
        EXPECT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&any), size), 0);
        EXPECT_EQ(::listen(listener.get(), 1), 0);
        EXPECT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
        const FileDescriptor peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        EXPECT_EQ(::connect(peer.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
        const FileDescriptor fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        EXPECT_EQ(::send(peer.get(), "!", 1, MSG_OOB), 1);
        const Task<> waiting =
            create_task([](int watched) -> Co<> { co_await readable(watched); }(fd.get()));
        co_await sleep(10ms);
        const std::size_t before = counted.returns;
        co_await sleep(50ms);
        const std::size_t returns = counted.returns - before;
        waiting.cancel();
        co_return returns;
    };

    EXPECT_LT(run_on_selector(selector, returns_while_urgent(selector)), 10u);
}

TEST_P(EachDescriptor, BytesBehindUrgentDataAreRead) {
    run_on_selector(GetParam(), []() -> Co<> {
        std::string got;
        Event done;
        const Server server = start_server(
            [&](Stream stream) -> Co<> {
                got = co_await stream.readexactly(11);
                done.set();
            },
            {IpAddress::loopback(), 0});
        const FileDescriptor fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        detail::SocketAddress address(server.local());
        EXPECT_EQ(::connect(fd.get(), address.get(), address.size()), 0);
        co_await sleep(5ms);
        EXPECT_EQ(::send(fd.get(), "before", 6, MSG_MORE), 6);
        EXPECT_EQ(::send(fd.get(), "!", 1, MSG_OOB), 1);
        EXPECT_EQ(::send(fd.get(), "after", 5, 0), 5);
        co_await wait_for(done.wait(), 10s);
        EXPECT_EQ(got, "beforeafter");
    }());
}

}  // namespace weft::aio
