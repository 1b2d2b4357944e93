#include "crawl/refusal.h"

#include <utility>

namespace weft::crawl {

std::string_view name(Refusal refusal) {
    switch (refusal) {
        case Refusal::scheme: return "scheme";
        case Refusal::too_long: return "too_long";
        case Refusal::other_page: return "other_page";
        case Refusal::outside_prefix: return "outside_prefix";
        case Refusal::other_host: return "other_host";
        case Refusal::other_domain: return "other_domain";
        case Refusal::other_port: return "other_port";
        case Refusal::blocked_port: return "blocked_port";
        case Refusal::excluded: return "excluded";
        case Refusal::not_included: return "not_included";
        case Refusal::depth: return "depth";
        case Refusal::redirect_limit: return "redirect_limit";
        case Refusal::requisite: return "requisite";
        case Refusal::nofollow: return "nofollow";
        case Refusal::sitemap_limit: return "sitemap_limit";
        case Refusal::side_effect: return "side_effect";
        case Refusal::path_depth: return "path_depth";
        case Refusal::path_repeats: return "path_repeats";
        case Refusal::query_size: return "query_size";
        case Refusal::calendar: return "calendar";
        case Refusal::session_id: return "session_id";
        case Refusal::url_pattern: return "url_pattern";
        case Refusal::pattern_pages: return "pattern_pages";
        case Refusal::host_pages: return "host_pages";
        case Refusal::host_bytes: return "host_bytes";
        case Refusal::host_time: return "host_time";
        case Refusal::domain_pages: return "domain_pages";
        case Refusal::domain_bytes: return "domain_bytes";
        case Refusal::domain_time: return "domain_time";
        case Refusal::domain_hosts: return "domain_hosts";
        case Refusal::own_rule: return "own_rule";
    }
    std::unreachable();
}

std::string_view describe(Refusal refusal) {
    switch (refusal) {
        case Refusal::scheme: return "only http and https are crawled";
        case Refusal::too_long: return "the URL is too long";
        case Refusal::other_page: return "only the seeds themselves are wanted";
        case Refusal::outside_prefix: return "not in or below a seed's directory";
        case Refusal::other_host: return "not on a seed's host";
        case Refusal::other_domain: return "not in a seed's registrable domain";
        case Refusal::other_port: return "a port that is neither a default nor a seed's";
        case Refusal::blocked_port: return "a port of another service than the web";
        case Refusal::excluded: return "excluded by a pattern";
        case Refusal::not_included: return "included by no pattern";
        case Refusal::depth: return "too many steps from a seed";
        case Refusal::redirect_limit: return "redirect limit reached";
        case Refusal::requisite: return "what pages show is not wanted here";
        case Refusal::nofollow: return "the page asks not to follow its links";
        case Refusal::sitemap_limit: return "more sitemaps than are read";
        case Refusal::side_effect: return "it may log out or delete, and credentials are sent";
        case Refusal::path_depth: return "the path is deeper than people make them";
        case Refusal::path_repeats: return "a part of the path comes again and again";
        case Refusal::query_size: return "more parameters than people write";
        case Refusal::calendar: return "a calendar without end";
        case Refusal::session_id: return "one page under ever new session ids";
        case Refusal::url_pattern: return "pages without end that differ in numbers only";
        case Refusal::pattern_pages: return "the budget of its URL pattern is spent";
        case Refusal::host_pages: return "the host's budget of pages is spent";
        case Refusal::host_bytes: return "the host's budget of bytes is spent";
        case Refusal::host_time: return "the host's budget of time is spent";
        case Refusal::domain_pages: return "the domain's budget of pages is spent";
        case Refusal::domain_bytes: return "the domain's budget of bytes is spent";
        case Refusal::domain_time: return "the domain's budget of time is spent";
        case Refusal::domain_hosts: return "the domain has more hosts than are wanted";
        case Refusal::own_rule: return "refused by a rule of the program";
    }
    std::unreachable();
}

std::string Refused::to_string() const {
    std::string text(name(rule));
    if (!detail.empty()) text += ": " + detail;
    return text;
}

}  // namespace weft::crawl
