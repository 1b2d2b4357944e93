#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "aio/loop/run.h"
#include "aio/net/stream.h"
#include "aio/sync/semaphore.h"
#include "aio/task/gather.h"
#include "bench/aio/holder.h"
#include "bench/figure.h"

// How many connections can sleep at once, each with a task that waits for the first byte: on one
// thread, and on this machine. They count when they were all open and then all woken.
namespace weft::bench {
namespace {

using aio::Co;

constexpr std::size_t kConnectingMax = 256;  // A listener's queue is short.
constexpr std::size_t kReserve = 100;        // Of descriptors, for everything else.
constexpr std::size_t kInAll = 100'000;

Co<bool> sleep_on_one(aio::Endpoint endpoint, aio::Semaphore& connecting) {
    std::optional<aio::Stream> stream;
    {
        const auto turn = co_await connecting.acquire();
        stream = co_await aio::connect(endpoint);
    }
    const bool woken = co_await stream->fill();
    co_return woken;
}

using Endpoints = std::span<const aio::Endpoint>;

Co<std::size_t> sleep_on_all(Endpoints endpoints, std::size_t count_each) {
    aio::Semaphore connecting(kConnectingMax);
    std::vector<Co<bool>> sleepers;
    sleepers.reserve(endpoints.size() * count_each);
    for (std::size_t i = 0; i < count_each; ++i) {
        for (const aio::Endpoint& endpoint : endpoints) {
            sleepers.push_back(sleep_on_one(endpoint, connecting));
        }
    }
    const std::vector<bool> woken = co_await aio::gather(std::move(sleepers));
    co_return static_cast<std::size_t>(std::count(woken.begin(), woken.end(), true));
}

// Each process sleeps on `count` connections to two servers, all on addresses of their own. A pair
// of addresses has ports for 28,232 connections, but past the first half connect() looks long for a
// free one.
std::size_t sleepers_on(std::size_t processes, std::size_t count) {
    std::vector<Holder> holders;
    std::vector<aio::Endpoint> endpoints;
    for (std::size_t i = 0; i < processes * 2; ++i) {
        holders.emplace_back(static_cast<std::uint8_t>(i + 1), count / 2);
        endpoints.push_back(holders.back().endpoint());
    }
    std::vector<Child> sleepers;
    for (std::size_t i = 0; i < processes; ++i) {
        sleepers.emplace_back([&] {
            raise_descriptor_limit();
            const Endpoints own = Endpoints(endpoints).subspan(i * 2, 2);
            fmt::print("{}\n", aio::run(sleep_on_all(own, count / 2)));
        });
    }
    for (Holder& holder : holders) holder.wait_full();
    for (Holder& holder : holders) holder.release();
    std::size_t woken = 0;
    for (Child& sleeper : sleepers)
        woken += static_cast<std::size_t>(number_at(sleeper.read_line()));
    return woken;
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const std::size_t on_one = std::min(raise_descriptor_limit() - kReserve, std::size_t{24'000});
    figure("sleeping connections on one thread", static_cast<double>(sleepers_on(1, on_one)),
           "count", ">=15000");
    const std::size_t processes = (kInAll + on_one - 1) / on_one;
    figure(fmt::format("sleeping connections of {} processes", processes),
           static_cast<double>(sleepers_on(processes, kInAll / processes + 2)), "count",
           ">=100000");
}
