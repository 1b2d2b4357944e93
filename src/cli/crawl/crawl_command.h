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

// One crawl from the command line's point of view.
struct CrawlJob {
    crawl::Config config;
    crawl::FolderOptions folder;
    std::size_t shard_count = 1;
    aio::ResolverOptions resolver;
    bool is_resumed = false;
    bool retries_failed = false;  // Of a resumed one.
    std::string cookie_file;      // Where cookies are kept after; empty: nowhere.
    bool fails_on_broken = false;
    std::vector<std::string> logs;  // See CrawlLog::names().
    std::string metrics;            // Where to serve them; empty: nowhere.
    Show show = make_show({});
    bool makes_wacz = false;
    std::filesystem::path mirror;  // Empty: none is made.
    bool shows_report = true;
};

// Runs it with its progress, signals and report. Returns the exit status.
aio::Co<int> crawl_and_report(CrawlJob job);

// What the command line leaves open is as the crawl in the folder was begun with. Throws UsageError
// if there is none.
void apply_settings_of(const std::string& folder, CLI::App& command, const CLI::App& app);

// The same for `repair`: settings that are damaged are restored first.
void apply_repaired_settings_of(const std::string& folder, CLI::App& command, const CLI::App& app);

// The same for a crawl of its own that asks only for what has changed since.
void apply_settings_of_earlier(const std::string& folder, CLI::App& command, const CLI::App& app);

}  // namespace weft::cli
