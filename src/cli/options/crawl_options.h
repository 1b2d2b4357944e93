#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/access_options.h"
#include "cli/options/show_options.h"
#include "crawl/folder/folder.h"
#include "crawl/run/config.h"
#include "crawl/visit/trail.h"

namespace CLI {
class App;
}

namespace weft::cli {

// A crawl that no option changes: where the defaults below come from, so that they stand once.
inline const crawl::Config kDefaultConfig;

// `weft crawl` and `weft resume`, as typed; make_config() turns text into values.
struct CrawlArguments {
    std::vector<std::string> urls;
    std::string input_file;     // Of URLs, a line each; "-": standard input.
    std::string folder;         // Of resume: the crawl to go on with,
    bool retry_failed = false;  // its failures too.
    bool without_missing = false;

    std::string scope = "host";
    bool strict = false;  // Other words for a scope.
    bool lenient = false;
    bool no_parent = false;
    bool span_hosts = false;
    std::vector<std::string> domains;
    bool recursive = false;  // What happens anyway; wget users type it.
    std::vector<std::string> includes;
    std::vector<std::string> excludes;
    std::optional<std::uint32_t> depth;
    std::uint32_t extra_hops = 0;
    std::string requisites;
    std::uint32_t requisite_hops = kDefaultConfig.requisite_hops_max;
    bool page_requisites = false;
    std::vector<std::uint16_t> ports;
    std::uint32_t max_redirect = kDefaultConfig.redirect_count_max;
    bool no_sitemaps = false;
    bool keep_session_ids = false;
    std::string psl;

    std::optional<std::uint64_t> limit;
    std::optional<std::uint64_t> quota_bytes;
    std::optional<double> max_time_seconds;
    std::uint64_t host_limit = kDefaultConfig.host_budget.page_count_max.value_or(0);
    std::optional<std::uint64_t> host_quota_bytes;
    std::optional<double> host_time_seconds;
    std::optional<std::uint64_t> domain_limit;
    std::optional<std::uint64_t> domain_quota_bytes;
    std::optional<double> domain_time_seconds;
    std::uint64_t hosts_per_domain = kDefaultConfig.hosts_per_domain_max.value_or(0);
    std::uint64_t pattern_limit = 0;
    std::uint64_t disk_reserve_bytes = 1_GiB;

    std::size_t concurrency = kDefaultConfig.concurrency;
    std::optional<std::size_t> threads;  // None: as many as there are cores.
    std::size_t max_per_host = kDefaultConfig.max_per_host;
    std::optional<std::size_t> max_per_domain;
    std::optional<std::size_t> max_per_address;
    std::optional<double> rate_limit;  // Pages a second.
    std::optional<double> wait_seconds;
    std::uint32_t tries = kDefaultConfig.try_count_max;
    std::vector<int> retry_statuses = kDefaultConfig.retry_statuses;
    double max_retry_after_seconds = in_seconds(kDefaultConfig.retry_after_max);
    double timeout_seconds = in_seconds(kDefaultConfig.limits.total_timeout);
    double connect_timeout_seconds = in_seconds(kDefaultConfig.limits.connect_timeout);
    double dns_timeout_seconds = in_seconds(kDefaultConfig.limits.dns_timeout);
    double read_timeout_seconds = in_seconds(kDefaultConfig.limits.idle_timeout);
    std::uint64_t max_body_bytes = kDefaultConfig.limits.content_bytes_max;
    std::string robots = "on";
    std::string robots_403 = "allow";

    std::string user_agent = "weft/" WEFT_VERSION;
    std::string from;
    AccessArguments access;

    std::string directory_prefix;  // Where `output` is, unless that is an absolute path.
    std::string output;
    bool no_archive = false;
    bool archive_credentials = false;
    std::string compress = "gzip";
    bool wacz = false;
    std::string mirror;  // A folder for a copy that can be browsed; empty: none.
    std::uint64_t warc_max_bytes = 1_GiB;
    std::string warc_file = "weft";  // How the names of WARC files begin.
    bool warc_cdx = false;           // What happens anyway; wget users type it.
    bool links = false;
    bool text = false;
    std::string earlier;  // The folder of a crawl: ask only for what has changed since.
    bool near_duplicates = false;
    std::string sync = "interval";
    std::uint64_t memory_bytes = 512_MiB;
    std::string fail_on;
    std::vector<std::string> log_formats;
    bool jsonl = false;  // Another word for one of them.
    std::string metrics;
    ShowArguments show;
};

// The commands `crawl`, `resume` and `recrawl`; all take the same options.
void add_crawl(CLI::App& app, CrawlArguments& arguments);
void add_resume(CLI::App& app, CrawlArguments& arguments);
void add_recrawl(CLI::App& app, CrawlArguments& arguments);

// `repair`; it knows these options too, for they are settings of the crawl, but shows none.
void add_repair(CLI::App& app, CrawlArguments& arguments);

// Where to start, where to go, how much, how hard and who asks: for whatever else crawls.
void add_crawl_basics(CLI::App& command, CrawlArguments& arguments);

// Where to start, by the arguments: URLs typed and those of the input file. From then on all of
// them count as typed, and the file, which may be standard input, is not read again. Throws
// UsageError.
std::vector<web::Url> take_seeds(CrawlArguments& arguments);

// The crawl that the arguments describe. Reads the input file. Throws UsageError, which names the
// option and what it takes.
crawl::Config make_config(const CrawlArguments& arguments);

// The options that are not to be kept with a crawl, by their names: they let in somewhere (H121).
// Of
// --header each field has an entry: "header X-Api-Key".
std::vector<std::string> secret_options(const CrawlArguments& arguments);

// Whether the crawl is let in somewhere by what the user gave: then its files are the user's alone.
bool has_secrets(const CrawlArguments& arguments, const crawl::Config& config);
crawl::FolderOptions folder_options(const CrawlArguments& arguments, const crawl::Config& config);

}  // namespace weft::cli
