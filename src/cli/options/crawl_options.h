#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/extract/use_options.h"
#include "cli/options/access_options.h"
#include "cli/options/option_table.h"
#include "cli/options/show_options.h"
#include "crawl/folder/folder.h"
#include "crawl/run/config.h"

namespace weft::cli {

// Where the queue of a crawl on several machines is.
struct ClusterArguments {
    std::string url;  // redis://...; empty: the queue is in the crawl's folder.
    std::string ca_file;
    std::string certificate;
    std::string key;
};

// A crawl, as the command line describes it. An option is parsed straight into the field that it
// sets; what depends on several options or on files is set by complete().
struct CrawlJob {
    CrawlJob();

    crawl::Config config;
    crawl::FolderOptions folder;
    std::optional<std::size_t> threads;  // Empty: one for each core.
    bool is_resumed = false;
    bool retries_failed = false;  // Only if is_resumed.
    bool fails_on_broken = false;
    bool is_joined = false;  // It joins a crawl of several machines that is under way.
    ClusterArguments cluster;
    std::vector<std::string> logs;  // See CrawlLog::names().
    std::string metrics;            // The address that serves them; empty: they are not served.
    bool makes_wacz = false;
    std::filesystem::path mirror;  // A folder for a copy that can be browsed; empty: no copy.
    std::string to;                // "-": the texts go to standard output, too.
    UseArguments use;              // Of the texts.
    ShowArguments show;

    // What complete() looks at.
    std::vector<std::string> urls;
    std::string input_file;    // A file of URLs, one per line; "-": standard input.
    std::string crawl_folder;  // Of resume, recrawl and repair: the crawl that there is.
    std::filesystem::path
        directory_prefix;  // The folder for config.output, unless that is absolute.
    std::string earlier;   // The folder of an earlier crawl.
    std::uint64_t memory_bytes = 512_MiB;
    AccessOptions access;
    bool has_url_login = false;  // Set by complete(): a seed had a user or password.
};

// The commands `crawl`, `resume` and `recrawl`. All take the same options.
void add_crawl(CLI::App& app, CrawlJob& job);
void add_resume(CLI::App& app, CrawlJob& job);
void add_recrawl(CLI::App& app, CrawlJob& job);

// The command `join`. It accepts these options too, because they are settings of the crawl, but
// only those of one machine can be typed.
void add_join(CLI::App& app, CrawlJob& job);

// The ways to reach a cluster, for the other commands that do.
void add_cluster_access(CLI::App& command, ClusterArguments& cluster);

// Whether an option is about one machine, not about the crawl.
bool is_local(std::string_view key);

// The command `repair`. It accepts these options too, because they are settings of the crawl, but
// its help shows none of them.
void add_repair(CLI::App& app, CrawlJob& job);

// Seeds, scope, budgets, politeness and identity: for other commands that crawl.
void add_crawl_basics(CLI::App& command, CrawlJob& job);

// How an option of these commands is stored in a crawl's folder. `key` is its first long name
// without dashes.
Keeping keeping_of(std::string_view key);

// Sets the seeds from the typed URLs and the input file, unless they are set. Throws UsageError.
void read_seeds(CrawlJob& job);

// Sets what depends on several options, on files or on the environment. Throws a UsageError that
// names the option and the values that it takes.
void complete(CrawlJob& job);

// Sets the options of the folder that follow from the configuration. Call it when config.output is
// final.
void complete_folder(CrawlJob& job);

// The names of options whose value must not be stored with a crawl, though that of others is,
// because it gives access to something (H121). For --header there is one entry per field:
// "header X-Api-Key".
std::vector<std::string> secret_options(const CrawlJob& job);

// Whether the crawl uses credentials of the user. Then only the user may read its files.
bool has_secrets(const CrawlJob& job);

}  // namespace weft::cli
