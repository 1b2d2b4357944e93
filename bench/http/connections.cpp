// The CPU time of a request on a new connection, beside curl's; and how often TLS is resumed.
#include <cstdio>

#include "aio/loop/run.h"
#include "bench/figure.h"
#include "bench/http/fetching.h"
#include "bench/http/nginx.h"

namespace weft::bench {
namespace {

constexpr std::size_t kTasks = 32;
constexpr int kRounds = 3;

aio::Co<double> measure_ours(const Nginx& nginx, std::size_t count) {
    http::Client client(client_options());
    CountingSink sink;
    std::size_t left = count;
    const double before = cpu_seconds();
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        for (std::size_t i = 0; i < kTasks; ++i) {
            const int address = static_cast<int>(i % Nginx::kAddressCount) + 1;
            group.create_task(fetch_repeatedly(
                client, url_of("http", address, nginx.plain_once_port, "/1k"), left, sink));
        }
        co_return;
    });
    co_return (cpu_seconds() - before) / static_cast<double>(count);
}

double measure_curl(const Nginx& nginx, std::size_t count) {
    const std::string urls = fmt::format("http://127.0.0.[1-{}]:{}/1k?[1-{}]", Nginx::kAddressCount,
                                         nginx.plain_once_port, count / Nginx::kAddressCount);
    const Ended ended =
        run_child({"curl", "--silent", "--show-error", "--parallel", "--parallel-max",
                   std::to_string(kTasks), "--output", "/dev/null", urls});
    if (ended.status != 0) give_up("curl failed: " + ended.output);
    return ended.cpu / static_cast<double>(count);
}

void compare_new_connections(const Nginx& nginx) {
    constexpr std::size_t kCount = 8'000;
    double ours = 1;
    double theirs = 1;
    for (int i = 0; i < kRounds; ++i) {
        ours = std::min(ours, aio::run(measure_ours(nginx, kCount)));
        theirs = std::min(theirs, measure_curl(nginx, kCount));
    }
    // Either bar will do: the first depends on the machine.
    const bool is_cheap = ours * 1e6 <= 50;
    figure("CPU per request on a new connection", ours * 1e6, "us", is_cheap ? "<=50" : "-");
    figure("the same for curl --parallel", theirs * 1e6, "us");
    figure("CPU per new connection to curl's", ours / theirs, "x", is_cheap ? "-" : "<=0.5");
}

// Visits the same hosts again and again, a connection each time; nginx says what it resumed.
aio::Co<> count_resumptions(const Nginx& nginx) {
    constexpr int kVisits = 250;
    http::Client client(client_options(nginx.ca_file()));
    int revisits = 0;
    int resumed = 0;
    for (int visit = 0; visit < kVisits; ++visit) {
        for (int address = 1; address <= Nginx::kAddressCount; ++address) {
            http::ContentBuffer page;
            co_await client.fetch(
                {.url = url_of("https", address, nginx.tls_once_port, "/resumed")}, page);
            if (visit == 0) continue;
            ++revisits;
            if (page.content == "r") ++resumed;
        }
    }
    figure("TLS revisits that resume", 100.0 * resumed / revisits, "%", ">=95");
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const Nginx nginx;
    stay_on(Core::client);
    compare_new_connections(nginx);
    weft::aio::run(count_resumptions(nginx));
}
