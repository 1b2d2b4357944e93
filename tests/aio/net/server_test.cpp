#include "aio/net/server.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/loop/watched_descriptor.h"
#include "aio/net/connect.h"
#include "aio/sync/timeout.h"
#include "aio/task/generator.h"
#include "aio/task/sleep.h"
#include "base/log.h"

namespace weft::aio {
namespace {

Co<> throw_what_is_asked(Stream stream) {
    const std::string line = co_await stream.readline(100);
    if (line == "number\n") throw 42;
    if (line == "text\n") throw "text";
    if (line == "exit\n") throw GeneratorExit();
    if (line == "error\n") throw Error("an error");
    if (line == "cancelled\n") throw CancelledError();
    co_await stream.write(line);
}

Co<std::string> ask(Endpoint server, std::string line) {
    Stream stream = co_await connect(server);
    co_await stream.write(line);
    co_return co_await stream.read(100);
}

}  // namespace

// What was no std::exception went through the group of connections and ended the server.
TEST(Server, WhateverAHandlerThrowsEndsItsConnectionOnly) {
    run([]() -> Co<> {
        const Server server = start_server(throw_what_is_asked, {IpAddress::loopback(), 0});
        for (const char* line : {"number\n", "text\n", "exit\n", "error\n", "cancelled\n"}) {
            EXPECT_EQ(co_await wait_for(ask(server.local(), line), 10s), "") << line;
            EXPECT_EQ(co_await wait_for(ask(server.local(), "still\n"), 10s), "still\n") << line;
        }
    }());
}

// Linux passes errors of the new connection on to accept(); they ended the server.
TEST(Server, AnErrorOfOneConnectionIsNotTheListenersOwn) {
    for (const int error : {ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET,
                            EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM}) {
        EXPECT_TRUE(detail::is_of_one_connection(error)) << error;
    }
    for (const int error : {EBADF, EINVAL, ENOTSOCK, EFAULT, EMFILE, ENOBUFS}) {
        EXPECT_FALSE(detail::is_of_one_connection(error)) << error;
    }
}

}  // namespace weft::aio
