#include "http/client/bandwidth.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/gather.h"
#include "aio/task/task_group.h"
#include "http/client/client.h"
#include "http/server/server.h"

namespace weft::http {
namespace {

using aio::Co;
using aio::SimulatedLoop;

constexpr std::size_t kBodyBytes = 1'000'000;

const auto answer_large = [](const ServerRequest&, Responder& responder) -> Co<> {
    co_await responder.reply({.body = std::string(kBodyBytes, '.')});
};

Co<std::size_t> fetch(std::shared_ptr<Bandwidth> bandwidth) {
    Client client({.bandwidth = std::move(bandwidth)});
    ContentBuffer page;
    try {
        co_await client.fetch({.url = web::Url::parse("http://a.test/").value()}, page);
    } catch (const FetchError&) {
        co_return 0;
    }
    co_return page.content.size();
}

// What so many clients at once get, in virtual time.
std::vector<std::size_t> fetch_at(SimulatedLoop& loop, std::uint64_t rate, std::size_t count) {
    const auto bandwidth = std::make_shared<Bandwidth>(rate);
    auto listener = loop.network().listen("a.test", 80);
    const auto all = [&]() -> Co<std::vector<std::size_t>> {
        co_return co_await aio::task_group(
            [&](aio::TaskGroup& group) -> Co<std::vector<std::size_t>> {
                group.create_task(serve(std::move(listener), answer_large, {.write_timeout = 1h}));
                std::vector<Co<std::size_t>> fetches;
                for (std::size_t i = 0; i < count; ++i) fetches.push_back(fetch(bandwidth));
                std::vector<std::size_t> sizes = co_await aio::gather(std::move(fetches));
                group.cancel();
                co_return sizes;
            });
    };
    return loop.run(all());
}

}  // namespace

TEST(Bandwidth, BytesWaitBehindAllThatCameBefore) {
    Bandwidth bandwidth(1'000);
    const TimePoint now{1h};

    EXPECT_EQ(bandwidth.take(500, now), now + 500ms);
    EXPECT_EQ(bandwidth.take(2'000, now), now + 2'500ms);
    EXPECT_EQ(bandwidth.free_at(), now + 2'500ms);
    EXPECT_EQ(bandwidth.take(1, now + 10s), now + 10s + 1ms);
}

// Far longer than a fetch may take, than a server may be silent, and below the least rate of one.
TEST(Bandwidth, NoDeadlineEndsAFetchThatWeSlowDown) {
    SimulatedLoop loop;

    const std::vector<std::size_t> sizes = fetch_at(loop, 500, 1);

    EXPECT_EQ(sizes, std::vector<std::size_t>{kBodyBytes});
    EXPECT_GE(loop.now(), 2'000s);
    EXPECT_LE(loop.now(), 2'001s);
}

TEST(Bandwidth, ConnectionsShareIt) {
    SimulatedLoop loop;

    const std::vector<std::size_t> sizes = fetch_at(loop, 100'000, 4);

    EXPECT_EQ(sizes, std::vector<std::size_t>(4, kBodyBytes));
    EXPECT_GE(loop.now(), 40s);
    EXPECT_LE(loop.now(), 41s);
}

TEST(Bandwidth, AServerThatIsTooSlowStillIs) {
    SimulatedLoop loop;
    loop.network().host("a.test").bandwidth(200).segments(100);

    const std::vector<std::size_t> sizes = fetch_at(loop, 100'000, 1);

    EXPECT_EQ(sizes, std::vector<std::size_t>{0});
    EXPECT_LE(loop.now(), FetchLimits{}.rate_window + 2s);
}

}  // namespace weft::http
