#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/units.h"
#include "extract/extractor.h"
#include "http/client/client_options.h"
#include "http/client/fetch_limits.h"
#include "http/connect/address_policy.h"
#include "http/connect/origin.h"
#include "http/message/headers.h"
#include "web/host/public_suffix.h"
#include "web/url/pattern.h"
#include "web/url/url.h"

namespace weft::crawl {

// How far from its seeds a crawl goes. The reference crawler calls `host` "strict" and `domain`
// "lenient".
enum class ScopeKind {
    page,    // Only the seeds and their requisites.
    prefix,  // The directory of a seed and everything below it.
    host,    // The seed's host, with or without "www.".
    domain,  // All hosts of the seed's registrable domain (public suffix list).
    any,     // The whole web.
};
std::string_view name(ScopeKind kind);
std::optional<ScopeKind> parse_scope_kind(std::string_view text);

// Which page requisites are fetched: the pictures, styles, scripts and frames that a page needs to
// be displayed.
enum class Requisites {
    none,      // None.
    in_scope,  // Those whose URL is in the scope.
    all,       // Those of any host: an archive wants whole pages.
};

// The limits of a crawl, a host or a domain. An empty field means no limit. Once a budget is spent,
// no further fetch begins.
struct Budget {
    // URLs requested. Exact: never exceeded, however many fetches are under way.
    std::optional<std::uint64_t> page_count_max;

    // Bytes of content, after decoding. Responses under way when it is spent are read to the end.
    std::optional<std::uint64_t> bytes_max;

    // For a crawl: time since its start. For a host or a domain: time spent waiting for its
    // responses, so that a tarpit costs no more than this (H69).
    std::optional<Duration> time_max;
};

// A seed whose redirects ended at another URL. From then on the scope treats the host of `end` as
// the seed's host.
struct MovedSeed {
    web::Url seed;
    web::Url end;
};

class EarlierCrawl;
class MemoryWatch;

// What a crawl does: the resolved options, each with its default. It is a plain value: the same
// Config always gives the same scope and the same verdict on a URL, so that a refusal can be
// explained later.
struct Config {
    std::vector<web::Url> seeds;

    // Where redirects of seeds led in an earlier run. `explain` reads them from the page log; a
    // resumed crawl learns them again from its outcomes.
    std::vector<MovedSeed> moved_seeds;

    // Where to go.
    ScopeKind scope = ScopeKind::host;

    // Further domains in the scope, each with all its subdomains. With ScopeKind::any a non-empty
    // list narrows the scope to these domains and the seeds' own hosts.
    std::vector<std::string> domains;

    // If `include` is not empty, a page must match one of its patterns. A URL that matches a
    // pattern of `exclude` is never fetched. Seeds are exempt from both: the user typed them.
    std::vector<web::Pattern> include;
    std::vector<web::Pattern> exclude;

    std::optional<std::uint32_t> depth_max;  // Links from a seed. Empty: no limit.
    std::uint32_t extra_hops = 0;            // Links that may be followed out of the scope.

    // Empty: `all` if an archive is written, else `in_scope`. See wanted_requisites().
    std::optional<Requisites> requisites;
    std::uint32_t requisite_hops_max = 31;  // Sheets importing sheets; at most kRequisiteHopsMax.

    // Ports that are allowed besides the default ports and those of the seeds. Ports of other
    // services (mail, databases) are never connected to (H34).
    std::vector<std::uint16_t> ports;

    std::uint32_t redirect_count_max = limits::kRedirectCountMax;  // At most 255.
    std::uint8_t redirects_left() const {  // Of a URL that was not reached by a redirect.
        return static_cast<std::uint8_t>(std::min<std::uint32_t>(redirect_count_max, 255));
    }

    // Fetch the sitemaps that robots.txt names, or /sitemap.xml if it names none. Needs
    // obey_robots.
    bool sitemaps = true;
    std::uint32_t sitemap_files_per_host_max = 1'000;

    // Session ids are part of a page's identity: "?PHPSESSID=1" and "?PHPSESSID=2" are two pages.
    bool keeps_session_ids = false;

    // The crawl sends a person's credentials or cookies. Links that log out or delete something are
    // not followed then (H122).
    bool is_authenticated = false;

    // The list that defines registrable domains.
    std::filesystem::path public_suffix_list = web::PublicSuffixList::kDefaultPath;

    // Limits above which a URL looks like a trap (H68): a person would not make such a URL.
    std::size_t path_depth_max = 20;
    std::size_t segment_repeat_max = 3;
    std::size_t query_parameter_max = 20;
    std::int32_t calendar_years_ahead_max = 2;  // A date further off than this is made up.
    // Pages per URL pattern, such as "/show/{n}?page". Empty: no limit, because large sites have
    // millions of pages under one pattern; then only pattern_probe_count can cut a pattern off.
    std::optional<std::uint64_t> pages_per_pattern_max;
    std::size_t pattern_probe_count = 64;  // A pattern is cut off after this many pages that differ
                                           // in numbers only. 0: never.

    // How much. The budgets of a host and of a registrable domain bound what a trap can cost.
    Budget crawl_budget;
    Budget host_budget = {.page_count_max = 100'000};
    Budget domain_budget;
    std::optional<std::uint64_t> hosts_per_domain_max = 10'000;  // Wildcard names (H71).

    // How hard.
    std::size_t concurrency = 256;  // Fetches under way at once; see Places.
    std::size_t max_per_host = 1;   // Fetches of one host under way at once.
    // The same for a registrable domain (empty: 4) and for an address (empty: 8). The defaults are
    // raised to max_per_host if that is more.
    std::optional<std::size_t> max_per_domain;
    std::optional<std::size_t> max_per_address;

    // The most pages a second that the whole crawl requests. Empty: no limit of its own.
    std::optional<double> rate_max;
    std::optional<Duration> wait;  // The pause between two fetches of a host. Empty: as long as the
                                   // last response took, within 0.1 to 10 s.

    bool obey_robots = true;
    bool robots_forbidden_denies = false;  // A 401 or 403 for robots.txt closes the host. By
                                           // RFC 9309 it leaves the host open (H78).
    std::size_t robots_cache_count_max = 50'000;
    std::size_t robots_cache_bytes_max = 32_MiB;

    // Retries.
    std::uint32_t try_count_max = 3;  // Tries of a fetch whose failure may be temporary.
    std::vector<int> retry_statuses = {429, 503};
    Duration unreached_pause_max = 10min;  // The longest pause before an unreached host is retried.

    // How long a host may keep the crawl waiting by Retry-After, all waits added up. Each good
    // response gives it Hold::kPerAnswer back. A host that asks for more is put aside: its waiting
    // URLs end with that reason, and a later run can try them again.
    Duration retry_after_max = 1h;
    // The circuit breaker of a host; see Breaker.
    std::uint32_t breaker_failure_count = 5;  // Failures in a row that open it.
    std::uint32_t breaker_opening_max = 8;    // Openings after which the host is given up.
    Duration breaker_pause_max = 1h;          // The longest pause while it is open.

    // End the crawl when the network seems to be down (NetworkWatch), so that a later run can
    // continue. Otherwise URLs are tried and given up as if their hosts were down.
    bool stops_without_network = false;

    // The User-Agent. robots.txt rules address the product token, the part before the slash.
    std::string user_agent = "weft/0.1";

    // How far a server is trusted.
    http::FetchLimits limits;
    http::AddressPolicy addresses;  // An address that is written in a seed is allowed as well.
    std::filesystem::path ca_file;

    // The crawl whose pages this one updates: only what has changed since is transferred. Null:
    // everything is fetched. A page handler wants the content, so with one everything is fetched
    // too.
    std::shared_ptr<const EarlierCrawl> earlier;
    // How hosts are reached and which credentials they get: protocols, proxies, fixed addresses,
    // logins. The fields above (user_agent, limits, addresses, ca_file) override the ones in here.
    // With a cookie jar in here, cookies are kept and sent; each crawler works on its own copy of
    // the jar.
    http::ClientOptions client;

    // Request header fields besides the client's own. `headers` go to every host, `seed_headers`
    // only to the origins in `seed_origins`, `private_headers` only to `private_origin` (H121).
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

    // Archive request fields that may carry credentials with their values. Otherwise records have
    // "[removed]" in place of the value (http/access/open_field.h).
    bool archives_credentials = false;

    // What is kept. With an empty path nothing is kept.
    std::filesystem::path output;
    bool archive = true;
    bool keeps_links = false;  // Write all links of each page to the page log, so that reports can
                               // name every page with a broken link. Otherwise only the page that
                               // linked to it first is known.
    bool finds_near_duplicates = false;
    bool reads_page_details = false;  // For page handlers: read link texts, the anchors that
                                      // fragments can name, and links in style attributes.
    // Write the main text of each HTML page to text.jsonl, and the facts about it. With it, near
    // duplicates are those whose main texts are alike.
    extract::TextForm text = extract::TextForm::none;
    extract::Purpose text_purpose = extract::Purpose::unsaid;  // What the texts are for.
    bool keeps_structured = false;     // JSON-LD and microdata, whole, in the lines of text.jsonl.
    bool keeps_reserved_text = false;  // Texts that sites reserve, too: for one's own sites.

    // Memory limits. MemoryPlan gives numbers that fit together. body_bytes_held_max bounds
    // everything that is held of responses until they are committed.
    std::size_t body_bytes_held_max = 256_MiB;
    std::size_t digest_count_max = 1'000'000;  // Contents remembered to find duplicates.
    std::size_t host_count_max = 50'000;       // Hosts whose state is kept (HostTable).
    std::shared_ptr<MemoryWatch> memory;  // Watches the memory of the process; null: not watched.

    // The crawl ends, and can be resumed, when less than this is free on the disk of `output`. 0:
    // it goes on until the disk is full.
    std::uint64_t disk_reserve_bytes = 0;

    // What is extracted of a page for text.jsonl.
    extract::Wishes text_wishes() const {
        return {.text = text,
                .lists_links = true,
                .structured = keeps_structured,
                .takes_simhash = true,
                .purpose = text_purpose,
                .keeps_reserved = keeps_reserved_text};
    }

    // The product token of user_agent in lower case, as sites name the crawl.
    std::string agent() const {
        return to_lower(std::string_view(user_agent).substr(0, user_agent.find_first_of("/ ")));
    }

    bool writes_archive() const { return archive && !output.empty(); }
    Requisites wanted_requisites() const {
        return requisites.value_or(writes_archive() ? Requisites::all : Requisites::in_scope);
    }

    // When the crawl began; calendar_years_ahead_max counts from here. The caller sets it. With the
    // epoch no date is too far ahead.
    WallTime started{};
};

}  // namespace weft::crawl
