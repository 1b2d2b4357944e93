#include "crawl/scope/refusal.h"

#include <algorithm>
#include <iterator>

namespace weft::crawl {

namespace {

struct RefusalRow {
    Refusal refusal;
    std::string_view name;
    std::string_view phrase;
};

// In the order of the enumeration, so that row_of() can index it; is_complete() checks that.
constexpr RefusalRow kRows[] = {
    {Refusal::scheme, "scheme", "only http and https are crawled"},
    {Refusal::too_long, "too_long", "the URL is too long"},
    {Refusal::other_page, "other_page", "only the seeds themselves are wanted"},
    {Refusal::outside_prefix, "outside_prefix", "not in or below a seed's directory"},
    {Refusal::other_host, "other_host", "not on a seed's host"},
    {Refusal::other_domain, "other_domain", "not in a seed's registrable domain"},
    {Refusal::other_port, "other_port", "a port that is neither a default nor a seed's"},
    {Refusal::blocked_port, "blocked_port", "a port of another service than the web"},
    {Refusal::excluded, "excluded", "excluded by a pattern"},
    {Refusal::not_included, "not_included", "included by no pattern"},
    {Refusal::depth, "depth", "too many steps from a seed"},
    {Refusal::redirect_limit, "redirect_limit", "redirect limit reached"},
    {Refusal::requisite, "requisite", "what pages show is not wanted here"},
    {Refusal::requisite_hops, "requisite_hops",
     "style sheets or frames inside one another, deeper than --requisite-hops"},
    {Refusal::nofollow, "nofollow", "the page asks not to follow its links"},
    {Refusal::sitemap_limit, "sitemap_limit", "more sitemaps than are read"},
    {Refusal::side_effect, "side_effect", "it may log out or delete, and credentials are sent"},
    {Refusal::path_depth, "path_depth", "the path is deeper than people make them"},
    {Refusal::path_repeats, "path_repeats", "a part of the path comes again and again"},
    {Refusal::query_size, "query_size", "more parameters than people write"},
    {Refusal::calendar, "calendar", "a calendar without end"},
    {Refusal::session_id, "session_id", "one page under ever new session ids"},
    {Refusal::url_pattern, "url_pattern", "pages without end that differ in numbers only"},
    {Refusal::pattern_pages, "pattern_pages", "the budget of its URL pattern is spent"},
    {Refusal::host_pages, "host_pages", "the host's budget of pages is spent"},
    {Refusal::host_bytes, "host_bytes", "the host's budget of bytes is spent"},
    {Refusal::host_time, "host_time", "the host's budget of time is spent"},
    {Refusal::domain_pages, "domain_pages", "the domain's budget of pages is spent"},
    {Refusal::domain_bytes, "domain_bytes", "the domain's budget of bytes is spent"},
    {Refusal::domain_time, "domain_time", "the domain's budget of time is spent"},
    {Refusal::domain_hosts, "domain_hosts", "the domain has more hosts than are wanted"},
    {Refusal::own_rule, "own_rule", "refused by a rule of the program"},
};

consteval bool is_complete() {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        if (static_cast<std::size_t>(kRows[i].refusal) != i) return false;
        if (kRows[i].name.empty() || kRows[i].phrase.empty()) return false;
    }
    return std::size(kRows) == kRefusalCount;
}
static_assert(is_complete(), "every rule has a name and a phrase");

const RefusalRow& row_of(Refusal refusal) {
    return kRows[static_cast<std::size_t>(refusal)];
}

}  // namespace

std::string_view name(Refusal refusal) {
    return row_of(refusal).name;
}

std::string_view describe(Refusal refusal) {
    return row_of(refusal).phrase;
}

std::optional<Refusal> refusal_named(std::string_view name) {
    const auto found = std::ranges::find(kRows, name, &RefusalRow::name);
    return found == std::end(kRows) ? std::nullopt : std::optional(found->refusal);
}

std::string_view phrase_of(std::string_view rule) {
    if (rule == "robots") return "robots.txt keeps it out";
    const std::optional<Refusal> refusal = refusal_named(rule);
    return refusal ? describe(*refusal) : rule;
}

std::string Refused::to_string() const {
    std::string text(name(rule));
    if (!detail.empty()) text += ": " + detail;
    return text;
}

}  // namespace weft::crawl
