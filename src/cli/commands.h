#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "demo/site.h"

namespace weft::cli {

// `weft crawl`, as typed; text becomes values in run_crawl().
struct CrawlArguments {
    std::vector<std::string> urls;
    std::string output;
    std::optional<std::uint32_t> depth;
    std::optional<std::uint64_t> limit;
    std::optional<double> wait_seconds;
    std::size_t concurrency = 256;
    std::size_t max_per_host = 1;
    std::uint32_t tries = 3;
    std::string robots = "on";
    std::string user_agent = "weft/" WEFT_VERSION;
    double timeout_seconds = 120;
    std::vector<std::string> allow_nets;
    std::string ca_certificate;
    bool no_archive = false;
    bool quiet = false;
};

// Crawls and shows the report. Returns the exit status. Throws UsageError for bad arguments.
int run_crawl(const CrawlArguments& arguments);

struct ServeArguments {
    std::string folder = ".";
    std::uint16_t port = 8000;
    std::string bind = "127.0.0.1";
    std::vector<std::string> hosts;
    std::string tls_certificate;
    std::string tls_key;
    bool quiet = false;
};

// Serves a folder until a signal comes; what is under way then may finish.
int run_serve(const ServeArguments& arguments);

struct DemoSiteArguments {
    std::uint16_t port = 8080;
    double delay_seconds = 0;
    double slow_delay_seconds = 0.2;
    demo::Options site;
};

// Serves the made web until a signal comes.
int run_demo_site(const DemoSiteArguments& arguments);

// Serves the made web on a free port, crawls it, shows the report, and says what to try next.
int run_demo();

}  // namespace weft::cli
