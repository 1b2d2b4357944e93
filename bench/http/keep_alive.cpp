// The CPU time of a request on a kept connection, beside wrk's; and what it allocates.
#include <charconv>
#include <cstdio>

#include "aio/loop/run.h"
#include "bench/figure.h"
#include "bench/http/fetching.h"
#include "bench/http/nginx.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {
std::uint64_t allocation_count = 0;
}

// operator new and every library pass here.
extern "C" void* malloc(std::size_t size) {
    ++allocation_count;
    return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) {
    ++allocation_count;
    return __libc_calloc(count, size);
}
extern "C" void* realloc(void* memory, std::size_t size) {
    ++allocation_count;
    return __libc_realloc(memory, size);
}

namespace weft::bench {
namespace {

constexpr int kConnections = 32;
constexpr int kRounds = 3;

// Seconds of CPU for a request.
aio::Co<double> measure_ours(http::Client& client, web::Url url, std::size_t count) {
    CountingSink sink;
    std::size_t left = count;
    const double before = cpu_seconds();
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        for (int i = 0; i < kConnections; ++i) {
            group.create_task(fetch_repeatedly(client, url, left, sink));
        }
        co_return;
    });
    co_return (cpu_seconds() - before) / static_cast<double>(count);
}

double measure_wrk(const std::string& url) {
    const Ended ended = run_child(
        {"wrk", "-t1", fmt::format("-c{}", kConnections), "-d2s", "--timeout", "10s", url});
    const std::size_t end = ended.output.find(" requests in ");
    if (ended.status != 0 || end == std::string::npos) give_up("wrk failed: " + ended.output);
    const std::size_t begin = ended.output.rfind('\n', end) + 1;
    const std::size_t digits = ended.output.find_first_not_of(' ', begin);
    double count = 0;
    std::from_chars(&ended.output[digits], &ended.output[end], count);
    return ended.cpu / count;
}

// The best of a few runs of each, taken in turn so that both see the same machine.
void compare(const Nginx& nginx, std::string_view scheme, std::string_view path,
             std::size_t count) {
    const std::uint16_t port = scheme == "https" ? nginx.tls_port : nginx.plain_port;
    const web::Url url = url_of(scheme, 1, port, path);
    double ours = 1;
    double theirs = 1;
    aio::run([](const Nginx& server, const web::Url& what, std::size_t times, double& best,
                double& wrk_best) -> aio::Co<> {
        http::Client client(client_options(server.ca_file()));
        co_await measure_ours(client, what, times / 10);
        for (int i = 0; i < kRounds; ++i) {
            const double cpu = co_await measure_ours(client, what, times);
            best = std::min(best, cpu);
            wrk_best = std::min(wrk_best, measure_wrk(std::string(what.href())));
        }
    }(nginx, url, count, ours, theirs));
    const std::string name = fmt::format("{}, {}", path.substr(1), scheme);
    figure(fmt::format("CPU per request on a kept connection, {}", name), ours * 1e6, "us");
    figure(fmt::format("the same for wrk, {}", name), theirs * 1e6, "us");
    figure(fmt::format("CPU per request to wrk's, {}", name), ours / theirs, "x", "<=1.25");
}

aio::Co<> count_allocations(const Nginx& nginx) {
    constexpr std::size_t kCount = 10'000;
    http::Client client(client_options());
    const http::Request request{.url = url_of("http", 1, nginx.plain_port, "/1k")};
    CountingSink sink;
    http::Response response;
    for (int i = 0; i < 100; ++i) co_await fetch_into(client, request, sink, response);
    const std::uint64_t before = allocation_count;
    for (std::size_t i = 0; i < kCount; ++i) co_await fetch_into(client, request, sink, response);
    figure("allocations per steady request",
           static_cast<double>(allocation_count - before) / kCount, "", "<=0");
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const Nginx nginx;
    stay_on(Core::client);
    compare(nginx, "http", "/1k", 60'000);
    compare(nginx, "http", "/25k", 40'000);
    compare(nginx, "https", "/1k", 40'000);
    compare(nginx, "https", "/25k", 20'000);
    weft::aio::run(count_allocations(nginx));
}
