#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::crawl {

// Why a URL is not wanted. Each has a name, which machines read, and a phrase for people.
enum class Refusal : std::uint8_t {
    scheme,          // Not http or https.
    too_long,        // The URL itself.
    other_page,      // Scope `page`, and no seed.
    outside_prefix,  // Scope `prefix`, and not below a seed.
    other_host,      // Outside the seeds' hosts.
    other_domain,    // Outside the seeds' registrable domains.
    other_port,      // The host, but neither a default port nor a seed's.
    blocked_port,    // A port of another service: mail, a database.
    excluded,        // By the pattern named.
    not_included,    // By none of the patterns.
    depth,           // Too many steps from a seed.
    redirect_limit,  // Too many redirects one after the other.
    requisite,       // What a page shows, and that is not wanted.
    requisite_hops,  // The same, by too many steps: style sheets that import style sheets.
    nofollow,        // The page asks not to follow its links.
    sitemap_limit,   // Indexes in indexes, or more files than a host may have.
    side_effect,     // A link that logs out or deletes, in a crawl with credentials.
    path_depth,      // More segments than a person would make: a trap.
    path_repeats,    // A segment comes again and again: a trap.
    query_size,      // More parameters than a person would make: a trap.
    calendar,        // A date far off, or months without end: a trap.
    session_id,      // One page under ever new ids: a trap.
    url_pattern,     // Pages of one pattern that differ in numbers only: a trap.
    pattern_pages,   // The budget of a pattern,
    host_pages,      // of a host,
    host_bytes,
    host_time,
    domain_pages,  // of a registrable domain.
    domain_bytes,
    domain_time,
    domain_hosts,
    own_rule,  // Of the program that uses the library.
};

inline constexpr std::size_t kRefusalCount = static_cast<std::size_t>(Refusal::own_rule) + 1;

// "other_host": of page logs, JSON and CSV.
std::string_view name(Refusal refusal);
std::optional<Refusal> refusal_named(std::string_view name);

// "not on a seed's host": of reports for people and `explain`.
std::string_view describe(Refusal refusal);

// The same for what stands where rules stand, in a page log or an explanation: that of the rule,
// or of "robots"; what is no rule's name is given back.
std::string_view phrase_of(std::string_view rule);

// A refusal and, where the rule is one of several, which.
struct Refused {
    Refusal rule;
    std::string detail = {};  // The pattern, as written.

    // "excluded: \.pdf$".
    std::string to_string() const;
};

}  // namespace weft::crawl
