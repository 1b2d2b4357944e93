// The client speaks HTTP/2 where it may: against nghttp2's own server side, in virtual time.
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/task_group.h"
#include "http/client/client.h"
#include "support/h2_server.h"

namespace weft::http {
namespace {

using aio::Co;
using aio::SimulatedLoop;
using tests::H2Server;

constexpr std::uint32_t kRefusedStream = 7;

struct Fetched {
    Response response;
    std::string content;
};

Co<Fetched> fetch(Client& client, std::string path, std::string origin = "http://a.test") {
    ContentBuffer buffer;
    Response response =
        co_await client.fetch({.url = web::Url::parse(origin + path).value()}, buffer);
    co_return Fetched{std::move(response), std::move(buffer.content)};
}

Co<> serve_all(std::unique_ptr<aio::Listener> listener, H2Server& server, int& connection_count) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            std::unique_ptr<aio::Transport> transport = co_await listener->accept();
            ++connection_count;
            group.create_task(server.talk(aio::Stream(std::move(transport))));
        }
    });
}

// Runs the body with a client that knows that the server speaks HTTP/2, on the ports 80 and 81; how
// many connections it took.
template <class Body>
int with_client(H2Server& server, Body body, PoolLimits pool = {}) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(10ms);
    int connection_count = 0;
    loop.run([](auto& network, auto& serving, int& count, auto& running,
                PoolLimits limits) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (const std::uint16_t port : {std::uint16_t{80}, std::uint16_t{81}}) {
                group.create_task(serve_all(network.listen("a.test", port), serving, count));
            }
            ClientOptions options{.protocols = Protocols::http2_prior_knowledge, .pool = limits};
            options.addresses.allow(*AddressRange::parse("0.0.0.0/0"));
            Client client(std::move(options));
            co_await running(client);
            group.cancel();
        });
    }(loop.network(), server, connection_count, body, pool));
    return connection_count;
}

}  // namespace

TEST(H2Client, FetchesOfOneHostShareAConnection) {
    H2Server server;
    for (int i = 0; i < 20; ++i) {
        server.replies["/" + std::to_string(i)] = {.body = std::to_string(i)};
    }
    const int connections = with_client(server, [](Client& client) -> Co<> {
        std::vector<aio::Task<Fetched>> tasks;
        for (int i = 0; i < 20; ++i) {
            tasks.push_back(aio::create_task(fetch(client, "/" + std::to_string(i))));
        }
        for (int i = 0; i < 20; ++i) {
            const Fetched answered = co_await std::move(tasks[static_cast<std::size_t>(i)]);
            EXPECT_EQ(answered.content, std::to_string(i));
            EXPECT_EQ(answered.response.protocol, "h2");
        }
        const Fetched later = co_await fetch(client, "/3");
        EXPECT_TRUE(later.response.reused_connection);
    });
    EXPECT_EQ(connections, 1);
    EXPECT_GT(server.open_count_max, 10u);
}

TEST(H2Client, H51ARefusedStreamIsTriedOnceMoreAndNoMore) {
    H2Server server;
    server.replies["/no"] = {.code = kRefusedStream};
    with_client(server, [](Client& client) -> Co<> {
        bool failed = false;
        try {
            co_await fetch(client, "/no");
        } catch (const FetchError&) {
            failed = true;
        }
        EXPECT_TRUE(failed);
    });
    EXPECT_EQ(server.seen.size(), 2u);
}

TEST(H2Client, AnIdleConnectionMakesWayForAFetchThatWaits) {
    H2Server server;
    server.replies["/"] = {.body = "here"};
    const int connections =
        with_client(server,
                    [](Client& client) -> Co<> {
                        const aio::Task<Fetched> first = aio::create_task(fetch(client, "/"));
                        const aio::Task<Fetched> second =
                            aio::create_task(fetch(client, "/", "http://a.test:81"));

                        EXPECT_EQ((co_await first).content, "here");
                        EXPECT_EQ((co_await second).content, "here");
                        EXPECT_LT((co_await second).response.timings.total, 1s);
                    },
                    {.connections_max = 1});
    EXPECT_EQ(connections, 2);
}

TEST(H2Client, ACutAnswerLeavesTheOthersAlone) {
    H2Server server;
    server.replies["/stalls"] = {.body = "some", .stalls = true};
    server.replies["/page"] = {.body = "whole"};
    const int connections = with_client(server, [](Client& client) -> Co<> {
        {
            const Download download =
                co_await client.stream({.url = web::Url::parse("http://a.test/stalls").value()});
            EXPECT_EQ(download.response->status, 200);
        }
        const Fetched answered = co_await fetch(client, "/page");
        EXPECT_EQ(answered.content, "whole");
    });
    EXPECT_EQ(connections, 1);
    EXPECT_EQ(server.resets.size(), 1u);
}

}  // namespace weft::http
