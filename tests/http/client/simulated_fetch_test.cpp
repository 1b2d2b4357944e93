// The client and the server, unchanged, in virtual time: every moment can be named exactly.
#include <gtest/gtest.h>

#include "aio/net/stream.h"
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

// Answers every path with its own name; /slow after a minute.
const auto answer = [](const ServerRequest& request, Responder& responder) -> Co<> {
    if (request.target == "/slow") co_await aio::sleep(60s);
    if (request.target == "/stall") {
        co_await responder.stream().write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        co_await aio::sleep(1h);
    }
    const std::size_t more = request.target == "/big" ? 1'000'000 : 0;
    co_await responder.reply({.body = "this is " + request.target + std::string(more, '.')});
};

struct Ending {
    std::string content;
    std::string_view failure;
    Duration when{};
};

Co<Ending> fetch(Client& client, std::string url) {
    Ending ending;
    try {
        ContentBuffer page;
        co_await client.fetch({.url = parse(url)}, page);
        ending.content = std::move(page.content);
    } catch (const FetchError& error) {
        ending.failure = name(error.failure());
    }
    ending.when = aio::EventLoop::running().time().time_since_epoch();
    co_return ending;
}

Co<Ending> serve_and_fetch(std::unique_ptr<aio::Listener> listener, std::string url) {
    co_return co_await aio::task_group([&](aio::TaskGroup& group) -> Co<Ending> {
        group.create_task(serve(std::move(listener), answer));
        Client client;
        Ending ending = co_await fetch(client, url);
        group.cancel();
        co_return ending;
    });
}

Ending fetch_from(SimulatedLoop& loop, std::string path) {
    auto listener = loop.network().listen("a.test", 80);
    return loop.run(serve_and_fetch(std::move(listener), "http://a.test" + path));
}

}  // namespace

TEST(SimulatedFetch, TakesTwoRoundTripsAndTheTimeOfTheName) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(20ms);
    loop.network().name("a.test").delay(7ms);

    const Ending ending = fetch_from(loop, "/page");

    EXPECT_EQ(ending.content, "this is /page");
    EXPECT_EQ(ending.when, 7ms + 80ms);
}

TEST(SimulatedFetch, H12AMuteNameServerEndsAtTheNameTimeout) {
    SimulatedLoop loop;
    loop.network().name("a.test").fails(aio::NameFault::no_answer);

    const Ending ending = fetch_from(loop, "/");

    EXPECT_EQ(ending.failure, "dns_timeout");
    EXPECT_EQ(ending.when, FetchLimits{}.dns_timeout);
}

TEST(SimulatedFetch, H06ABlackHoleEndsAtTheConnectTimeout) {
    SimulatedLoop loop;
    loop.network().host("a.test").reach(aio::Reach::black_hole);

    const Ending ending = fetch_from(loop, "/");

    EXPECT_EQ(ending.failure, "connect_timeout");
    EXPECT_EQ(ending.when, FetchLimits{}.connect_timeout);
}

TEST(SimulatedFetch, H02ASilentServerEndsAtTheFirstByteTimeout) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(10ms);

    const Ending ending = fetch_from(loop, "/slow");

    EXPECT_EQ(ending.failure, "first_byte_timeout");
    EXPECT_EQ(ending.when, 20ms + FetchLimits{}.first_byte_timeout);
}

TEST(SimulatedFetch, H02AStalledBodyEndsAtTheIdleTimeout) {
    SimulatedLoop loop;
    loop.network().host("a.test").latency(10ms);

    const Ending ending = fetch_from(loop, "/stall");

    EXPECT_EQ(ending.failure, "idle_timeout");
    EXPECT_EQ(ending.when, 40ms + FetchLimits{}.idle_timeout);
}

TEST(SimulatedFetch, H03ALinkBelowTheLeastRateIsTooSlowAfterTheWindow) {
    SimulatedLoop loop;
    loop.network().host("a.test").bandwidth(200).segments(100);

    const Ending ending = fetch_from(loop, "/big");

    EXPECT_EQ(ending.failure, "too_slow");
    EXPECT_GE(ending.when, FetchLimits{}.rate_window);
    EXPECT_LE(ending.when, FetchLimits{}.rate_window + 2s);
}

TEST(SimulatedFetch, H03ALongBodyEndsAtTheTotalTimeout) {
    SimulatedLoop loop;
    loop.network().host("a.test").bandwidth(2'000);

    const Ending ending = fetch_from(loop, "/big");

    EXPECT_EQ(ending.failure, "total_timeout");
    EXPECT_EQ(ending.when, FetchLimits{}.total_timeout);
}

TEST(SimulatedFetch, H01AResetInTheMiddleOfTheHeadIsAReset) {
    SimulatedLoop loop;
    loop.network().host("a.test").resets_after(10);

    EXPECT_EQ(fetch_from(loop, "/page").failure, "reset");
}

TEST(SimulatedFetch, H11ANameThatIsNotThereIsNoSuchHost) {
    SimulatedLoop loop;
    loop.network().name("a.test").fails(aio::NameFault::no_such_name);

    EXPECT_EQ(fetch_from(loop, "/").failure, "no_such_host");
}

}  // namespace weft::http
