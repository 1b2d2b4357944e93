#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/fetch_options.h"
#include "demo/server/site.h"

// The commands that need no header of their own.
namespace weft::cli {

// Fetches one URL. Returns the exit status. Throws UsageError for bad arguments.
int run_fetch(FetchArguments& arguments);

struct ServeArguments {
    std::string folder = ".";
    std::uint16_t port = 8000;
    std::string bind = "127.0.0.1";
    std::vector<std::string> hosts;
    std::string tls_certificate;
    std::string tls_key;
    bool quiet = false;
};

void add_serve(CLI::App& app, ServeArguments& arguments);

// Serves a folder until a signal comes. Answers that have begun by then may finish.
int run_serve(const ServeArguments& arguments);

struct DemoSiteArguments {
    std::uint16_t port = 8080;
    demo::Options site;
};

void add_demo_site(CLI::App& app, DemoSiteArguments& arguments);

// Serves the demo web until a signal comes.
int run_demo_site(const DemoSiteArguments& arguments);

struct DemoArguments {};

void add_demo(CLI::App& app, DemoArguments& arguments);

// Serves the demo web on a free port, crawls it, shows the report, and says what to try next.
int run_demo(const DemoArguments& arguments);

}  // namespace weft::cli
