// The memory of many answers that come slowly, all at once.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "aio/loop/run.h"
#include "aio/sync/event.h"
#include "aio/task/sleep.h"
#include "bench/figure.h"
#include "bench/http/child.h"
#include "bench/http/fetching.h"
#include "http/server/server.h"

namespace weft::bench {
namespace {

constexpr std::size_t kWanted = 15'000;
constexpr std::size_t kSpareFiles = 100;
constexpr std::size_t kDialing = 256;  // Connecting at one time, to spare the listeners' queues.
constexpr int kAddressCount = 8;

// Begins an answer and takes its time with the rest.
aio::Co<> dawdle(const http::ServerRequest&, http::Responder& responder) {
    co_await responder.start({}, 100);
    co_await responder.write("the first of it");
    for (;;) co_await aio::sleep(1h);
}

aio::Co<> serve(std::uint16_t port_count, int report) {
    http::ServerOptions options;
    options.connections_max = options.connections_per_peer_max = 1'000'000;
    http::HttpServer server(dawdle, std::move(options));
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        for (std::uint16_t i = 0; i < port_count; ++i) {
            auto listener = aio::EventLoop::running().network().listen(
                {aio::IpAddress::loopback(), 0}, {.backlog = 4'096});
            const std::uint16_t port = listener->local().port;
            if (::write(report, &port, sizeof port) != sizeof port) std::abort();
            group.create_task(server.serve(std::move(listener)));
        }
        co_return;
    });
}

// Kilobytes of this process that no file stands behind.
std::size_t anonymous_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != "RssAnon:") continue;
        std::size_t value = 0;
        status >> value;
        return value;
    }
    give_up("this kernel does not tell RssAnon");
}

class Waiting final : public http::ResponseSink {
public:
    Waiting(std::size_t& come, aio::Event& all, std::size_t wanted)
        : come_(come), all_(all), wanted_(wanted) {}
    void on_content(std::string_view) override {
        if (++come_ == wanted_) all_.set();
    }

private:
    std::size_t& come_;
    aio::Event& all_;
    std::size_t wanted_;
};

aio::Co<> wait_for_answer(http::Client& client, web::Url url, Waiting& sink) {
    co_await client.fetch({.url = std::move(url)}, sink);
}

aio::Co<> measure(std::vector<std::uint16_t> ports, std::size_t count) {
    http::ClientOptions options = client_options();
    allow_connections(options, count);
    options.limits.total_timeout = options.limits.idle_timeout = 10min;
    options.limits.first_byte_timeout = options.limits.connect_timeout = 10min;
    http::Client client(std::move(options));
    std::size_t come = 0;
    aio::Event all;
    Waiting sink(come, all, count);
    const std::size_t before = anonymous_kib();
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        for (std::size_t i = 0; i < count; ++i) {
            group.create_task(
                wait_for_answer(client, url_of("http", 1, ports[i % ports.size()], "/"), sink));
            while (i + 1 > come + kDialing) co_await aio::sleep(1ms);
        }
        co_await all.wait();
        const double bytes = static_cast<double>(anonymous_kib() - before) * 1'024;
        figure("slow answers at once", static_cast<double>(count), "");
        figure("memory of one of them", bytes / static_cast<double>(count), "B", "<=8192");
        group.cancel();
    });
}

// As many files as there may be, and so as many connections.
std::size_t raise_file_limit() {
    rlimit limit;
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return std::min<std::size_t>(kWanted, limit.rlim_cur - kSpareFiles);
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const std::size_t count = raise_file_limit();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return 1;
    const pid_t server = ::fork();
    if (server == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        stay_on(Core::server);
        weft::aio::run(serve(kAddressCount, ends[1]));
        return 0;
    }
    stay_on(Core::client);
    std::vector<std::uint16_t> ports(kAddressCount);
    for (std::uint16_t& port : ports) {
        if (::read(ends[0], &port, sizeof port) != sizeof port) give_up("the server is gone");
    }
    weft::aio::run(measure(ports, count));
    ::kill(server, SIGKILL);
    ::waitpid(server, nullptr, 0);
}
