// HTTP/2, a hundred streams on one connection: CPU a request beside h2load's, against one nginx on
// the other core, in the same minute.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "aio/process/subprocess.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "bench/figure.h"
#include "http/h2/h2_connection.h"

namespace weft::http {
namespace {

using aio::Co;

constexpr std::uint16_t kPort = 18'443;
constexpr int kStreamCount = 100;
constexpr int kRoundCount = 2;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double cpu_seconds(int who) {
    rusage usage{};
    getrusage(who, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// A folder for nginx, gone afterwards.
class Site {
public:
    Site() : folder_(std::filesystem::temp_directory_path() / fmt::format("weft-h2-{}", getpid())) {
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "1k") << std::string(1'000, 'x');
        std::ofstream(folder_ / "25k") << std::string(25'000, 'x');
        std::ofstream(folder_ / "nginx.conf") << fmt::format(
            "daemon off; master_process off; worker_processes 1; pid {0}/pid; error_log {0}/log;\n"
            "events {{ worker_connections 1024; }}\n"
            "http {{ access_log off; keepalive_requests 1000000000; client_body_temp_path {0}/b;\n"
            "  proxy_temp_path {0}/p; fastcgi_temp_path {0}/f; uwsgi_temp_path {0}/u;\n"
            "  scgi_temp_path {0}/s; open_file_cache max=10;\n"
            "  server {{ listen 127.0.0.1:{1} http2; root {0}; }} }}\n",
            folder_.string(), kPort);
    }
    ~Site() { std::filesystem::remove_all(folder_); }
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    std::string config() const { return (folder_ / "nginx.conf").string(); }

private:
    std::filesystem::path folder_;
};

Co<> fetch(H2Connection& connection, const Request& request, const Headers& headers,
           Response& response) {
    static const FetchLimits limits;
    ResponseSink sink;
    FetchClock clock("127.0.0.1", limits.total_timeout);
    Conversation conversation{.request = request,
                              .target = request.url.path_and_query(),
                              .headers = headers,
                              .limits = limits,
                              .clock = clock,
                              .sink = sink,
                              .response = response};
    H2Exchange exchange(connection.channel());
    co_await exchange.start(conversation);
    for (;;) {
        const std::string_view piece = co_await exchange.read(conversation);
        if (piece.empty()) co_return;
    }
}

Co<> fetch_many(H2Connection& connection, std::string path, int& left) {
    const Request request{
        .url = web::Url::parse(fmt::format("http://127.0.0.1:{}/{}", kPort, path)).value()};
    Headers headers;
    headers.add("Host", request.url.host());
    headers.add("User-Agent", "weft/0.1");
    headers.add("Accept", "*/*");
    headers.add("Accept-Encoding", "gzip, br, zstd");
    Response response;  // Its memory is used again.
    while (left-- > 0) co_await fetch(connection, request, headers, response);
}

// Seconds of CPU a request: ours,
Co<double> measure(std::string path, int count) {
    aio::Stream stream = co_await aio::connect({aio::IpAddress::loopback(), kPort});
    H2Connection connection(std::move(stream));
    const double before = cpu_seconds(RUSAGE_SELF);
    int left = count;
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (int i = 0; i < kStreamCount; ++i) {
            group.create_task(fetch_many(connection, path, left));
        }
        co_return;
    });
    co_return (cpu_seconds(RUSAGE_SELF) - before) / count;
}

// and h2load's.
Co<double> measure_h2load(std::string path, int count) {
    const double before = cpu_seconds(RUSAGE_CHILDREN);
    aio::Process process = co_await aio::create_subprocess_exec(
        {"taskset", "-c", "0", "h2load", "-n", std::to_string(count), "-c", "1", "-m",
         std::to_string(kStreamCount), fmt::format("http://127.0.0.1:{}/{}", kPort, path)},
        {.standard_output = aio::Redirect::null});
    const int status = co_await process.wait();
    if (status != 0) throw Error("h2load failed");
    co_return (cpu_seconds(RUSAGE_CHILDREN) - before) / count;
}

Co<> wait_for_server() {
    for (int i = 0; i < 100; ++i) {
        try {
            co_await aio::connect({aio::IpAddress::loopback(), kPort});
            co_return;
        } catch (const aio::IoError&) {
        }
        co_await aio::sleep(20ms);
    }
    throw Error("nginx does not listen");
}

Co<> measure_page(std::string path, int count) {
    double ours = 1e300;
    double theirs = 1e300;
    for (int round = 0; round < kRoundCount; ++round) {
        const double other = co_await measure_h2load(path, count);
        const double own = co_await measure(path, count);
        theirs = std::min(theirs, other);
        ours = std::min(ours, own);
    }
    bench::figure(fmt::format("http2 {} page, 100 streams, CPU a request", path), ours * 1e6, "us");
    bench::figure(fmt::format("h2load's, {} page", path), theirs * 1e6, "us");
    bench::figure(fmt::format("http2 {} page, CPU of h2load's", path), ours / theirs, "x",
                  "<=1.25");
}

Co<> measure_all() {
    const Site site;
    aio::Process nginx = co_await aio::create_subprocess_exec(
        {"taskset", "-c", "1", "nginx", "-c", site.config()},
        {.standard_output = aio::Redirect::null, .standard_error = aio::Redirect::null});
    co_await wait_for_server();
    co_await measure_page("1k", 200'000);
    co_await measure_page("25k", 50'000);
    nginx.terminate();
    co_await nginx.wait();
}

}  // namespace
}  // namespace weft::http

int main() {
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    weft::aio::run(weft::http::measure_all());
}
