#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "cli/options/show_options.h"
#include "crawl/folder/folder.h"
#include "crawl/run/config.h"

namespace CLI {
class App;
}

namespace weft::cli {

// One crawl, as the command line describes it.
struct CrawlJob {
    crawl::Config config;
    crawl::FolderOptions folder;
    std::size_t shard_count = 1;
    aio::ResolverOptions resolver;
    bool is_resumed = false;
    bool retries_failed = false;  // Only if is_resumed.
    std::string cookie_file;      // Cookies are written here at the end; empty: they are not.
    bool fails_on_broken = false;
    std::vector<std::string> logs;  // See CrawlLog::names().
    std::string metrics;            // The address that serves them; empty: they are not served.
    Show show = make_show({});
    bool makes_wacz = false;
    std::filesystem::path mirror;  // Empty: no mirror.
    bool shows_report = true;
};

// Runs the crawl, with progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

// Sets the options that the command line leaves open to the values with which the crawl in the
// folder was started. Throws UsageError if there is no crawl.
void apply_settings_of(const std::string& folder, CLI::App& command, const CLI::App& app);

// The same for `repair`: damaged settings are restored first.
void apply_repaired_settings_of(const std::string& folder, CLI::App& command, const CLI::App& app);

// The same for `recrawl`: a new crawl that fetches only what has changed since the one in the
// folder.
void apply_settings_of_earlier(const std::string& folder, CLI::App& command, const CLI::App& app);

}  // namespace weft::cli
