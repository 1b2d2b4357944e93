#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "crawl/scope/pattern.h"
#include "http/client/client_options.h"
#include "http/client/fetch_limits.h"
#include "http/connect/address_policy.h"
#include "http/connect/origin.h"
#include "http/message/headers.h"
#include "web/host/public_suffix.h"
#include "web/url/url.h"

namespace weft::crawl {

// Which places a crawl goes to, seen from its seeds. The reference's `strict` is `host`, its
// `lenient` is `domain`.
enum class ScopeKind {
    page,    // The seeds alone, and what they need to be shown.
    prefix,  // What lies in a seed's own directory and below.
    host,    // The seed's host, with or without "www.".
    domain,  // All hosts of the seed's registrable domain (public suffix list).
    any,     // The web.
};
std::string_view name(ScopeKind kind);
std::optional<ScopeKind> parse_scope_kind(std::string_view text);

// What a page needs to be shown: pictures, styles, scripts, frames.
enum class Requisites {
    none,      // Not fetched.
    in_scope,  // Fetched where the scope allows the place.
    all,       // Fetched wherever they lie: an archive wants whole pages.
};

// What may be spent; nothing: no limit. A budget that is spent starts no more fetches.
struct Budget {
    // URLs asked for. Exact: never passed, however many fetches are under way.
    std::optional<std::uint64_t> page_count_max;

    // Of content, codings undone. Answers under way when it is spent are finished.
    std::optional<std::uint64_t> bytes_max;

    // Of a crawl: since its start. Of a host or a domain: time spent waiting for its answers, so
    // that a tarpit costs no more than this (H69).
    std::optional<Duration> time_max;
};

// Where a seed was found to lead: its host is the end's host from then on.
struct MovedSeed {
    web::Url seed;
    web::Url end;
};

class EarlierCrawl;
class MemoryWatch;

// What a crawl does: the resolved options, each with its default. A plain value: the scope and
// every verdict can be computed from it again.
struct Config {
    std::vector<web::Url> seeds;

    // Redirects of seeds that an earlier run has followed; `resume` gives them.
    std::vector<MovedSeed> moved_seeds;

    // Where to go.
    ScopeKind scope = ScopeKind::host;

    // Names: they and all hosts below them are in the scope too; with ScopeKind::any they and the
    // seeds' own places alone are.
    std::vector<std::string> domains;

    // If there are any, a page must match one of `include`; nothing that matches one of `exclude`
    // is fetched. Seeds are exempt from both: they were typed.
    std::vector<Pattern> include;
    std::vector<Pattern> exclude;

    std::optional<std::uint32_t> depth_max;  // Steps from a seed; none: no limit.
    std::uint32_t extra_hops = 0;            // Steps that links may lead out of the scope.

    // None given: `all` if an archive is written, else `in_scope`.
    std::optional<Requisites> requisites;
    std::uint32_t requisite_hops_max = 31;  // Sheets importing sheets; at most kRequisiteHopsMax.

    // Besides the default ports and those of the seeds. Ports of other services (mail, databases)
    // are never asked (H34).
    std::vector<std::uint16_t> ports;

    std::uint32_t redirect_count_max = limits::kRedirectCountMax;  // At most 255.

    // Ask for the sitemaps that robots.txt names, else for /sitemap.xml. Needs obey_robots.
    bool sitemaps = true;
    std::uint32_t sitemap_files_per_host_max = 1'000;

    // Session ids count: "?PHPSESSID=1" and "?PHPSESSID=2" are two pages.
    bool keeps_session_ids = false;

    // Credentials or cookies of a person are sent: links that log out or delete are left alone
    // (H122).
    bool is_authenticated = false;

    // Where the registrable domains are known from.
    std::filesystem::path public_suffix_list = web::PublicSuffixList::kDefaultPath;

    // What looks like a trap (H68): more than a person would make.
    std::size_t path_depth_max = 20;
    std::size_t segment_repeat_max = 3;
    std::size_t query_parameter_max = 20;
    std::int32_t calendar_years_ahead_max = 2;  // A date further off than this is made up.
    // "/show/{n}?page" is a pattern. None: what the pages hold decides alone, as below; large sites
    // have millions of pages under one pattern.
    std::optional<std::uint64_t> pages_per_pattern_max;
    std::size_t pattern_probe_count = 64;  // So many pages of a pattern, alike but for numbers: cut
                                           // off. 0: never.

    // How much. Those of a host and of a registrable domain bound what traps can cost.
    Budget crawl_budget;
    Budget host_budget = {.page_count_max = 100'000};
    Budget domain_budget;
    std::optional<std::uint64_t> hosts_per_domain_max = 10'000;  // Wildcard names (H71).

    // How hard.
    std::size_t concurrency = 256;               // Fetches under way at once; see Places.
    std::size_t max_per_host = 1;                // And of one host,
    std::optional<std::size_t> max_per_domain;   // one registrable domain (none: 4, or what a host
                                                 // may have if that is more),
    std::optional<std::size_t> max_per_address;  // and one address (none: 8, likewise).

    // Pages that the crawl as a whole asks for in a second, at most; none: as fast as all else lets
    // it.
    std::optional<double> rate_max;
    std::optional<Duration> wait;  // Between two fetches of a host; none: as long as the last
                                   // answer took, within 0.1 to 10 s.

    bool obey_robots = true;
    bool robots_forbidden_denies = false;  // A robots.txt that answers 401 or 403 closes its host;
                                           // RFC 9309 has it open (H78).
    std::size_t robots_cache_count_max = 50'000;
    std::size_t robots_cache_bytes_max = 32_MiB;

    // Again.
    std::uint32_t try_count_max = 3;  // Of a fetch that fails for a reason that may pass.
    std::vector<int> retry_statuses = {429, 503};
    Duration unreached_pause_max = 10min;  // Before a host that was not reached is tried again.

    // How long a host may keep the crawl waiting by Retry-After, all such waits together; each good
    // answer gives it Hold::kPerAnswer back. One that asks for more is put aside: what waits there
    // ends with that reason, for a later run to ask again.
    Duration retry_after_max = 1h;
    std::uint32_t breaker_failure_count = 5;  // Failures to connect in a row: the host is left
                                              // alone for longer and longer,
    std::uint32_t breaker_opening_max = 8;    // and given up after so many times.
    Duration breaker_pause_max = 1h;          // None of these is longer.

    // End the crawl when the network seems to be gone (NetworkWatch), for a later run to go on
    // with; else URLs are tried and given up as if their hosts were down.
    bool stops_without_network = false;

    // Who asks. The name before the slash is what robots.txt speaks to.
    std::string user_agent = "weft/0.1";

    // How far an answer is trusted.
    http::FetchLimits limits;
    http::AddressPolicy addresses;  // A seed opens the address that is written in it besides.
    std::filesystem::path ca_file;

    // Ask only for what has changed since; null: for everything. With a handler for pages, which
    // wants their content, everything is asked for all the same.
    std::shared_ptr<const EarlierCrawl> earlier;
    // How hosts are reached, and who we are to them: protocols, proxies, fixed addresses, logins.
    // What stands above (agent, limits, addresses, authorities) is taken from there. With a cookie
    // jar here, cookies are kept and sent; each crawler works on a copy of it.
    http::ClientOptions client;

    // Fields of every request, besides the client's own; those of `seed_headers` only to the
    // origins of seeds, which are in `seed_origins` then; the private ones only to their one origin
    // (H121).
    http::Headers headers;
    http::Headers seed_headers;
    std::set<http::Origin> seed_origins;
    http::Headers private_headers;
    std::optional<http::Origin> private_origin;
    http::Headers headers_for(const web::Url& url) const {
        http::Headers all = headers;
        const auto add = [&all](const http::Headers& more) {
            for (const http::Field field : more) all.add(field.name, field.value);
        };
        if (!seed_headers.empty() && seed_origins.contains(http::Origin::of(url))) {
            add(seed_headers);
        }
        if (private_origin && private_origin->is_of(url)) add(private_headers);
        return all;
    }

    // Archive the fields of requests that may let in somewhere with their values; else records have
    // "[removed]" in their place (http/access/open_field.h).
    bool archives_credentials = false;

    // What is kept. An empty path keeps nothing.
    std::filesystem::path output;
    bool archive = true;
    bool keeps_links = false;  // All links of each page in the page log, so that reports name every
                               // page that points to a broken one; else the first alone.
    bool finds_near_duplicates = false;
    bool reads_page_details = false;  // For handlers: what links say, what fragments can name, and
                                      // the links in style attributes.
    bool keeps_text = false;          // What a reader sees of each page in the page log,
    std::size_t text_bytes_max = 256_KiB;  // and how much of it.

    // What may be held in memory; MemoryPlan gives numbers that go together. The first is for all
    // that is held of answers, until they are committed.
    std::size_t body_bytes_held_max = 256_MiB;
    std::size_t digest_count_max = 1'000'000;  // Contents remembered to find copies.
    std::size_t host_count_max = 50'000;  // Hosts of which more is known than the frontier has.
    std::shared_ptr<MemoryWatch> memory;  // Of the process as a whole; null: nobody watches.

    // The crawl ends, to be resumed, before less than this is free on the disk of `output`; 0: it
    // goes on until the disk is full.
    std::uint64_t disk_reserve_bytes = 0;

    bool writes_archive() const { return archive && !output.empty(); }
    Requisites wanted_requisites() const {
        return requisites.value_or(writes_archive() ? Requisites::all : Requisites::in_scope);
    }

    // When the crawl began: what a calendar is measured by. Set by whoever starts it; the epoch:
    // no date is too far off.
    WallTime started{};
};

}  // namespace weft::crawl
