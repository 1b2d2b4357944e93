#include "cli/options/crawl_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/crawl/crawl_log.h"
#include "cli/options/typed_url.h"
#include "cli/options/value_checks.h"

namespace weft::cli {
namespace {

constexpr std::uint64_t kMemoryMin = 64_MiB;    // Needed for 256 fetches at once; see MemoryPlan.
constexpr std::size_t kFileNameBytesMax = 200;  // Of 255; a time and a number are appended.

constexpr const char* kWhere = "Where to go";
constexpr const char* kMuch = "How much";
constexpr const char* kHard = "How hard";
constexpr const char* kWho = "Who asks, and whom";
constexpr const char* kWhat = "What is kept and shown";

// Adds an option to a group. An option that may be repeated takes one value each time, so that a
// URL can follow it.
template <class Value>
CLI::Option* add(CLI::App& command, const char* group, const char* names, Value& value,
                 const char* what) {
    return command.add_option(names, value, what)->group(group)->allow_extra_args(false);
}

// For options that say the same in other words: only one of them can be given, and a weaker source
// of settings cannot add another.
void exclude_each_other(CLI::App& command, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t j = i + 1; j < names.size(); ++j) {
            command.get_option(names[i])->excludes(command.get_option(names[j]));
        }
    }
}

// Says what is wrong with a pattern.
std::string complaint_about_pattern(const std::string& text) {
    const auto pattern = crawl::Pattern::parse(text);
    return pattern ? "" : pattern.error();
}

// Says why a text is not a domain.
std::string complaint_about_domain(const std::string& text) {
    return domain_typed(text) ? "" : "not a domain; write it like example.com";
}

// Says why a text cannot be the value of a header field.
std::string complaint_about_field(const std::string& text) {
    if (text.empty()) return "empty; name yourself, such as 'example-bot/1.0'";
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (std::ranges::any_of(text, is_control)) return "a field of a request is one line of text";
    const bool is_bare = text.front() != ' ' && text.back() != ' ';
    return is_bare ? "" : "a field of a request has no space at its ends";
}

// wget's --mirror takes no value, so a wget user types the URL behind it.
std::string complaint_about_folder(const std::string& text) {
    return text.contains("://") ? "not a folder; write it like --mirror DIR URL" : "";
}

// Says why a text cannot be the beginning of the names of WARC files. A leading dot would hide the
// files.
std::string complaint_about_file_name(const std::string& text) {
    if (text.contains('/')) return "not a name but a path; the folder is that of --output";
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    const bool is_name = !text.empty() && text.size() <= kFileNameBytesMax &&
                         !text.starts_with('.') && std::ranges::none_of(text, is_control);
    return is_name ? "" : "not a name for files; write it like example-2026";
}

void add_where(CLI::App& command, CrawlArguments& a) {
    add(command, kWhere, "--scope", a.scope, "page, prefix, host, domain or any, seen from a seed")
        ->capture_default_str()
        ->check(one_of({"page", "prefix", "host", "domain", "any"}))
        ->type_name("KIND");
    command.add_flag("--strict", a.strict, "the same as --scope host")->group(kWhere);
    command.add_flag("--lenient", a.lenient, "the same as --scope domain")->group(kWhere);
    command.add_flag("--no-parent", a.no_parent, "the same as --scope prefix")->group(kWhere);
    command.add_flag("--span-hosts", a.span_hosts, "the same as --scope any")->group(kWhere);
    command.add_flag("-r,--recursive", a.recursive, "follow links, as is done anyway")
        ->group(kWhere);
    exclude_each_other(command,
                       {"--scope", "--strict", "--lenient", "--no-parent", "--span-hosts"});
    add(command, kWhere, "-D,--domains", a.domains,
        "links into these domains too; with --span-hosts into no others")
        ->delimiter(',')
        ->check(that(complaint_about_domain))
        ->type_name("LIST");
    add(command, kWhere, "-d,--depth,-l,--level", a.depth,
        "follow links up to N steps (default: no limit)")
        ->type_name("N");
    add(command, kWhere, "--include", a.includes, "only URLs that match, by RE2 or glob:...")
        ->check(that(complaint_about_pattern))
        ->type_name("PATTERN");
    add(command, kWhere, "--exclude", a.excludes, "no URL that matches")
        ->check(that(complaint_about_pattern))
        ->type_name("PATTERN");
    add(command, kWhere, "--extra-hops", a.extra_hops, "steps that links may lead out of the scope")
        ->capture_default_str()
        ->check(between(0, 255))
        ->type_name("N");
    add(command, kWhere, "--requisites", a.requisites,
        "images, styles, scripts: none, in-scope or all (default: all with an archive)")
        ->check(one_of({"none", "in-scope", "all"}))
        ->type_name("WHICH");
    add(command, kWhere, "--requisite-hops", a.requisite_hops,
        "steps from a page to what it shows: style sheets that import others, frames in frames")
        ->capture_default_str()
        ->check(between(1, static_cast<int>(crawl::kRequisiteHopsMax)))
        ->type_name("N");
    command.add_flag("-p,--page-requisites", a.page_requisites, "the same as --requisites all")
        ->group(kWhere);
    exclude_each_other(command, {"--requisites", "--page-requisites"});
    add(command, kWhere, "--ports", a.ports, "further ports, besides 80, 443 and the seeds'")
        ->check(between(1, 65'535))
        ->type_name("N");
    add(command, kWhere, "--max-redirect", a.max_redirect, "redirects one after the other")
        ->capture_default_str()
        ->check(between(0, 255))
        ->type_name("N");
    command.add_flag("--no-sitemaps", a.no_sitemaps, "do not ask for sitemaps")->group(kWhere);
    command
        .add_flag("--keep-session-ids", a.keep_session_ids,
                  "take URLs that differ in a session id for two pages")
        ->group(kWhere);
    add(command, kWhere, "--psl", a.psl, "public suffix list (default: the system's)")
        ->check(file_there())
        ->type_name("FILE");
}

void add_much(CLI::App& command, CrawlArguments& a) {
    add(command, kMuch, "--limit", a.limit, "end after N URLs; 0, here and below: no limit")
        ->type_name("N");
    add(command, kMuch, "-Q,--quota", a.quota_bytes, "end after so many bytes of content")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    add(command, kMuch, "--max-time", a.max_time_seconds, "end after so long")
        ->check(between(0.0, 1e9))
        ->type_name("SECONDS");
    add(command, kMuch, "--host-limit", a.host_limit, "URLs of one host")
        ->capture_default_str()
        ->type_name("N");
    add(command, kMuch, "--host-quota", a.host_quota_bytes, "bytes of content of one host")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    add(command, kMuch, "--host-time", a.host_time_seconds, "waiting for answers of one host")
        ->check(between(0.0, 1e9))
        ->type_name("SECONDS");
    add(command, kMuch, "--domain-limit", a.domain_limit, "URLs of one registrable domain")
        ->type_name("N");
    add(command, kMuch, "--domain-quota", a.domain_quota_bytes, "bytes of content of one")
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    add(command, kMuch, "--domain-time", a.domain_time_seconds, "waiting for answers of one")
        ->check(between(0.0, 1e9))
        ->type_name("SECONDS");
    add(command, kMuch, "--hosts-per-domain", a.hosts_per_domain, "new hosts of one")
        ->capture_default_str()
        ->type_name("N");
    add(command, kMuch, "--pattern-limit", a.pattern_limit,
        "pages whose URLs differ in numbers only, of one host (default: no limit)")
        ->type_name("N");
    add(command, kMuch, "--max-body-size", a.max_body_bytes, "bytes of one answer; the rest is cut")
        ->capture_default_str()
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    add(command, kMuch, "--memory", a.memory_bytes,
        "what the process may hold, but for 64 MiB; the rest spills")
        ->capture_default_str()
        ->transform(size_in_bytes(kMemoryMin))
        ->type_name("SIZE");
}

void add_patience(CLI::App& command, CrawlArguments& a) {
    add(command, kHard, "--max-retry-after", a.max_retry_after_seconds,
        "how long a host may ask to be left alone, else it is put aside; 0: no limit")
        ->capture_default_str()
        ->check(between(0.0, 31'536'000.0))
        ->type_name("SECONDS");
    add(command, kHard, "-T,--timeout", a.timeout_seconds, "for one fetch as a whole")
        ->capture_default_str()
        ->check(between(0.1, 86'400.0))
        ->type_name("SECONDS");
    add(command, kHard, "--connect-timeout", a.connect_timeout_seconds, "for a connection")
        ->capture_default_str()
        ->check(between(0.1, 86'400.0))
        ->type_name("SECONDS");
    add(command, kHard, "--dns-timeout", a.dns_timeout_seconds, "for a name")
        ->capture_default_str()
        ->check(between(0.1, 86'400.0))
        ->type_name("SECONDS");
    add(command, kHard, "--read-timeout", a.read_timeout_seconds, "for the next bytes of an answer")
        ->capture_default_str()
        ->check(between(0.1, 86'400.0))
        ->type_name("SECONDS");
}

void add_hard(CLI::App& command, CrawlArguments& a) {
    add(command, kHard, "-c,--concurrency", a.concurrency, "fetches under way at once")
        ->capture_default_str()
        ->check(between(1, 100'000))
        ->type_name("N");
    add(command, kHard, "--threads", a.threads,
        "cores to use, each for the hosts of its own domains (default: all)")
        ->check(between(1, 1'024))
        ->type_name("N");
    add(command, kHard, "--max-per-host", a.max_per_host, "of these, at one host")
        ->capture_default_str()
        ->check(between(1, 100'000))
        ->type_name("N");
    add(command, kHard, "--max-per-domain", a.max_per_domain,
        "at one registrable domain (default: 4, or --max-per-host if that is more)")
        ->check(between(1, 100'000))
        ->type_name("N");
    add(command, kHard, "--max-per-address", a.max_per_address,
        "at one address (default: 8, or --max-per-host if that is more)")
        ->check(between(1, 100'000))
        ->type_name("N");
    add(command, kHard, "--rate-limit", a.rate_limit,
        "pages asked for in a second, by the crawl as a whole; 0: no limit (default)")
        ->check(between(0.0, 1e6))
        ->type_name("N");
    add(command, kHard, "--limit-rate", a.access.limit_rate_bytes,
        "bytes of content taken in a second, by the crawl as a whole; 0: no limit (default)")
        ->transform(size_in_bytes())
        ->type_name("RATE");
    add(command, kHard, "-w,--wait", a.wait_seconds,
        "pause between two fetches of a host (default: as long as the last answer took)")
        ->check(between(0.0, 86'400.0))
        ->type_name("SECONDS");
    add(command, kHard, "-t,--tries", a.tries, "of a fetch that may go better later")
        ->capture_default_str()
        ->check(between(1, 20))
        ->type_name("N");
    add(command, kHard, "--retry-on-http-error", a.retry_statuses,
        "statuses that may pass (default: 429,503)")
        ->delimiter(',')
        ->check(between(400, 599))
        ->type_name("STATUS");
    add_patience(command, a);
    add(command, kHard, "--robots", a.robots, "on: obey robots.txt; off: do not ask")
        ->capture_default_str()
        ->check(one_of({"on", "off"}))
        ->type_name("on|off");
    add(command, kHard, "--robots-403", a.robots_403,
        "what a robots.txt that answers 401 or 403 says of its host")
        ->capture_default_str()
        ->check(one_of({"allow", "deny"}))
        ->type_name("allow|deny");
}

void add_who(CLI::App& command, CrawlArguments& a) {
    add(command, kWho, "-U,--user-agent", a.user_agent, "who you are, with a way to reach you")
        ->capture_default_str()
        ->check(that(complaint_about_field))
        ->type_name("TEXT");
    add(command, kWho, "--from", a.from, "whom to write to: sent as From with each request")
        ->check(that(complaint_about_field))
        ->type_name("MAIL");
    add_access(command, a.access, {.request = kWho, .way = kWho, .trust = kWho}, false);
}

void add_what(CLI::App& command, CrawlArguments& a) {
    command.add_flag("--no-archive", a.no_archive, "write no WARC files")->group(kWhat);
    command
        .add_flag("--archive-credentials", a.archive_credentials,
                  "keep Authorization, Cookie and the fields of -H in WARC records")
        ->group(kWhat);
    add(command, kWhat, "--compress", a.compress, "pack each WARC record by gzip or zstd, or none")
        ->capture_default_str()
        ->check(one_of({"gzip", "zstd", "none"}))
        ->type_name("HOW");
    command.add_flag("--wacz", a.wacz, "make a WACZ file for replay tools at the end")
        ->group(kWhat);
    add(command, kWhat, "--warc-file", a.warc_file, "how the names of WARC files begin")
        ->capture_default_str()
        ->check(that(complaint_about_file_name))
        ->type_name("NAME");
    command.add_flag("--warc-cdx", a.warc_cdx, "index the WARC files, as is done anyway")
        ->group(kWhat);
    add(command, kWhat, "--warc-max-size", a.warc_max_bytes, "a WARC file is closed past this")
        ->capture_default_str()
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    command
        .add_flag("--links", a.links,
                  "keep every page's links, so that the report names all pages with a broken one")
        ->group(kWhat);
    add(command, kWhat, "--mirror", a.mirror,
        "make a copy that can be browsed without a server at the end")
        ->check(that(complaint_about_folder))
        ->type_name("DIR");
    command.add_flag("--text", a.text, "keep the visible text of pages in pages.jsonl")
        ->group(kWhat);
    add(command, kWhat, "--earlier", a.earlier,
        "ask only for what has changed since the crawl in this folder")
        ->type_name("DIR");
    command.add_flag("--near-duplicates", a.near_duplicates, "find pages that are almost the same")
        ->group(kWhat);
    add(command, kWhat, "--sync", a.sync,
        "interval: every 0.2 s, so much may a loss of power cost; commit; never")
        ->capture_default_str()
        ->check(one_of({"interval", "commit", "never"}))
        ->type_name("WHEN");
    add(command, kWhat, "--disk-reserve", a.disk_reserve_bytes,
        "end, to be resumed, before less is free on the disk; 0: when it is full")
        ->capture_default_str()
        ->transform(size_in_bytes())
        ->type_name("SIZE");
    add(command, kWhat, "--fail-on", a.fail_on, "broken: exit status 8 if a link is broken")
        ->check(one_of({"broken"}))
        ->type_name("WHAT");
    add(command, kWhat, "--log-format", a.log_formats,
        "write a log too: heritrix (logs/crawl.log), jsonl (logs/crawl.jsonl)")
        ->delimiter(',')
        ->check(one_of(CrawlLog::names()))
        ->type_name("FORM");
    command.add_flag("--jsonl", a.jsonl, "the same as --log-format jsonl")->group(kWhat);
    add(command, kWhat, "--metrics", a.metrics, "serve numbers for Prometheus, at ADDR/metrics")
        ->type_name("ADDR");
    add_show(command, kWhat, a.show, "no progress, no report");
}

void add_start(CLI::App& command, CrawlArguments& arguments) {
    // Both positional and named: a settings file needs the name.
    command.add_option("url,--url", arguments.urls, "where to start")->type_name("URL");
    command
        .add_option("-i,--input-file", arguments.input_file,
                    "where to start, a URL a line; - reads standard input")
        ->type_name("FILE");
}

void add_output(CLI::App& command, CrawlArguments& a) {
    add(command, kWhat, "-o,--output", a.output,
        "folder of the crawl (default: weft-<host>-<time>)")
        ->type_name("DIR");
    add(command, kWhat, "-P,--directory-prefix", a.directory_prefix,
        "where that folder is (default: here)")
        ->type_name("DIR");
}

void add_ways(CLI::App& command, CrawlArguments& arguments) {
    add_where(command, arguments);
    add_much(command, arguments);
    add_hard(command, arguments);
    add_who(command, arguments);
}

}  // namespace

void add_crawl_basics(CLI::App& command, CrawlArguments& arguments) {
    add_start(command, arguments);
    add_ways(command, arguments);
}

void add_crawl(CLI::App& app, CrawlArguments& arguments) {
    CLI::App* crawl = app.add_subcommand("crawl", "Archive the sites of the URLs into WARC files");
    add_start(*crawl, arguments);
    add_output(*crawl, arguments);
    add_ways(*crawl, arguments);
    add_what(*crawl, arguments);
    crawl->footer("Example: weft crawl --depth 2 --output ./archive https://example.com/");
}

void add_recrawl(CLI::App& app, CrawlArguments& arguments) {
    CLI::App* recrawl = app.add_subcommand(
        "recrawl", "Crawl again into a new folder, and tell what is new, changed and gone");
    recrawl->add_option("folder", arguments.folder, "of the earlier crawl")
        ->required()
        ->type_name("");
    recrawl->add_option("--url", arguments.urls, "where to start too")->type_name("URL");
    add_output(*recrawl, arguments);
    add_ways(*recrawl, arguments);
    add_what(*recrawl, arguments);
    recrawl->footer("Options that are not given are those of the earlier crawl.");
}

void add_repair(CLI::App& app, CrawlArguments& arguments) {
    CLI::App* repair = app.add_subcommand(
        "repair", "Make the folder of a damaged crawl whole again; nothing is thrown away");
    repair->add_option("--url", arguments.urls);
    add_ways(*repair, arguments);
    add_what(*repair, arguments);
    // CLI11 hides options of a group without a name.
    for (CLI::Option* option : repair->get_options()) {
        if (option != repair->get_help_ptr()) option->group("");
    }
    repair->add_option("folder", arguments.folder, "of the crawl")->required()->type_name("");
}

void add_resume(CLI::App& app, CrawlArguments& arguments) {
    CLI::App* resume = app.add_subcommand("resume", "Go on with a crawl, however it ended");
    resume->add_option("folder", arguments.folder, "of the crawl")->required()->type_name("");
    resume->add_option("--url", arguments.urls, "where to start too")->type_name("URL");
    resume->add_flag("--retry-failed", arguments.retry_failed,
                     "ask again for URLs that gave no answer, or one that may pass");
    resume->add_flag("--without-missing", arguments.without_missing,
                     "go on though WARC files of the crawl are missing or cut");
    add_ways(*resume, arguments);
    add_what(*resume, arguments);
    resume->footer("Options that are not given are those the crawl was begun with.");
}

}  // namespace weft::cli
