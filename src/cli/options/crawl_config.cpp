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
#include "http/access/open_field.h"
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

void set_memory(const CrawlJob& job, crawl::Config& config) {
    const std::uint64_t least = crawl::MemoryPlan::least_bytes(config.concurrency);
    if (job.memory_bytes < least) {
        // Rounded up: a number that is only shown rounded would be refused again.
        throw UsageError(fmt::format(
            "--memory {} is too little for {} fetches at once: give {} MiB or more, or a smaller "
            "--concurrency",
            human_bytes(job.memory_bytes), config.concurrency, (least + 1_MiB - 1) / 1_MiB));
    }
    const auto plan = crawl::MemoryPlan::of_crawl(job.memory_bytes);
    plan.apply(config);
    config.memory = watch_memory(plan.watched_bytes);
}

// Header fields that log in at one origin. They must not be sent to another, not even to that of a
// second seed.
bool is_login(std::string_view field) {
    const std::string name = to_lower(field);
    return name == "authorization" || name == "cookie" || name == "proxy-authorization";
}

void set_headers(const AccessOptions& access, crawl::Config& config) {
    http::Headers& typed = access.header_anywhere ? config.headers : config.seed_headers;
    for (const http::Field field : access.headers) {
        (is_login(field.name) ? config.private_headers : typed).add(field.name, field.value);
    }
    if (!config.seed_headers.empty()) {
        for (const web::Url& seed : config.seeds) {
            config.seed_origins.insert(http::Origin::of(seed));
        }
    }
    if (access.has_cookie_text()) {
        config.private_headers.add("Cookie", trim(access.load_cookies));
    }
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

void set_who(CrawlJob& job) {
    crawl::Config& config = job.config;
    AccessOptions& access = job.access;
    const auto has_login = [](const web::Url& seed) { return seed.has_credentials(); };
    job.has_url_login = std::ranges::any_of(config.seeds, has_login);
    // First: it removes users and passwords from the seeds.
    set_logins(access, config.seeds);
    set_access(access);
    const bool has_cookie_file = !access.load_cookies.empty() && !access.has_cookie_text();
    if (has_cookie_file || !access.save_cookies.empty()) load_cookies(access);
    set_headers(access, config);
    config.client = access.client;
    config.ca_file = config.client.ca_file;
    config.addresses = config.client.addresses;
    config.is_authenticated = !config.client.credentials.empty() || config.client.certificate ||
                              !config.private_headers.empty() ||
                              (config.client.cookies && config.client.cookies->size() > 0);
}

void set_text(CrawlJob& job) {
    crawl::Config& config = job.config;
    const bool has_text = config.text != extract::TextForm::none;
    if (!job.to.empty() && !has_text)
        throw UsageError("--to writes the texts of pages: add --text or --text=markdown");
    const auto demand_text = [&](bool is_given, const char* option) {
        if (!is_given || has_text) return;
        throw UsageError(
            fmt::format("{} is about the texts of pages: add --text or --text=markdown", option));
    };
    demand_text(job.use.purpose != extract::Purpose::unsaid, "--purpose");
    demand_text(job.use.keeps_reserved.has_value(), "--reserved");
    demand_text(config.keeps_structured, "--structured");
    config.text_purpose = job.use.purpose;
    config.keeps_reserved_text = job.use.keeps_reserved.value_or(false);
}

}  // namespace

void read_seeds(CrawlJob& job) {
    std::vector<web::Url>& seeds = job.config.seeds;
    if (!seeds.empty()) return;
    for (const std::string& text : job.urls) {
        refuse_file_name(text);
        seeds.push_back(parse_seed(text, ""));
    }
    if (!job.input_file.empty()) read_input_file(job.input_file, seeds);
    if (seeds.empty()) {
        throw UsageError(
            "no URL to start from; write one, such as https://example.com/, or give a list of them "
            "with -i FILE (-i - reads standard input)");
    }
}

void complete(CrawlJob& job) {
    crawl::Config& config = job.config;
    read_seeds(job);
    if (config.limits.content_bytes_max == 0) config.limits.content_bytes_max = INT64_MAX;
    // Both limits: compressed content is cut by what it unpacks to, too.
    config.limits.wire_bytes_max = config.limits.content_bytes_max;
    if (config.retry_after_max == Duration::zero()) config.retry_after_max = kNoRetryAfterMax;
    set_memory(job, config);
    set_who(job);
    demand_contact(config);
    if (!config.archive && (job.makes_wacz || !job.mirror.empty())) {
        throw UsageError(fmt::format("{} needs the archive that --no-archive leaves out",
                                     job.makes_wacz ? "--wacz" : "--mirror"));
    }
    set_text(job);
    if (!job.earlier.empty()) {
        // tidy: allow shared-state: it has no state.
        static aio::SystemFiles files;  // Lives as long as any config.
        config.earlier = crawl::EarlierCrawl::open(files, job.earlier);
    }
    config.started = SystemClock().wall();
    if (config.output.empty()) config.output = default_output(config.seeds.front(), config.started);
    config.output = job.directory_prefix / config.output;
}

std::vector<std::string> secret_options(const CrawlJob& job) {
    const AccessOptions& access = job.access;
    std::vector<std::string> names;
    if (job.has_url_login) names.emplace_back("user");
    if (access.proxy && is_secret("proxy", *access.proxy)) names.emplace_back("proxy");
    const auto is_open = [](const http::Field& field) { return http::is_open_field(field.name); };
    if (!std::ranges::all_of(access.headers, is_open)) {
        // All fields, not only the secret ones: if an option is given again, all its values are.
        for (const http::Field field : access.headers) {
            names.push_back("header " + escape_for_terminal(field.name));
        }
    }
    return names;
}

bool has_secrets(const CrawlJob& job) {
    return job.config.is_authenticated || !secret_options(job).empty();
}

void complete_folder(CrawlJob& job) {
    const crawl::Config& config = job.config;
    crawl::FolderOptions& options = job.folder;
    options.max_per_host = config.max_per_host;
    // A few more than may be fetched, so that URLs slightly over the limit still get a line in the
    // page log.
    constexpr std::uint64_t kHostSlack = 1'000;
    if (const auto pages = config.host_budget.page_count_max) {
        options.urls_per_host_max = *pages + kHostSlack;
    }
    const auto plan = crawl::MemoryPlan::of_crawl(job.memory_bytes);
    options.frontier_memory_bytes = plan.frontier_bytes;
    options.warc.payload_count_max = plan.payload_count;
    options.warc.info = {{"software", "weft/" WEFT_VERSION},
                         {"format", "WARC File Format 1.1"},
                         {"conformsTo",
                          "https://iipc.github.io/warc-specifications/specifications/warc-format/"
                          "warc-1.1/"},
                         {"isPartOf", config.output.filename().string()},
                         {"http-header-user-agent", config.user_agent},
                         {"robots", config.obey_robots ? "obey" : "ignore"}};
}

}  // namespace weft::cli
