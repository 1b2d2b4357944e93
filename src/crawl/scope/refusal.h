#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::crawl {

// Why the crawl refuses a URL. Each refusal has a name for programs and a phrase for people.
enum class Refusal : std::uint8_t {
    scheme,          // Not http or https.
    too_long,        // The URL has too many bytes.
    other_page,      // Scope `page`: it is not a seed.
    outside_prefix,  // Scope `prefix`: it is not below a seed's directory.
    other_host,      // Not on a seed's host.
    other_domain,    // Not in a seed's registrable domain.
    other_port,      // On a seed's host, but neither a default port nor a seed's.
    blocked_port,    // A port of another service: mail, a database.
    excluded,        // A pattern of --exclude matches.
    not_included,    // No pattern of --include matches.
    depth,           // Too many links from a seed.
    redirect_limit,  // Too many redirects in a row.
    requisite,       // A page requisite, and the crawl does not want them.
    requisite_hops,  // A page requisite too many steps away: style sheets in style sheets.
    nofollow,        // The page asks not to follow its links.
    sitemap_limit,   // Too many nested sitemap indexes, or too many sitemap files of a host.
    side_effect,     // A link that logs out or deletes, in a crawl with credentials.
    path_depth,      // More path segments than a person would make: a trap.
    path_repeats,    // A path segment is repeated too often: a trap.
    query_size,      // More parameters than a person would make: a trap.
    calendar,        // A date far ahead, or months without end: a trap.
    session_id,      // One page under ever new ids: a trap.
    url_pattern,     // Pages of one pattern that differ in numbers only: a trap.
    pattern_pages,   // The budget of its URL pattern is spent.
    host_pages,      // The host's budget of pages is spent. The order of these six enumerators
    host_bytes,      // matters to budgets.cpp and folder_retry.cpp.
    host_time,
    domain_pages,  // The registrable domain's budget of pages is spent.
    domain_bytes,
    domain_time,
    domain_hosts,  // The registrable domain has too many hosts.
    own_rule,      // A rule of the program that uses the library.
};

inline constexpr std::size_t kRefusalCount = static_cast<std::size_t>(Refusal::own_rule) + 1;

// The name in page logs, JSON and CSV: "other_host".
std::string_view name(Refusal refusal);
std::optional<Refusal> refusal_named(std::string_view name);

// The phrase in reports and in `explain`: "not on a seed's host".
std::string_view describe(Refusal refusal);

// The phrase for the name of a rule, as a page log has it, or for "robots". A text that is not the
// name of a rule is returned as it is.
std::string_view phrase_of(std::string_view rule);

// A refusal, and which of several patterns or rules it was.
struct Refused {
    Refusal rule;
    std::string detail = {};  // The pattern as written, or the reason of the program's own rule.

    // "excluded: \.pdf$".
    std::string to_string() const;
};

}  // namespace weft::crawl
