#include "http/connect/pool.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "http/client/client.h"
#include "http/server/server.h"

namespace weft::http {
namespace {

using aio::Co;
using aio::SimulatedLoop;

web::Url parse(std::string_view text) {
    return web::Url::parse(text).value();
}

// Hosts that answer "/" after a second, and what is to be known of how they were asked.
struct Hosts {
    std::map<std::string, std::size_t> open;
    std::map<std::string, std::size_t> open_max;
    std::vector<std::string> order;
    std::size_t total = 0;
    std::size_t total_max = 0;

    Co<> serve(std::unique_ptr<aio::Listener> listener, std::string name) {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (;;) {
                std::unique_ptr<aio::Transport> transport = co_await listener->accept();
                group.create_task(answer(aio::Stream(std::move(transport)), name));
            }
        });
    }

    Co<> answer(aio::Stream stream, std::string name) {
        open_max[name] = std::max(open_max[name], ++open[name]);
        total_max = std::max(total_max, ++total);
        try {
            for (;;) {
                const std::string head = co_await stream.readuntil("\r\n\r\n", 10'000);
                order.push_back(head.substr(4, head.find(' ', 4) - 4));
                co_await aio::sleep(1s);
                co_await stream.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        } catch (const Error&) {  // The client closed.
        }
        --open[name];
        --total;
    }
};

// Runs `body(client, hosts)` with a.test, b.test and c.test; the last two share an address.
template <class Body>
Hosts with_hosts(PoolLimits limits, Body body) {
    SimulatedLoop loop;
    std::vector<std::pair<std::string, std::unique_ptr<aio::Listener>>> listeners;
    for (const char* name : {"a.test", "b.test"}) {
        listeners.emplace_back(name, loop.network().listen(name, 80));
    }
    loop.network().name("c.test").addresses({listeners[1].second->local().address});
    Hosts hosts;
    loop.run([](PoolLimits pool, Hosts& all, decltype(listeners)& places, Body& inner) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            for (auto& [name, listener] : places) {
                group.create_task(all.serve(std::move(listener), name));
            }
            Client client({.pool = pool});
            co_await inner(client, all);
            group.cancel();
        });
    }(limits, hosts, listeners, body));
    return hosts;
}

Co<> fetch(Client& client, std::string url) {
    ContentBuffer page;
    const Response response = co_await client.fetch({.url = parse(url)}, page);
    EXPECT_EQ(page.content, "ok");
}

Co<> fetch_all(Client& client, std::vector<std::string> urls) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (const std::string& url : urls) group.create_task(fetch(client, url));
        co_return;
    });
}

std::vector<std::string> numbered(std::string_view origin, int count) {
    std::vector<std::string> urls;
    for (int i = 0; i < count; ++i) urls.push_back(fmt::format("{}/{}", origin, i));
    return urls;
}

}  // namespace

TEST(Pool, F23AHostHasItsLimitAndItsLineIsInOrder) {
    const Hosts hosts = with_hosts({.per_host_max = 2}, [](Client& client, Hosts&) -> Co<> {
        co_await fetch_all(client, numbered("http://a.test", 6));
        EXPECT_EQ(aio::EventLoop::running().time().time_since_epoch() / 1s, 3);
    });

    EXPECT_EQ(hosts.open_max.at("a.test"), 2u);
    EXPECT_EQ(hosts.order, (std::vector<std::string>{"/0", "/1", "/2", "/3", "/4", "/5"}));
}

TEST(Pool, H17AnAddressHasItsLimitWhateverItsNames) {
    const Hosts hosts = with_hosts({.per_address_max = 2}, [](Client& client, Hosts&) -> Co<> {
        std::vector<std::string> urls = numbered("http://b.test", 2);
        for (const std::string& url : numbered("http://c.test", 2)) urls.push_back(url);
        co_await fetch_all(client, urls);
    });

    EXPECT_EQ(hosts.open_max.at("b.test"), 2u);
    EXPECT_EQ(hosts.order.size(), 4u);
}

TEST(Pool, F23AllTogetherHaveTheirLimit) {
    const Hosts hosts = with_hosts({.connections_max = 3}, [](Client& client, Hosts&) -> Co<> {
        std::vector<std::string> urls = numbered("http://a.test", 4);
        for (const std::string& url : numbered("http://b.test", 4)) urls.push_back(url);
        co_await fetch_all(client, urls);
    });

    EXPECT_EQ(hosts.total_max, 3u);
    EXPECT_EQ(hosts.order.size(), 8u);
}

TEST(Pool, F23TheOldestIdleConnectionGivesWay) {
    with_hosts({.connections_max = 2}, [](Client& client, Hosts& hosts) -> Co<> {
        co_await fetch(client, "http://a.test/1");
        co_await aio::sleep(1s);
        co_await fetch(client, "http://b.test/1");

        co_await fetch(client, "http://c.test/1");
        co_await aio::sleep(1s);

        EXPECT_EQ(hosts.open.at("a.test"), 0u);
        EXPECT_EQ(hosts.open.at("b.test"), 2u);
    });
}

TEST(Pool, AnIdleConnectionIsClosedInTheEnd) {
    with_hosts({.idle_time_max = 10s}, [](Client& client, Hosts& hosts) -> Co<> {
        co_await fetch(client, "http://a.test/1");
        co_await aio::sleep(11s);
        EXPECT_EQ(hosts.open.at("a.test"), 1u);  // Noticed when somebody looks.

        co_await fetch(client, "http://b.test/1");
        co_await aio::sleep(1s);

        EXPECT_EQ(hosts.open.at("a.test"), 0u);
    });
}

TEST(Pool, WhoIsCancelledInLineLeavesItAndLosesNothing) {
    for (const Duration when : {0ms, 500ms, 999ms, 1000ms, 1001ms, 1500ms}) {
        const Hosts hosts = with_hosts(
            {.connections_max = 1, .per_host_max = 1}, [when](Client& client, Hosts&) -> Co<> {
                co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                    group.create_task(fetch(client, "http://a.test/first"));
                    const aio::Task<> second =
                        group.create_task(fetch(client, "http://a.test/second"));
                    const aio::Task<> third =
                        group.create_task(fetch(client, "http://b.test/third"));
                    group.create_task(fetch(client, "http://a.test/last"));
                    co_await aio::sleep(when);
                    second.cancel();
                    third.cancel();
                });
            });
        EXPECT_EQ(hosts.order.back(), "/last") << when;
    }
}

TEST(Pool, H60AnotherSecretIsAnotherConnection) {
    const Hosts hosts = with_hosts({}, [](Client& client, Hosts&) -> Co<> {
        ResponseSink sink;
        Request request{.url = parse("http://a.test/1")};
        const Response first = co_await client.fetch({.url = request.url}, sink);
        request.headers.add("Authorization", "Bearer x");
        const Response other = co_await client.fetch(std::move(request), sink);
        const Response again = co_await client.fetch({.url = parse("http://a.test/2")}, sink);

        EXPECT_FALSE(other.reused_connection);
        EXPECT_TRUE(again.reused_connection);
    });

    EXPECT_EQ(hosts.open_max.at("a.test"), 2u);
}

TEST(Pool, H118WhatIsNoLongerAllowedIsNotUsedAgain) {
    with_hosts({}, [](Client& client, Hosts&) -> Co<> {
        ResponseSink sink;
        const Response first = co_await client.fetch({.url = parse("http://a.test/1")}, sink);
        client.addresses().deny(first.peer);

        bool denied = false;
        try {
            co_await client.fetch({.url = parse("http://a.test/2")}, sink);
        } catch (const FetchError& error) {
            denied = error.failure() == Failure::address_denied;
        }

        EXPECT_TRUE(denied);
    });
}

}  // namespace weft::http
