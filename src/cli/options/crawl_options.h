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

// A crawl without options. The defaults below are taken from it, so that each is written only once.
inline const crawl::Config kDefaultConfig;

// `weft crawl` and `weft resume`, as typed; make_config() turns text into values.
struct CrawlArguments {
    std::vector<std::string> urls;
    std::string input_file;     // A file of URLs, one per line; "-": standard input.
    std::string folder;         // For resume: the crawl to continue,
    bool retry_failed = false;  // and whether its failed URLs are tried again.
    bool without_missing = false;

    std::string scope = "host";
    bool strict = false;  // These three are short forms of --scope.
    bool lenient = false;
    bool no_parent = false;
    bool span_hosts = false;
    std::vector<std::string> domains;
    bool recursive = false;  // Accepted for wget's sake; crawls always follow links.
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
    std::optional<std::size_t> threads;  // Empty: one for each core.
    std::size_t max_per_host = kDefaultConfig.max_per_host;
    std::optional<std::size_t> max_per_domain;
    std::optional<std::size_t> max_per_address;
    std::optional<double> rate_limit;  // Pages per second.
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

    std::string directory_prefix;  // The folder for `output`, unless that is an absolute path.
    std::string output;
    bool no_archive = false;
    bool archive_credentials = false;
    std::string compress = "gzip";
    bool wacz = false;
    std::string mirror;  // A folder for a copy that can be browsed; empty: no copy.
    std::uint64_t warc_max_bytes = 1_GiB;
    std::string warc_file = "weft";  // The beginning of the names of WARC files.
    bool warc_cdx = false;           // Accepted for wget's sake; the index is always written.
    bool links = false;
    bool text = false;
    std::string earlier;  // The folder of an earlier crawl: fetch only what has changed since.
    bool near_duplicates = false;
    std::string sync = "interval";
    std::uint64_t memory_bytes = 512_MiB;
    std::string fail_on;
    std::vector<std::string> log_formats;
    bool jsonl = false;  // A short form of one log format.
    std::string metrics;
    ShowArguments show;
};

// The commands `crawl`, `resume` and `recrawl`. All take the same options.
void add_crawl(CLI::App& app, CrawlArguments& arguments);
void add_resume(CLI::App& app, CrawlArguments& arguments);
void add_recrawl(CLI::App& app, CrawlArguments& arguments);

// The command `repair`. It accepts these options too, because they are settings of the crawl, but
// its help shows none of them.
void add_repair(CLI::App& app, CrawlArguments& arguments);

// Seeds, scope, budgets, politeness and identity: for other commands that crawl.
void add_crawl_basics(CLI::App& command, CrawlArguments& arguments);

// The seeds: the typed URLs and those of the input file. After the call all of them are in
// `arguments.urls`, and the file, which may be standard input, is not read again. Throws
// UsageError.
std::vector<web::Url> take_seeds(CrawlArguments& arguments);

// The crawl that the arguments describe. Reads the input file. Throws a UsageError that names the
// option and the values that it takes.
crawl::Config make_config(const CrawlArguments& arguments);

// The names of the options that must not be stored with a crawl, because they give access to
// something (H121). For --header there is one entry per field: "header X-Api-Key".
std::vector<std::string> secret_options(const CrawlArguments& arguments);

// Whether the crawl uses credentials of the user. Then only the user may read its files.
bool has_secrets(const CrawlArguments& arguments, const crawl::Config& config);
crawl::FolderOptions folder_options(const CrawlArguments& arguments, const crawl::Config& config);

}  // namespace weft::cli
