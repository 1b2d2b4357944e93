#include "cli/crawl/metrics.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "aio/files/files.h"
#include "aio/loop/loop.h"
#include "base/escape.h"
#include "http/connect/special_address.h"
#include "http/server/server.h"

namespace weft::cli {

using aio::Co;

namespace {

using Out = std::back_insert_iterator<std::string>;

// The head of a metric; its samples follow.
void begin(Out out, std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(out, "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

template <class Value>
void one(Out out, std::string_view name, std::string_view type, std::string_view help,
         Value value) {
    begin(out, name, type, help);
    fmt::format_to(out, "{} {}\n", name, value);
}

void add_urls(Out out, const crawl::Statistics& numbers) {
    begin(out, "weft_urls_total", "counter", "URLs that reached their end, by kind of end.");
    const std::pair<std::string_view, std::uint64_t> rows[] = {{"fetched", numbers.fetched_count},
                                                               {"redirect", numbers.redirect_count},
                                                               {"denied", numbers.denied_count},
                                                               {"skipped", numbers.skipped_count},
                                                               {"failed", numbers.failed_count}};
    for (const auto& [ending, count] : rows) {
        fmt::format_to(out, "weft_urls_total{{ending=\"{}\"}} {}\n", ending, count);
    }
    begin(out, "weft_responses_total", "counter", "Answers that counted, by status.");
    for (const auto& [status, count] : numbers.by_status) {
        fmt::format_to(out, "weft_responses_total{{status=\"{}\"}} {}\n", status, count);
    }
    begin(out, "weft_failures_total", "counter", "URLs without an answer, by class of failure.");
    for (const auto& [failure, count] : numbers.by_failure) {
        fmt::format_to(out, "weft_failures_total{{class=\"{}\"}} {}\n", failure, count);
    }
    begin(out, "weft_links_refused_total", "counter", "Links not followed, by rule.");
    for (const auto& [rule, count] : numbers.refused) {
        fmt::format_to(out, "weft_links_refused_total{{rule=\"{}\"}} {}\n", name(rule), count);
    }
}

void add_process(Out out) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    one(out, "process_cpu_seconds_total", "counter", "CPU time, user and system.",
        seconds(usage.ru_utime) + seconds(usage.ru_stime));
    one(out, "process_max_resident_memory_bytes", "gauge", "The most memory held so far.",
        static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
}

}  // namespace

void Metrics::note(const crawl::Outcome& outcome) {
    // Only URLs that got a response.
    if (outcome.status == 0) return;
    const double seconds = in_seconds(outcome.elapsed);
    const auto* bound = std::ranges::lower_bound(kBounds, seconds);
    ++times_[static_cast<std::size_t>(bound - kBounds.begin())];
    seconds_sum_ += seconds;
}

std::string Metrics::to_text() const {
    std::string text;
    const Out out = std::back_inserter(text);
    const crawl::Statistics numbers = crawl_.numbers();
    const frontier::Counts counts = crawl_.counts();
    begin(out, "weft_build_info", "gauge", "The version, as a label; always 1.");
    fmt::format_to(out, "weft_build_info{{version=\"" WEFT_VERSION "\"}} 1\n");
    add_urls(out, numbers);
    one(out, "weft_retries_total", "counter", "Tries after the first.", numbers.retry_count);
    one(out, "weft_content_bytes_total", "counter", "Bytes of content, decoded.",
        numbers.content_bytes);
    one(out, "weft_duplicates_total", "counter", "Pages whose content another had before.",
        numbers.duplicate_count);
    one(out, "weft_urls_seen", "gauge", "URLs ever queued.", counts.seen);
    one(out, "weft_urls_waiting", "gauge", "URLs in the queue.", counts.waiting);
    one(out, "weft_urls_under_way", "gauge", "URLs being fetched.", counts.lent);
    one(out, "weft_hosts_active", "gauge", "Hosts with a fetch under way.",
        crawl_.active_host_count());
    const Duration elapsed = aio::EventLoop::running().time() - numbers.started;
    one(out, "weft_crawl_seconds", "gauge", "How long this run has taken.", in_seconds(elapsed));
    begin(out, "weft_fetch_duration_seconds", "histogram", "From the start of a fetch to its end.");
    std::uint64_t total = 0;  // Buckets of a Prometheus histogram are cumulative.
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
        total += times_[i];
        fmt::format_to(out, "weft_fetch_duration_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i],
                       total);
    }
    total += times_.back();
    fmt::format_to(out,
                   "weft_fetch_duration_seconds_bucket{{le=\"+Inf\"}} {0}\n"
                   "weft_fetch_duration_seconds_sum {1}\n"
                   "weft_fetch_duration_seconds_count {0}\n",
                   total, seconds_sum_);
    add_process(out);
    return text;
}

Co<> Metrics::serve(std::unique_ptr<aio::Listener> listener) {
    http::ServerOptions options;
    const aio::IpAddress address = listener->local().address;
    // On loopback, only names of this machine are accepted in the Host header. On other addresses a
    // Prometheus server may use any name; the numbers contain nothing of the pages.
    if (http::special_range(address) && http::special_range(address)->name == "loopback") {
        options.hosts = http::HostList::of(address);
    }
    options.connections_max = 64;
    const auto answer = [this](const http::ServerRequest& request,
                               http::Responder& responder) -> Co<> {
        if (request.method != "GET" && request.method != "HEAD") throw http::HttpRefusal(405);
        if (request.path() == "/") {
            throw http::HttpRefusal(404, "the numbers are at /metrics");
        }
        if (request.path() != "/metrics") throw http::HttpRefusal(404);
        http::Reply reply{.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
                          .body = to_text()};
        co_await responder.reply(std::move(reply));
    };
    co_await http::serve(std::move(listener), answer, options);
}

aio::Endpoint parse_metrics_address(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    const std::string_view port_text =
        std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1);
    std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host.empty() || host == "localhost") host = "127.0.0.1";
    std::uint16_t port = 0;
    const auto read = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
    const auto address = aio::IpAddress::parse(host);
    const bool is_port = read.ec == std::errc() && read.ptr == port_text.data() + port_text.size();
    if (!address || !is_port || port_text.empty()) {
        throw UsageError(
            fmt::format("--metrics '{}': not an address and a port; write it like 127.0.0.1:9090",
                        escape_for_terminal(text)));
    }
    return {*address, port};
}

}  // namespace weft::cli
