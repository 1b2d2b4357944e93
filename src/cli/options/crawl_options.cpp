#include "cli/options/crawl_options.h"

#include <algorithm>

#include "cli/crawl/crawl_log.h"
#include "cli/options/typed_url.h"
#include "crawl/visit/trail.h"

namespace weft::cli {
namespace {

using enum Keeping;
using CrawlRow = OptionSpec<CrawlJob>;

constexpr std::uint64_t kMemoryMin = 64_MiB;    // Needed for 256 fetches at once; see MemoryPlan.
constexpr std::size_t kFileNameBytesMax = 200;  // Of 255; a time and a number are appended.

bool is_control(unsigned char c) {
    return c < 0x20 || c == 0x7f;
}

Choices<archive::Compression> compressions() {
    using enum archive::Packing;
    Choices<archive::Compression> all = {{"gzip", {gzip}}, {"zstd", {zstd}}, {"none", {none}}};
    for (int level = 1; level <= archive::GzipPacker::kLevelMax; ++level) {
        all.emplace_back(fmt::format("gzip:{}", level), archive::Compression{gzip, level});
    }
    return all;
}

// Each of these says what is wrong with a text; empty: nothing.

std::string complaint_about_pattern(const std::string& text) {
    const auto pattern = web::Pattern::parse(text);
    return pattern ? "" : pattern.error();
}

std::string complaint_about_domain(const std::string& text) {
    return domain_typed(text) ? "" : "not a domain; write it like example.com";
}

// The value of a header field.
std::string complaint_about_field(const std::string& text) {
    if (text.empty()) return "empty; name yourself, such as 'example-bot/1.0'";
    if (std::ranges::any_of(text, is_control)) return "a field of a request is one line of text";
    const bool is_bare = text.front() != ' ' && text.back() != ' ';
    return is_bare ? "" : "a field of a request has no space at its ends";
}

// wget's --mirror takes no value, so a wget user types the URL behind it.
std::string complaint_about_folder(const std::string& text) {
    return text.contains("://") ? "not a folder; write it like --mirror DIR URL" : "";
}

std::string complaint_about_stream(const std::string& text) {
    return text == "-" ? "" : "takes -, for standard output; pages/text.jsonl has the same lines";
}

// The beginning of the names of WARC files. A leading dot would hide the files.
std::string complaint_about_file_name(const std::string& text) {
    if (text.contains('/')) return "not a name but a path; the folder is that of --output";
    const bool is_name = !text.empty() && text.size() <= kFileNameBytesMax &&
                         !text.starts_with('.') && std::ranges::none_of(text, is_control);
    return is_name ? "" : "not a name for files; write it like example-2026";
}

OptionValue patterns(std::vector<web::Pattern>& field) {
    return texts(
        [&field](const std::string& text) { field.push_back(web::Pattern::parse(text).value()); },
        complaint_about_pattern);
}

// The timeout of a phase of a fetch.
OptionValue timeout(Duration& field) {
    return seconds(field, 0.1, 86'400.0);
}

// How many fetches may be under way at once.
OptionValue fetches(auto& field) {
    return number(field, 1, 100'000);
}

constexpr CrawlRow kStartRows[] = {
    // Both positional and named: a settings file needs the name.
    {"url,--url", "URL", "where to start", [](auto& job) { return texts(job.urls); }},
    {"-i,--input-file", "FILE", "where to start, a URL a line; - reads standard input",
     [](auto& job) { return text(job.input_file); }, this_run},  // The seeds from it are kept.
};

constexpr CrawlRow kFurtherStartRows[] = {
    {"--url", "URL", "another URL to start from", [](auto& job) { return texts(job.urls); }},
};

constexpr CrawlRow kResumeRows[] = {
    {"--retry-failed", "", "try URLs again that gave no answer, or a temporary failure",
     [](auto& job) { return flag(job.retries_failed); }, this_run},
    {"--without-missing", "", "go on even if WARC files of the crawl are missing or cut",
     [](auto& job) { return flag(job.folder.without_missing); }, this_run},
};

constexpr CrawlRow kOutputRows[] = {
    {"-o,--output", "DIR", "folder of the crawl (default: weft-<host>-<time>)",
     [](auto& job) { return text(job.config.output); }, this_run},
    {"-P,--directory-prefix", "DIR", "where that folder is (default: here)",
     [](auto& job) { return text(job.directory_prefix); }, this_run},
};

constexpr OptionSpec<ClusterArguments> kClusterRows[] = {
    {"--cluster-ca", "FILE", "authorities to trust for rediss:// besides the system's",
     [](auto& cluster) { return text(cluster.ca_file, complaint_about_file); }, this_run},
    {"--cluster-cert", "FILE", "certificate with which to log in at Redis",
     [](auto& cluster) { return text(cluster.certificate, complaint_about_file); }, this_run},
    {"--cluster-key", "FILE", "its key, if in another file",
     [](auto& cluster) { return text(cluster.key, complaint_about_file); }, this_run},
};

constexpr CrawlRow kClusterRow[] = {
    {"--cluster", "URL",
     "crawl on several machines, with the queue in Redis: redis://HOST:PORT,HOST:PORT/NAME",
     [](auto& job) { return text(job.cluster.url); }, this_run},
};

constexpr std::string_view kLocalKeys[] = {"output",
                                           "directory-prefix",
                                           "threads",
                                           "concurrency",
                                           "memory",
                                           "sync",
                                           "disk-reserve",
                                           "metrics",
                                           "psl",
                                           "bind-address",
                                           "dns-servers",
                                           "resolve",
                                           "ca-certificate",
                                           "log-format",
                                           "jsonl",
                                           "cert",
                                           "key",
                                           "user",
                                           "password",
                                           "oauth2-bearer",
                                           "netrc",
                                           "netrc-file",
                                           "header",
                                           "proxy",
                                           "cluster",
                                           "cluster-ca",
                                           "cluster-cert",
                                           "cluster-key",
                                           "archive-credentials"};

constexpr CrawlRow kWhereRows[] = {
    {"--scope", "KIND", "how far from a seed to go: page, prefix, host, domain or any",
     [](auto& job) {
         using enum crawl::ScopeKind;
         return choice(job.config.scope, {{"page", page},
                                          {"prefix", prefix},
                                          {"host", host},
                                          {"domain", domain},
                                          {"any", any}});
     }},
    {"--strict", "", "the same as --scope host",
     [](auto& job) { return sets(job.config.scope, crawl::ScopeKind::host); }},
    {"--lenient", "", "the same as --scope domain",
     [](auto& job) { return sets(job.config.scope, crawl::ScopeKind::domain); }},
    {"--no-parent", "", "the same as --scope prefix",
     [](auto& job) { return sets(job.config.scope, crawl::ScopeKind::prefix); }},
    {"--span-hosts", "", "the same as --scope any",
     [](auto& job) { return sets(job.config.scope, crawl::ScopeKind::any); }},
    {"-r,--recursive", "", "accepted for wget's sake; links are always followed",
     [](auto&) { return ignored(); }},
    {"-D,--domains", "LIST",
     "follow links into these domains too; with --span-hosts only into these",
     [](auto& job) {
         const auto take = [&field = job.config.domains](const std::string& text) {
             field.push_back(domain_typed(text).value());
         };
         return texts(take, complaint_about_domain).separated_by_commas();
     }},
    {"-d,--depth,-l,--level", "N", "follow links up to N steps (default: no limit)",
     [](auto& job) { return number(job.config.depth_max); }},
    {"--include", "PATTERN", "follow only URLs that match: a regular expression (RE2) or glob:...",
     [](auto& job) { return patterns(job.config.include); }},
    {"--exclude", "PATTERN", "do not follow URLs that match",
     [](auto& job) { return patterns(job.config.exclude); }},
    {"--extra-hops", "N", "follow up to N links out of the scope",
     [](auto& job) { return number(job.config.extra_hops, 0, 255); }},
    {"--requisites", "WHICH",
     "which images, styles and scripts of a page to fetch: none, in-scope or all (default: all "
     "with an archive, else in-scope)",
     [](auto& job) {
         using enum crawl::Requisites;
         return choice(job.config.requisites,
                       {{"none", none}, {"in-scope", in_scope}, {"all", all}});
     }},
    {"--requisite-hops", "N",
     "how deep these may be nested: style sheets that import others, frames in frames",
     [](auto& job) {
         return number(job.config.requisite_hops_max, 1,
                       static_cast<int>(crawl::kRequisiteHopsMax));
     }},
    {"-p,--page-requisites", "", "the same as --requisites all",
     [](auto& job) { return sets(job.config.requisites, crawl::Requisites::all); }},
    {"--ports", "N", "a port to allow besides 80, 443 and those of the seeds",
     [](auto& job) { return numbers(job.config.ports, 1, 65'535); }},
    {"--max-redirect", "N", "follow up to N redirects in a row",
     [](auto& job) { return number(job.config.redirect_count_max, 0, 255); }},
    {"--no-sitemaps", "", "do not ask for sitemaps",
     [](auto& job) { return sets(job.config.sitemaps, false); }},
    {"--keep-session-ids", "", "treat URLs that differ only in a session id as different pages",
     [](auto& job) { return flag(job.config.keeps_session_ids); }},
    {"--psl", "FILE", "public suffix list (default: the system's)",
     [](auto& job) { return text(job.config.public_suffix_list, complaint_about_file); },
     given_again},
};

constexpr CrawlRow kMuchRows[] = {
    {"--limit", "N", "end after N URLs; 0, here and below: no limit",
     [](auto& job) { return limit(job.config.crawl_budget.page_count_max); }},
    {"-Q,--quota", "SIZE", "end after this much content",
     [](auto& job) { return size_limit(job.config.crawl_budget.bytes_max); }},
    {"--max-time", "SECONDS", "end after this time",
     [](auto& job) { return limit_in_seconds(job.config.crawl_budget.time_max); }},
    {"--host-limit", "N", "fetch at most N URLs of one host",
     [](auto& job) { return limit(job.config.host_budget.page_count_max); }},
    {"--host-quota", "SIZE", "fetch at most this much content of one host",
     [](auto& job) { return size_limit(job.config.host_budget.bytes_max); }},
    {"--host-time", "SECONDS", "wait at most this long for the answers of one host, all together",
     [](auto& job) { return limit_in_seconds(job.config.host_budget.time_max); }},
    {"--domain-limit", "N", "fetch at most N URLs of one registrable domain",
     [](auto& job) { return limit(job.config.domain_budget.page_count_max); }},
    {"--domain-quota", "SIZE", "fetch at most this much content of one registrable domain",
     [](auto& job) { return size_limit(job.config.domain_budget.bytes_max); }},
    {"--domain-time", "SECONDS", "wait at most this long for the answers of one registrable domain",
     [](auto& job) { return limit_in_seconds(job.config.domain_budget.time_max); }},
    {"--hosts-per-domain", "N", "crawl at most N hosts of one registrable domain",
     [](auto& job) { return limit(job.config.hosts_per_domain_max); }},
    {"--pattern-limit", "N",
     "fetch at most N pages of one host whose URLs differ only in numbers (default: no limit)",
     [](auto& job) { return limit(job.config.pages_per_pattern_max); }},
    {"--max-body-size", "SIZE", "read at most this much of one answer; the rest is cut",
     [](auto& job) { return size(job.config.limits.content_bytes_max); }},
    {"--memory", "SIZE",
     "memory for the crawl; the process may use 64 MiB more; what does not fit goes to disk",
     [](auto& job) { return size(job.memory_bytes, kMemoryMin); }},
};

constexpr CrawlRow kHardRows[] = {
    {"-c,--concurrency", "N", "fetches under way at once",
     [](auto& job) { return fetches(job.config.concurrency); }},
    {"--threads", "N", "cores to use, each for the hosts of its own domains (default: all)",
     [](auto& job) { return number(job.threads, 1, 1'024); }},
    {"--max-per-host", "N", "fetches under way at one host",
     [](auto& job) { return fetches(job.config.max_per_host); }},
    {"--max-per-domain", "N",
     "fetches under way at one registrable domain (default: 4, or --max-per-host if that is more)",
     [](auto& job) { return fetches(job.config.max_per_domain); }},
    {"--max-per-address", "N",
     "fetches under way at one address (default: 8, or --max-per-host if that is more)",
     [](auto& job) { return fetches(job.config.max_per_address); }},
    {"--rate-limit", "N",
     "request at most N pages a second, over the whole crawl; 0: no limit (default)",
     [](auto& job) { return limit(job.config.rate_max, 1e6); }},
    {"--limit-rate", "RATE",
     "receive at most this much content a second, over the whole crawl; 0: no limit (default)",
     [](auto& job) { return size_limit(job.access.bytes_per_second); }},
    {"-w,--wait", "SECONDS",
     "pause between two fetches of a host (default: as long as the last answer took)",
     [](auto& job) { return seconds(job.config.wait, 0.0, 86'400.0); }},
    {"-t,--tries", "N", "try a fetch up to N times if its failure may be temporary",
     [](auto& job) { return number(job.config.try_count_max, 1, 20); }},
    {"--retry-on-http-error", "STATUS", "HTTP statuses that are temporary failures",
     [](auto& job) { return numbers(job.config.retry_statuses, 400, 599).separated_by_commas(); }},
    {"--max-retry-after", "SECONDS",
     "wait at most this long for a host that asks for it (Retry-After), else leave its URLs for "
     "later; 0: no limit",
     [](auto& job) { return seconds(job.config.retry_after_max, 0.0, 31'536'000.0); }},
    {"-T,--timeout", "SECONDS", "time limit for a whole fetch",
     [](auto& job) { return timeout(job.config.limits.total_timeout); }},
    {"--connect-timeout", "SECONDS", "time limit for connecting",
     [](auto& job) { return timeout(job.config.limits.connect_timeout); }},
    {"--dns-timeout", "SECONDS", "time limit for looking up a name",
     [](auto& job) { return timeout(job.config.limits.dns_timeout); }},
    {"--read-timeout", "SECONDS", "time limit for the next bytes of an answer",
     [](auto& job) { return timeout(job.config.limits.idle_timeout); }},
    {"--robots", "on|off", "on: obey robots.txt; off: do not ask",
     [](auto& job) { return choice(job.config.obey_robots, {{"on", true}, {"off", false}}); }},
    {"--robots-403", "allow|deny",
     "allow or deny: whether to crawl a host whose robots.txt answers 401 or 403",
     [](auto& job) {
         return choice(job.config.robots_forbidden_denies, {{"allow", false}, {"deny", true}});
     }},
};

constexpr CrawlRow kWhoRows[] = {
    {"-U,--user-agent", "TEXT", "who you are, with a way to reach you",
     [](auto& job) { return text(job.config.user_agent, complaint_about_field); }},
    {"--from", "MAIL", "your mail address, sent as From with each request",
     [](auto& job) {
         const auto take = [&headers = job.config.headers](const std::string& text) {
             headers.add("From", text);
         };
         return text(take, complaint_about_field);
     }},
};

constexpr CrawlRow kWhatRows[] = {
    {"--no-archive", "", "write no WARC files",
     [](auto& job) { return sets(job.config.archive, false); }},
    // A folder must not decide that a secret is stored.
    {"--archive-credentials", "", "keep Authorization, Cookie and the fields of -H in WARC records",
     [](auto& job) { return flag(job.config.archives_credentials); }, given_again},
    {"--compress", "HOW",
     "compress each WARC record: gzip, gzip:1 to gzip:9 (smaller and slower), zstd or none",
     [](auto& job) { return choice(job.folder.warc.compression, compressions()); }},
    {"--wacz", "", "at the end, make a WACZ file for replay tools",
     [](auto& job) { return flag(job.makes_wacz); }},
    {"--warc-file", "NAME", "how the names of WARC files begin",
     [](auto& job) { return text(job.folder.warc.prefix, complaint_about_file_name); }},
    {"--warc-cdx", "", "accepted for wget's sake; the index is always written",
     [](auto&) { return ignored(); }},
    {"--warc-max-size", "SIZE", "begin a new WARC file after this size",
     [](auto& job) { return size(job.folder.warc.bytes_max); }},
    {"--links", "", "keep every page's links, so that the report names all pages with a broken one",
     [](auto& job) { return flag(job.config.keeps_links); }},
    // It writes a folder; `weft mirror` can make one at any time.
    {"--mirror", "DIR", "at the end, make a copy that can be browsed without a server",
     [](auto& job) { return text(job.mirror, complaint_about_folder); }, this_run},
    {"--text", "FORM",
     "keep the main text of HTML pages and facts about them in pages/text.jsonl: plain (also "
     "--text alone) or markdown",
     [](auto& job) {
         using enum extract::TextForm;
         return choice_or_flag(job.config.text, {{"plain", plain}, {"markdown", markdown}});
     }},
    {"--structured", "", "with --text: add JSON-LD and microdata, whole, to the lines",
     [](auto& job) { return flag(job.config.keeps_structured); }},
    {"--to", "-", "with --text: write the lines to standard output too, as pages are stored",
     [](auto& job) { return text(job.to, complaint_about_stream); }, this_run},
    // Kept: the folder of the other crawl is only read.
    {"--earlier", "DIR", "ask only for what has changed since the crawl in this folder",
     [](auto& job) { return text(job.earlier); }},
    {"--near-duplicates", "", "find pages that are almost the same",
     [](auto& job) { return flag(job.config.finds_near_duplicates); }},
    {"--sync", "WHEN",
     "when to force data to disk: interval (every 0.2 s, the most that a loss of power can cost), "
     "commit (each time) or never",
     [](auto& job) {
         using enum frontier::SyncMode;
         return choice(job.folder.sync,
                       {{"interval", interval}, {"commit", commit}, {"never", never}});
     }},
    {"--disk-reserve", "SIZE",
     "stop when less than this is free on the disk, so that the crawl can be resumed; 0: go on "
     "until it is full",
     [](auto& job) { return size(job.config.disk_reserve_bytes); }},
    {"--fail-on", "WHAT", "broken: exit status 8 if a link is broken",
     [](auto& job) { return choice(job.fails_on_broken, {{"broken", true}}); }},
    {"--log-format", "FORM", "write a log too: heritrix (logs/crawl.log), jsonl (logs/crawl.jsonl)",
     [](auto& job) { return texts(job.logs, CrawlLog::names()).separated_by_commas(); }},
    {"--jsonl", "", "the same as --log-format jsonl",
     [](auto& job) { return does([&logs = job.logs] { logs.emplace_back("jsonl"); }); }},
    {"--metrics", "ADDR", "serve numbers for Prometheus, at ADDR/metrics",
     [](auto& job) { return text(job.metrics); }, this_run},
};

// The headings of the help.
constexpr const char* kWhoHeading = "Identity and network";
constexpr const char* kWhatHeading = "What is kept and shown";

void add_ways(CLI::App& command, CrawlJob& job) {
    add_options(command, "Where to go", kWhereRows, job);
    exclude_each_other(command,
                       {"--scope", "--strict", "--lenient", "--no-parent", "--span-hosts"});
    exclude_each_other(command, {"--requisites", "--page-requisites"});
    add_options(command, "How much", kMuchRows, job);
    add_options(command, "Speed and politeness", kHardRows, job);
    add_options(command, kWhoHeading, kWhoRows, job);
    add_access(command, job.access,
               {.request = kWhoHeading, .way = kWhoHeading, .trust = kWhoHeading}, false);
}

void add_what(CLI::App& command, CrawlJob& job) {
    add_options(command, kWhatHeading, kWhatRows, job);
    add_options(command, kWhatHeading, use_rows(), job.use);
    add_show(command, kWhatHeading, job.show);
}

constexpr const char* kClusterHeading = "Several machines";

void add_cluster(CLI::App& command, CrawlJob& job) {
    add_options(command, kClusterHeading, kClusterRow, job);
    add_options(command, kClusterHeading, kClusterRows, job.cluster);
}

void add_folder(CLI::App& command, CrawlJob& job, const char* what) {
    command.add_option("folder", job.crawl_folder, what)->required()->type_name("");
}

}  // namespace

CrawlJob::CrawlJob() {
    config.user_agent = "weft/" WEFT_VERSION;
    config.disk_reserve_bytes = 1_GiB;
    config.stops_without_network = true;
}

Keeping keeping_of(std::string_view key) {
    Keeping found = this_run;
    const auto look_into = [&](const auto&... tables) {
        const auto look = [&](const auto& row) {
            if (key_of(row.names) == key) found = row.keeping;
        };
        (std::ranges::for_each(tables, look), ...);
    };
    look_into(kStartRows, kResumeRows, kOutputRows, kClusterRow, kClusterRows, kWhereRows,
              kMuchRows, kHardRows, kWhoRows, kWhatRows, use_rows(), access_rows(), show_rows());
    return found;
}

void add_crawl_basics(CLI::App& command, CrawlJob& job) {
    add_options(command, "Options", kStartRows, job);
    add_ways(command, job);
}

void add_crawl(CLI::App& app, CrawlJob& job) {
    CLI::App* crawl = app.add_subcommand("crawl", "Archive the sites of the URLs into WARC files");
    add_options(*crawl, "Options", kStartRows, job);
    add_options(*crawl, kWhatHeading, kOutputRows, job);
    add_ways(*crawl, job);
    add_cluster(*crawl, job);
    add_what(*crawl, job);
    crawl->footer("Example: weft crawl --depth 2 --output ./archive https://example.com/");
}

bool is_local(std::string_view key) {
    const auto is_it = [&](const auto& row) { return key_of(row.names) == key; };
    return std::ranges::find(kLocalKeys, key) != std::end(kLocalKeys) ||
           std::ranges::any_of(show_rows(), is_it);
}

void add_cluster_access(CLI::App& command, ClusterArguments& cluster) {
    command.add_option("cluster", cluster.url, "redis://HOST:PORT,HOST:PORT/NAME")
        ->envname("WEFT_CLUSTER")
        ->type_name("");
    add_options(command, "Options", kClusterRows, cluster);
}

void add_join(CLI::App& app, CrawlJob& job) {
    CLI::App* join =
        app.add_subcommand("join", "Take part in a crawl that runs on several machines");
    add_options(*join, "Options", kFurtherStartRows, job);
    add_options(*join, "Options", kOutputRows, job);
    add_ways(*join, job);
    add_what(*join, job);
    for (CLI::Option* option : join->get_options()) {
        const bool is_named = !option->get_lnames().empty();
        if (is_named && option != join->get_help_ptr() && !is_local(option->get_lnames().front())) {
            option->group("");  // CLI11 hides options of a group without a name.
        }
    }
    add_cluster_access(*join, job.cluster);
    join->footer("All other options are those of the crawl's start.");
}

void add_recrawl(CLI::App& app, CrawlJob& job) {
    CLI::App* recrawl = app.add_subcommand(
        "recrawl", "Crawl again into a new folder, and tell what is new, changed and gone");
    add_folder(*recrawl, job, "folder of the earlier crawl");
    add_options(*recrawl, "Options", kFurtherStartRows, job);
    add_options(*recrawl, kWhatHeading, kOutputRows, job);
    add_ways(*recrawl, job);
    add_what(*recrawl, job);
    recrawl->footer("Options that are not given are those of the earlier crawl.");
}

void add_repair(CLI::App& app, CrawlJob& job) {
    CLI::App* repair =
        app.add_subcommand("repair", "Repair the folder of a damaged crawl; nothing is deleted");
    add_options(*repair, "Options", kFurtherStartRows, job);
    add_ways(*repair, job);
    add_what(*repair, job);
    // CLI11 hides options of a group without a name.
    for (CLI::Option* option : repair->get_options()) {
        if (option != repair->get_help_ptr()) option->group("");
    }
    add_folder(*repair, job, "folder of the crawl");
}

void add_resume(CLI::App& app, CrawlJob& job) {
    CLI::App* resume = app.add_subcommand("resume", "Go on with a crawl, however it ended");
    add_folder(*resume, job, "folder of the crawl");
    add_options(*resume, "Options", kFurtherStartRows, job);
    add_options(*resume, "Options", kResumeRows, job);
    add_ways(*resume, job);
    add_cluster(*resume, job);
    add_what(*resume, job);
    resume->footer("Options that are not given are those of the crawl's start.");
}

}  // namespace weft::cli
