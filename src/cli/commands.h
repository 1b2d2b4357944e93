#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "demo/server/site.h"

namespace CLI {
class App;
}

namespace weft::cli {

struct CrawlArguments;

// Crawls and shows the report. Returns the exit status. Throws UsageError for bad arguments.
int run_crawl(const CLI::App& command, const CrawlArguments& arguments);

// Continues a crawl. Returns the exit status. Throws UsageError for bad arguments.
int run_resume(const CLI::App& command, CrawlArguments& arguments);

struct FetchArguments;

// Fetches one URL. Returns the exit status. Throws UsageError for bad arguments.
int run_fetch(const FetchArguments& arguments);

struct ServeArguments {
    std::string folder = ".";
    std::uint16_t port = 8000;
    std::string bind = "127.0.0.1";
    std::vector<std::string> hosts;
    std::string tls_certificate;
    std::string tls_key;
    bool quiet = false;
};

// Serves a folder until a signal comes. Answers that have begun by then may finish.
int run_serve(const ServeArguments& arguments);

struct DemoSiteArguments {
    std::uint16_t port = 8080;
    double delay_seconds = 0;
    double slow_delay_seconds = 0.2;
    demo::Options site;
};

// Serves the demo web until a signal comes.
int run_demo_site(const DemoSiteArguments& arguments);

// Serves the demo web on a free port, crawls it, shows the report, and says what to try next.
int run_demo();

}  // namespace weft::cli
