#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/task/errors.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/crawl/process_memory.h"
#include "cli/options/crawl_options.h"
#include "cli/options/secrets.h"
#include "cli/options/typed_url.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/run/memory_plan.h"
#include "crawl/scope/domains.h"
#include "http/connect/special_address.h"

namespace weft::cli {
namespace {

constexpr std::size_t kSeedBytesMax = 1_GiB;

// Stands for no limit; small enough to be added to a time without overflow.
constexpr Duration kNoRetryAfterMax = 100 * 365 * 24h;

// Throws if a typed "URL" is the name of a file: the user probably wants -i. Folders are accepted,
// because a crawl's folder may have the name of its host.
void refuse_file_name(const std::string& text) {
    if (has_scheme(text) || text.starts_with("//")) return;
    const std::string name = escape_for_terminal(text);
    const std::string way = "to start from the URLs in it: -i " + shell_word(text);
    if (text.starts_with('/') || text.starts_with("./") || text.starts_with("../")) {
        throw UsageError(fmt::format("'{}' is no URL but a path; {}", name, way));
    }
    std::error_code none;  // tidy: allow banned-call: no loop runs yet
    if (!std::filesystem::is_regular_file(text, none)) return;
    throw UsageError(fmt::format(
        "'{}' is a file here; {}; to crawl the host of that name: http://{}/", name, way, name));
}

web::Url parse_seed(const std::string& text, const std::string& place) {
    if (text.empty()) {
        throw UsageError("bad URL '': empty; write one, such as https://example.com/");
    }
    // As in wget, a missing scheme means http.
    const auto url = web::Url::parse(has_scheme(text) ? text : "http://" + text, web::kBoundedUrl);
    if (!url) {
        throw UsageError(
            fmt::format("{}bad URL '{}': {}", place, shown_typed(text), describe(url.error())));
    }
    if (!url->is_http()) {
        throw UsageError(fmt::format(
            "{}cannot crawl '{}': it is not a web address; only http and https are crawled", place,
            shown_typed(text)));
    }
    return *url;
}

void add_seeds(std::string_view lines, const std::string& name, std::vector<web::Url>& seeds) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // Some editors write it.
    if (lines.starts_with(kByteOrderMark)) lines.remove_prefix(kByteOrderMark.size());
    std::size_t number = 0;
    while (!lines.empty()) {
        ++number;
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view text = trim(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (text.empty() || text.starts_with('#')) continue;
        const std::string place = fmt::format("{}:{}: ", name, number);
        // A blank in a URL is written %20. Text behind a blank is more likely an option for another
        // program.
        if (const std::size_t blank = text.find_first_of(" \t"); blank != std::string_view::npos) {
            throw UsageError(fmt::format(
                "{}'{}' behind the URL: a line holds one URL and no more (a blank in it is "
                "written %20)",
                place, shown_typed(trim(text.substr(blank)))));
        }
        seeds.push_back(parse_seed(std::string(text), place));
    }
}

std::string read_standard_input() {
    std::string text;
    char block[64 << 10];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, stdin)) > 0;) {
        text.append(block, n);
        if (text.size() > kSeedBytesMax)
            throw UsageError("standard input: more than 1 GiB of URLs");
    }
    return text;
}

void read_input_file(const std::string& path, std::vector<web::Url>& seeds) {
    if (path == "-") {
        add_seeds(read_standard_input(), "standard input", seeds);
        return;
    }
    try {
        add_seeds(aio::SystemFiles().read_all(path, kSeedBytesMax), escape_for_terminal(path),
                  seeds);
    } catch (const aio::IoError& error) {
        throw UsageError(fmt::format("--input-file: {}", error.what()));
    }
}

std::vector<web::Url> read_seeds(const CrawlArguments& arguments) {
    std::vector<web::Url> seeds;
    for (const std::string& text : arguments.urls) {
        refuse_file_name(text);
        seeds.push_back(parse_seed(text, ""));
    }
    if (!arguments.input_file.empty()) read_input_file(arguments.input_file, seeds);
    if (seeds.empty()) {
        throw UsageError(
            "no URL to start from; write one, such as https://example.com/, or give a list of them "
            "with -i FILE (-i - reads standard input)");
    }
    return seeds;
}

// Also addresses of private networks.
bool is_own_machine(const web::Url& seed) {
    if (seed.hostname() == "localhost") return true;
    const auto address = http::written_address(seed);
    return address && http::special_range(*address);
}

std::string default_output(const web::Url& seed, WallTime now) {
    std::string stamp = to_timestamp14(now);
    stamp.insert(8, "-");
    std::string host(seed.hostname());
    std::erase_if(host, [](char c) { return c == '[' || c == ']' || c == ':'; });
    return fmt::format("weft-{}-{}", host, stamp);
}

std::vector<crawl::Pattern> parse_patterns(const std::vector<std::string>& texts) {
    std::vector<crawl::Pattern> patterns;
    for (const std::string& text : texts) patterns.push_back(crawl::Pattern::parse(text).value());
    return patterns;
}

// A crawl of several sites must name a contact, so that their owners can complain. A crawl of the
// user's own machine needs none.
void demand_contact(const crawl::Config& config) {
    const std::string_view agent = config.user_agent;
    if (agent.contains("http://") || agent.contains("https://") || agent.contains('@')) return;
    bool is_beyond_one_site = config.scope == crawl::ScopeKind::any;
    std::string first_site;
    const auto domains = crawl::Domains::load(config.public_suffix_list);
    for (const web::Url& seed : config.seeds) {
        if (is_own_machine(seed)) continue;
        const std::string site(domains->domain_of(seed.hostname()));
        if (first_site.empty()) first_site = site;
        is_beyond_one_site |= site != first_site;
    }
    // --domains widens the scope beyond the seeds.
    for (const std::string& domain : config.domains) {
        is_beyond_one_site |= domains->domain_of(domain) != first_site;
    }
    if (first_site.empty() || !is_beyond_one_site) return;
    throw UsageError(
        "a crawl of more than one site needs a contact in --user-agent, such as "
        "'example-bot/1.0 (+https://example.com/bot)'");
}

crawl::ScopeKind scope_of(const CrawlArguments& arguments) {
    if (arguments.strict) return crawl::ScopeKind::host;
    if (arguments.lenient) return crawl::ScopeKind::domain;
    if (arguments.no_parent) return crawl::ScopeKind::prefix;
    if (arguments.span_hosts) return crawl::ScopeKind::any;
    return crawl::parse_scope_kind(arguments.scope).value();
}

void set_where(const CrawlArguments& arguments, crawl::Config& config) {
    config.scope = scope_of(arguments);
    for (const std::string& text : arguments.domains) {
        config.domains.push_back(domain_typed(text).value());
    }
    config.include = parse_patterns(arguments.includes);
    config.exclude = parse_patterns(arguments.excludes);
    config.depth_max = arguments.depth;
    config.extra_hops = arguments.extra_hops;
    config.requisite_hops_max = arguments.requisite_hops;
    if (arguments.page_requisites) config.requisites = crawl::Requisites::all;
    if (arguments.requisites == "none") config.requisites = crawl::Requisites::none;
    if (arguments.requisites == "in-scope") config.requisites = crawl::Requisites::in_scope;
    if (arguments.requisites == "all") config.requisites = crawl::Requisites::all;
    config.ports = arguments.ports;
    config.redirect_count_max = arguments.max_redirect;
    config.sitemaps = !arguments.no_sitemaps;
    config.keeps_session_ids = arguments.keep_session_ids;
    if (!arguments.psl.empty()) config.public_suffix_list = arguments.psl;
}

// 0 means no limit, as in wget and Browsertrix. So `resume` can remove a limit.
template <class Number>
std::optional<Number> limit_of(std::optional<Number> typed) {
    return typed == Number{} ? std::nullopt : typed;
}

crawl::Budget budget_of(std::optional<std::uint64_t> pages, std::optional<std::uint64_t> bytes,
                        std::optional<double> seconds) {
    return {.page_count_max = limit_of(pages),
            .bytes_max = limit_of(bytes),
            .time_max = limit_of(seconds).transform(to_duration)};
}

void set_how_much(const CrawlArguments& arguments, crawl::Config& config) {
    config.crawl_budget =
        budget_of(arguments.limit, arguments.quota_bytes, arguments.max_time_seconds);
    config.host_budget =
        budget_of(arguments.host_limit, arguments.host_quota_bytes, arguments.host_time_seconds);
    config.domain_budget = budget_of(arguments.domain_limit, arguments.domain_quota_bytes,
                                     arguments.domain_time_seconds);
    config.hosts_per_domain_max = limit_of(std::optional(arguments.hosts_per_domain));
    const std::uint64_t body_bytes_max =
        arguments.max_body_bytes == 0 ? INT64_MAX : arguments.max_body_bytes;
    config.limits.content_bytes_max = body_bytes_max;
    // Both limits: compressed content is cut by what it unpacks to, too.
    config.limits.wire_bytes_max = body_bytes_max;
    config.pages_per_pattern_max = limit_of(std::optional(arguments.pattern_limit));
    config.disk_reserve_bytes = arguments.disk_reserve_bytes;
    const std::uint64_t least = crawl::MemoryPlan::least_bytes(arguments.concurrency);
    if (arguments.memory_bytes < least) {
        throw UsageError(fmt::format(
            "--memory {} is too little for {} fetches at once: give {} or more, or a smaller "
            "--concurrency",
            human_bytes(arguments.memory_bytes), arguments.concurrency, human_bytes(least)));
    }
    const auto plan = crawl::MemoryPlan::of_crawl(arguments.memory_bytes);
    plan.apply(config);
    config.memory = watch_memory(plan.watched_bytes);
}

void set_how_hard(const CrawlArguments& arguments, crawl::Config& config) {
    config.concurrency = arguments.concurrency;
    config.max_per_host = arguments.max_per_host;
    config.max_per_domain = arguments.max_per_domain;
    config.max_per_address = arguments.max_per_address;
    config.rate_max = limit_of(arguments.rate_limit);
    if (arguments.wait_seconds) config.wait = to_duration(*arguments.wait_seconds);
    config.try_count_max = arguments.tries;
    config.retry_statuses = arguments.retry_statuses;
    const double patience = arguments.max_retry_after_seconds;
    config.retry_after_max = patience > 0 ? to_duration(patience) : kNoRetryAfterMax;
    config.limits.total_timeout = to_duration(arguments.timeout_seconds);
    config.limits.connect_timeout = to_duration(arguments.connect_timeout_seconds);
    config.limits.dns_timeout = to_duration(arguments.dns_timeout_seconds);
    config.limits.idle_timeout = to_duration(arguments.read_timeout_seconds);
    config.obey_robots = arguments.robots == "on";
    config.robots_forbidden_denies = arguments.robots_403 == "deny";
}

// Header fields that log in at one origin. They must not be sent to another, not even to that of a
// second seed.
bool is_login(std::string_view field) {
    const std::string name = to_lower(field);
    return name == "authorization" || name == "cookie" || name == "proxy-authorization";
}

// As in curl: with "=" the value of --load-cookies is a cookie, else the name of a file.
bool is_cookie_text(const AccessArguments& access) {
    return access.load_cookies.contains('=');
}

void set_headers(const CrawlArguments& arguments, crawl::Config& config) {
    http::Headers& typed = arguments.access.header_anywhere ? config.headers : config.seed_headers;
    for (const http::Field field : parse_headers(arguments.access.headers)) {
        (is_login(field.name) ? config.private_headers : typed).add(field.name, field.value);
    }
    if (!config.seed_headers.empty()) {
        for (const web::Url& seed : config.seeds) {
            config.seed_origins.insert(http::Origin::of(seed));
        }
    }
    if (is_cookie_text(arguments.access)) {
        config.private_headers.add("Cookie", trim(arguments.access.load_cookies));
    }
    if (!arguments.from.empty()) config.headers.add("From", arguments.from);
    if (config.private_headers.empty()) return;
    config.private_origin = http::Origin::of(config.seeds.front());
    for (const web::Url& seed : config.seeds) {
        if (config.private_origin->is_of(seed)) continue;
        throw UsageError(
            fmt::format("'{}' lets in at one origin, but the seeds are of several: crawl them "
                        "apart, or use --load-cookies FILE or --netrc-file",
                        config.private_headers[0].name));
    }
}

void set_cookies(const AccessArguments& access, http::ClientOptions& client) {
    const bool has_file = !access.load_cookies.empty() && !is_cookie_text(access);
    if (!has_file && access.save_cookies.empty()) return;
    client.cookies = std::make_shared<http::ClientCookies>();
    if (has_file) client.cookies->load(read_file(access.load_cookies), SystemClock().wall());
}

void set_who(const CrawlArguments& arguments, crawl::Config& config) {
    const AccessArguments& access = arguments.access;
    config.user_agent = arguments.user_agent;
    // First: it removes users and passwords from the seeds.
    set_logins(access, config.seeds, config.client);
    set_access(access, config.client);
    set_cookies(access, config.client);
    set_headers(arguments, config);
    config.ca_file = config.client.ca_file;
    config.addresses = config.client.addresses;
    config.is_authenticated = !config.client.credentials.empty() || config.client.certificate ||
                              !config.private_headers.empty() ||
                              (config.client.cookies && config.client.cookies->size() > 0);
}

}  // namespace

std::vector<web::Url> take_seeds(CrawlArguments& arguments) {
    std::vector<web::Url> seeds = read_seeds(arguments);
    arguments.urls.clear();
    for (const web::Url& seed : seeds) arguments.urls.push_back(seed.href());
    arguments.input_file.clear();
    return seeds;
}

crawl::Config make_config(const CrawlArguments& arguments) {
    crawl::Config config;
    config.seeds = read_seeds(arguments);
    set_where(arguments, config);
    set_how_much(arguments, config);
    set_how_hard(arguments, config);
    set_who(arguments, config);
    demand_contact(config);
    config.stops_without_network = true;
    config.archive = !arguments.no_archive;
    if (arguments.no_archive && (arguments.wacz || !arguments.mirror.empty())) {
        throw UsageError(fmt::format("{} needs the archive that --no-archive leaves out",
                                     arguments.wacz ? "--wacz" : "--mirror"));
    }
    if (!arguments.earlier.empty()) {
        // tidy: allow shared-state: it has no state.
        static aio::SystemFiles files;  // Lives as long as any config.
        config.earlier = crawl::EarlierCrawl::open(files, arguments.earlier);
    }
    config.archives_credentials = arguments.archive_credentials;
    config.keeps_links = arguments.links;
    config.keeps_text = arguments.text;
    config.finds_near_duplicates = arguments.near_duplicates;
    config.started = SystemClock().wall();
    config.output = std::filesystem::path(arguments.directory_prefix) /
                    (arguments.output.empty() ? default_output(config.seeds.front(), config.started)
                                              : arguments.output);
    return config;
}

std::vector<std::string> secret_options(const CrawlArguments& arguments) {
    const AccessArguments& access = arguments.access;
    std::vector<std::string> names;
    const bool has_typed_login = std::ranges::any_of(arguments.urls, [](const std::string& text) {
        const auto url = web::Url::parse(text);
        return url && url->has_credentials();
    });
    if (!access.user.empty() || has_typed_login) names.emplace_back("user");
    if (!access.password.empty()) names.emplace_back("password");
    if (!access.bearer.empty()) names.emplace_back("oauth2-bearer");
    if (access.proxy && is_secret("proxy", *access.proxy)) names.emplace_back("proxy");
    if (is_secret("load-cookies", access.load_cookies)) names.emplace_back("load-cookies");
    const auto is_secret_field = [](const std::string& text) { return is_secret("header", text); };
    if (std::ranges::any_of(access.headers, is_secret_field)) {
        // All fields, not only the secret ones: if an option is given again, all its values are.
        for (const http::Field field : parse_headers(access.headers)) {
            names.push_back("header " + escape_for_terminal(field.name));
        }
    }
    return names;
}

bool has_secrets(const CrawlArguments& arguments, const crawl::Config& config) {
    return config.is_authenticated || !secret_options(arguments).empty();
}

crawl::FolderOptions folder_options(const CrawlArguments& arguments, const crawl::Config& config) {
    crawl::FolderOptions options;
    options.max_per_host = config.max_per_host;
    if (arguments.sync == "commit") options.sync = frontier::SyncMode::commit;
    if (arguments.sync == "never") options.sync = frontier::SyncMode::never;
    // A few more than may be fetched, so that URLs slightly over the limit still get a line in the
    // page log.
    constexpr std::uint64_t kHostSlack = 1'000;
    if (const auto pages = config.host_budget.page_count_max) {
        options.urls_per_host_max = *pages + kHostSlack;
    }
    const auto plan = crawl::MemoryPlan::of_crawl(arguments.memory_bytes);
    options.frontier_memory_bytes = plan.frontier_bytes;
    options.warc.payload_count_max = plan.payload_count;
    options.warc.packing = archive::parse_packing(arguments.compress).value();
    options.warc.bytes_max = arguments.warc_max_bytes;
    options.warc.prefix = arguments.warc_file;
    options.warc.info = {{"software", "weft/" WEFT_VERSION},
                         {"format", "WARC File Format 1.1"},
                         {"conformsTo",
                          "https://iipc.github.io/warc-specifications/specifications/warc-format/"
                          "warc-1.1/"},
                         {"isPartOf", config.output.filename().string()},
                         {"http-header-user-agent", config.user_agent},
                         {"robots", config.obey_robots ? "obey" : "ignore"}};
    return options;
}

}  // namespace weft::cli
