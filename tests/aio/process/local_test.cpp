// Unix and datagram sockets, pipes and child processes, on every selector.
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "aio/net/datagram.h"
#include "aio/net/unix_socket.h"
#include "aio/process/pipe.h"
#include "aio/process/subprocess.h"
#include "aio/sync/timeout.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/counting_selector.h"

namespace weft::aio {
namespace {

using tests::run_on_selector;

WEFT_ON_EACH_SELECTOR(EachLocal);

std::filesystem::path socket_path() {
    return std::filesystem::temp_directory_path() / ("weft-socket-" + std::to_string(getpid()));
}

}  // namespace

TEST_P(EachLocal, UnixSocketsConnectByPath) {
    run_on_selector(GetParam(), []() -> Co<> {
        auto listener = listen_unix(socket_path());
        Stream client = co_await open_unix_connection(socket_path());
        Stream server(co_await listener->accept());

        co_await client.write("over here\n");

        EXPECT_EQ(co_await server.readline(100), "over here\n");
        listener.reset();
        EXPECT_FALSE(std::filesystem::exists(socket_path()));
        EXPECT_THROW(co_await open_unix_connection(socket_path()), IoError);
        EXPECT_THROW(co_await open_unix_connection(std::string(200, 'x')), IoError);
    }());
}

TEST_P(EachLocal, AFullBacklogOfAUnixSocketIsWaitedFor) {
    run_on_selector(GetParam(), []() -> Co<> {
        auto listener = listen_unix(socket_path(), {.backlog = 0});
        std::vector<Task<Stream>> clients;
        for (int i = 0; i < 4; ++i) {
            clients.push_back(create_task(open_unix_connection(socket_path())));
        }
        co_await yield_now();
        EXPECT_TRUE(clients.front().done());
        EXPECT_FALSE(clients.back().done());
        std::vector<std::unique_ptr<Transport>> accepted;
        while (accepted.size() < clients.size()) {
            accepted.push_back(co_await wait_for(listener->accept(), 10s));
        }
        for (const Task<Stream>& client : clients) co_await client;
    }());
}

TEST_P(EachLocal, DatagramsKeepTheirBounds) {
    run_on_selector(GetParam(), []() -> Co<> {
        DatagramSocket first({IpAddress::loopback(), 0});
        DatagramSocket second({IpAddress::loopback(), 0});

        co_await first.send_to("one", second.local());
        co_await first.send_to("", second.local());
        co_await first.send_to("three", second.local());

        for (const std::string expected : {"one", "", "three"}) {
            const auto datagram = co_await second.receive_from();
            EXPECT_EQ(datagram.bytes, expected);
            EXPECT_EQ(datagram.peer, first.local());
        }
        EXPECT_THROW(co_await wait_for(second.receive_from(), 1ms), TimeoutError);
        co_await first.send_to("after", second.local());
        const auto last = co_await second.receive_from(3);
        EXPECT_EQ(last.bytes, "aft");
        EXPECT_THROW(co_await first.send_to(std::string(70'000, 'x'), second.local()), IoError);
    }());
}

TEST_P(EachLocal, APipeCarriesMoreThanItHolds) {
    run_on_selector(GetParam(), []() -> Co<> {
        Pipe pipe = make_pipe();
        const std::string sent(1 << 20, 'p');
        std::string received;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            group.create_task([](Stream stream, std::string_view bytes) -> Co<> {
                co_await stream.write(bytes);
            }(std::move(pipe.write_end), sent));
            received = co_await pipe.read_end.read(2 << 20);
        });
        EXPECT_EQ(received, sent);
    }());
}

TEST_P(EachLocal, WritingToAPipeNobodyReadsIsAnErrorNotASignal) {
    run_on_selector(GetParam(), []() -> Co<> {
        Pipe pipe = make_pipe();
        pipe.read_end.close();
        try {
            co_await pipe.write_end.write("x");
            ADD_FAILURE();
        } catch (const IoError& error) {
            EXPECT_EQ(error.code(), std::errc::broken_pipe);
        }
    }());
}

TEST_P(EachLocal, AChildGetsInputAndGivesOutputAndStatus) {
    run_on_selector(GetParam(), []() -> Co<> {
        Process child =
            co_await create_subprocess_exec({"sh", "-c", "tr a-z A-Z; echo trouble >&2; exit 3"},
                                            {.standard_input = Redirect::pipe,
                                             .standard_output = Redirect::pipe,
                                             .standard_error = Redirect::pipe});
        const std::string input(300'000, 'q');

        const Process::Output output = co_await child.communicate(input);

        EXPECT_EQ(output.standard_output, std::string(300'000, 'Q'));
        EXPECT_EQ(output.standard_error, "trouble\n");
        EXPECT_EQ(child.returncode(), 3);
        EXPECT_EQ(co_await child.wait(), 3);
    }());
}

TEST_P(EachLocal, AChildIsKilledAndItsSignalTold) {
    run_on_selector(GetParam(), []() -> Co<> {
        Process child = co_await create_subprocess_exec({"sleep", "100"});
        EXPECT_THROW(co_await wait_for(child.wait(), 5ms), TimeoutError);
        EXPECT_FALSE(child.returncode());

        child.kill();

        EXPECT_EQ(co_await child.wait(), -SIGKILL);
    }());
}

TEST_P(EachLocal, AChildLeftBehindIsEnded) {
    pid_t pid = 0;
    run_on_selector(GetParam(), [](pid_t& out) -> Co<> {
        const Process child = co_await create_subprocess_exec({"sleep", "100"});
        out = child.pid();
    }(pid));

    EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_P(EachLocal, AProgramThatIsNotThereIsNamed) {
    run_on_selector(GetParam(), []() -> Co<> {
        try {
            co_await create_subprocess_exec({"no-such-program-here"});
            ADD_FAILURE();
        } catch (const IoError& error) {
            EXPECT_STREQ(error.what(),
                         "cannot start no-such-program-here: No such file or directory");
        }
    }());
}

// The second wait found somebody at the descriptor, and the process ended.
TEST_P(EachLocal, ManyTasksWaitForAChild) {
    run_on_selector(GetParam(), []() -> Co<> {
        Process child = co_await create_subprocess_exec({"sh", "-c", "sleep 0.02; exit 3"});
        auto [first, second, third] = co_await gather(child.wait(), child.wait(), child.wait());
        EXPECT_EQ(std::tuple(first, second, third), std::tuple(3, 3, 3));
    }());
}

TEST_P(EachLocal, AWaitOutlivesItsProcess) {
    run_on_selector(GetParam(), []() -> Co<> {
        auto child = std::make_unique<Process>(co_await create_subprocess_exec({"sleep", "100"}));
        Task<int> waiting = create_task(child->wait());
        co_await sleep(1ms);
        child.reset();
        EXPECT_EQ(co_await wait_for(waiting, 10s), -SIGKILL);
    }());
}

// It was an ExceptionGroup, in which the promised error had to be looked for.
TEST_P(EachLocal, TooMuchOutputIsALimitOverrunError) {
    run_on_selector(GetParam(), []() -> Co<> {
        Process child = co_await create_subprocess_exec(
            {"sh", "-c", "echo more than ten bytes; echo and more >&2"},
            {.standard_output = Redirect::pipe, .standard_error = Redirect::pipe});
        EXPECT_THROW(co_await child.communicate({}, 10), LimitOverrunError);
        EXPECT_THROW(child.standard_input(), InvalidStateError);
    }());
}

// The kernel keeps no status then: waiting for the child was an error.
TEST_P(EachLocal, AChildEndsAlsoWhereSigchldIsIgnored) {
    const auto before = ::signal(SIGCHLD, SIG_IGN);
    run_on_selector(GetParam(), []() -> Co<> {
        Process slow = co_await create_subprocess_exec({"sleep", "0.02"});
        EXPECT_EQ(co_await wait_for(slow.wait(), 10s), 255);
        Process quick = co_await create_subprocess_exec({"true"});
        EXPECT_EQ(co_await wait_for(quick.wait(), 10s), 255);
        const Process left = co_await create_subprocess_exec({"sleep", "100"});
    }());
    ::signal(SIGCHLD, before);
}

TEST_P(EachLocal, TwoWritersAreToldWhatToDo) {
    run_on_selector(GetParam(), []() -> Co<> {
        Pipe pipe = make_pipe();
        const std::string much(1 << 20, 'p');
        Task<> first = create_task(pipe.write_end.write(much));
        co_await sleep(1ms);
        EXPECT_THROW(co_await pipe.write_end.write(much), InvalidStateError);
        first.cancel();
    }());
}

}  // namespace weft::aio
