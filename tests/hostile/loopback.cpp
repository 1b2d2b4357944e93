#include "hostile/loopback.h"

#include <ctime>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/net/ares_resolver.h"
#include "aio/net/caching_resolver.h"
#include "aio/task/task_group.h"

namespace weft::hostile {

using aio::Co;

namespace {

// The machine's network, but for its names.
class StubbedNetwork final : public aio::Network {
public:
    explicit StubbedNetwork(aio::Network& inner) : inner_(inner) {}

    void ask(const std::string& servers) {
        resolver_ = aio::make_caching_resolver(
            aio::make_ares_resolver({.servers = servers, .query_timeout = 50ms}));
    }

    [[clang::coro_wrapper]] Co<std::unique_ptr<aio::Transport>> connect(
        aio::Endpoint endpoint, std::optional<aio::IpAddress> local) override {
        return inner_.connect(endpoint, local);
    }
    std::unique_ptr<aio::Listener> listen(aio::Endpoint endpoint,
                                          aio::ListenOptions options) override {
        return inner_.listen(endpoint, options);
    }
    aio::Resolver& resolver() override { return *resolver_; }
    bool has_route(const aio::IpAddress& address) const override {
        return inner_.has_route(address);
    }
    void on_shutdown() noexcept override {
        resolver_.reset();
        inner_.on_shutdown();
    }

private:
    aio::Network& inner_;
    std::unique_ptr<aio::Resolver> resolver_;
};

void put_port(std::string& url, std::uint16_t port) {
    const std::size_t at = url.find(":0/");
    if (at != std::string::npos) url.replace(at, 2, fmt::format(":{}", port));
}

Co<LoopbackEnding> play(StubbedNetwork& network, LoopbackCase loopback_case) {
    LoopbackEnding ending;
    const aio::Endpoint any_port{aio::IpAddress::loopback(), 0};
    tests::DnsStub names;
    for (const auto& [name, answer] : loopback_case.names) names[name] = answer;
    network.ask(names.servers());
    ScriptedServer server(network.listen(any_port, {}), loopback_case.scripts);
    auto canary_listener = network.listen(any_port, {});
    Canary canary;
    if (loopback_case.has_canary) {
        canary.url = fmt::format("http://{}/", canary_listener->local().to_string());
    }
    const std::clock_t cpu_before = std::clock();
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        group.create_task(names.serve());
        group.create_task(server.serve());
        group.create_task(serve_canary(std::move(canary_listener)));
        http::ClientOptions options = loopback_case.fetches.front().client;
        options.addresses.allow(*http::AddressRange::parse("127.0.0.0/8"));
        http::Client client(std::move(options));
        for (Fetch& fetch : loopback_case.fetches) {
            put_port(fetch.url, server.local().port);
            ending.endings.push_back(co_await run_fetch(client, std::move(fetch), canary));
        }
        group.cancel();
    });
    ending.cpu_time =
        std::chrono::microseconds((std::clock() - cpu_before) * (1'000'000 / CLOCKS_PER_SEC));
    for (const auto& [name, answer] : loopback_case.names) {
        ending.question_counts[name] = names.question_count(name);
    }
    ending.connection_count = server.connection_count();
    co_return ending;
}

}  // namespace

LoopbackEnding run_on_loopback(LoopbackCase loopback_case) {
    aio::SystemPlatform system;
    aio::Platform platform = system.get();
    StubbedNetwork network(*platform.network);
    platform.network = &network;
    aio::EventLoop loop(platform);
    return aio::run_on(loop, play(network, std::move(loopback_case)));
}

}  // namespace weft::hostile
