#include "crawl/scope/scope.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"
#include "crawl/scope/traps.h"
#include "http/connect/blocked_port.h"

namespace weft::crawl {

std::string_view name(ScopeKind kind) {
    switch (kind) {
        case ScopeKind::page: return "page";
        case ScopeKind::prefix: return "prefix";
        case ScopeKind::host: return "host";
        case ScopeKind::domain: return "domain";
        case ScopeKind::any: return "any";
    }
    std::unreachable();
}

std::optional<ScopeKind> parse_scope_kind(std::string_view text) {
    for (const ScopeKind kind :
         {ScopeKind::page, ScopeKind::prefix, ScopeKind::host, ScopeKind::domain, ScopeKind::any}) {
        if (text == name(kind)) return kind;
    }
    if (text == "strict") return ScopeKind::host;
    if (text == "lenient") return ScopeKind::domain;
    return std::nullopt;
}

namespace {

constexpr std::uint8_t kSitemapLevelMax = 2;  // H83: an index, and one in it.

// The host without "www." and without a trailing dot.
std::string_view bare_host(const web::Url& url) {
    std::string_view host = url.hostname();
    if (host.ends_with('.')) host.remove_suffix(1);
    if (url.host_kind() == web::HostKind::domain && host.starts_with("www.")) host.remove_prefix(4);
    return host;
}

// The directory of a URL: "/a/" for "/a/b?c".
std::string_view directory_of(const web::Url& url) {
    const std::string_view path = url.pathname();
    return path.substr(0, path.rfind('/') + 1);
}

// Only links, hints and the entries of listings count as a step from the seed.
bool keeps_depth(Via via) {
    return via == Via::redirect || via == Via::refresh || via == Via::requisite ||
           via == Via::sitemap || via == Via::guess || via == Via::seed;
}

}  // namespace

Scope::Scope(const Config& config) : config_(config) {
    if (config.scope == ScopeKind::domain) domains_ = Domains::load(config.public_suffix_list);
    for (const web::Url& seed : config.seeds) {
        add_seed(seed);
        if (http::is_blocked_port(*seed.effective_port()))
            odd_origins_.insert(http::Origin::of(seed));
    }
    for (const MovedSeed& moved : config.moved_seeds) move_seed(moved.seed, moved.end);
    const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(config.started));
    if (config.started != WallTime{}) {
        year_max_ = int(today.year()) + config.calendar_years_ahead_max;
    }
}

std::string_view Scope::place_name(const web::Url& url) const {
    return domains_ ? domains_->domain_of(url.hostname()) : bare_host(url);
}

void Scope::add_seed(const web::Url& seed) {
    SeedPlace& place = places_[std::string(place_name(seed))];
    ++place.seed_count;
    const std::uint16_t port = seed.effective_port().value();
    if (std::ranges::find(place.ports, port) == place.ports.end()) place.ports.push_back(port);
    const bool wants_prefix = config_.scope == ScopeKind::prefix;
    if (wants_prefix) place.prefixes.emplace_back(directory_of(seed));
    if (config_.scope == ScopeKind::page) place.prefixes.emplace_back(seed.path_and_query());
}

void Scope::remove_seed(const web::Url& seed) {
    const auto found = places_.find(place_name(seed));
    if (found == places_.end() || --found->second.seed_count > 0) return;
    places_.erase(found);
}

void Scope::move_seed(const web::Url& seed, const web::Url& end) {
    if (is_in_place(end)) return;
    remove_seed(seed);
    add_seed(end);
}

// examine() must ask the same rules in the same order.
std::expected<Trail, Refused> Scope::judge(const web::Url& url, Via via, const Trail& from) const {
    const auto refuse = [](Refusal rule) { return std::unexpected(Refused{rule}); };
    if (!url.is_http()) return refuse(Refusal::scheme);
    if (url.href().size() > limits::kUrlBytesMax) return refuse(Refusal::too_long);
    Trail trail;
    if (const auto refusal = refuses_way(via, from, trail)) return refuse(*refusal);
    if (const auto refusal = refuses_place(url)) {
        if (!may_leave(*refusal, via, from, trail)) return refuse(*refusal);
    } else {
        trail.extra_hops = 0;  // Back in the scope: the hops out of it start at 0.
    }
    const bool is_page = trail.requisite_hops == 0 && !trail.is_sitemap();
    if (auto refused = refuses_pattern(url, is_page)) return std::unexpected(*std::move(refused));
    if (config_.is_authenticated && has_side_effect(url)) return refuse(Refusal::side_effect);
    if (const auto trap = trap_of(url, config_, year_max_)) return refuse(*trap);
    return trail;
}

std::vector<RuleVerdict> Scope::examine(const web::Url& url, Via via, const Trail& from) const {
    std::vector<RuleVerdict> all;
    const auto add = [&all](std::string_view rule, std::optional<Refused> refused,
                            std::string_view good) {
        std::string why(refused ? describe(refused->rule) : good);
        if (refused && !refused->detail.empty()) why += ": " + refused->detail;
        all.push_back({rule, std::move(refused), std::move(why)});
    };
    const auto as_refused = [](std::optional<Refusal> rule) {
        return rule ? std::optional(Refused{*rule}) : std::nullopt;
    };
    const auto when = [](bool is_bad, Refusal rule) {
        return is_bad ? std::optional(Refused{rule}) : std::nullopt;
    };
    add("scheme", when(!url.is_http(), Refusal::scheme), url.scheme());
    if (!url.is_http()) return all;
    add("length", when(url.href().size() > limits::kUrlBytesMax, Refusal::too_long),
        std::to_string(url.href().size()) + " bytes");
    Trail trail;
    const std::optional<Refusal> way = refuses_way(via, from, trail);
    std::string depth = std::to_string(trail.depth) + " from a seed";
    if (config_.depth_max) depth += ", up to " + std::to_string(*config_.depth_max) + " are wanted";
    add("depth", as_refused(way), depth);
    const std::optional<Refusal> place = refuses_place(url);
    const bool may_go = !place || may_leave(*place, via, from, trail);
    add("scope", may_go ? std::nullopt : as_refused(place),
        place ? "outside, but the way there may lead out" : name(config_.scope));
    const bool is_page = trail.requisite_hops == 0 && !trail.is_sitemap();
    const std::optional<Refused> pattern = refuses_pattern(url, is_page);
    const bool is_excluded = pattern && pattern->rule == Refusal::excluded;
    if (!config_.exclude.empty()) {
        add("exclude", is_excluded ? pattern : std::nullopt, "no pattern matches");
    }
    if (!config_.include.empty() && !is_excluded) add("include", pattern, "a pattern matches");
    if (config_.is_authenticated) {
        add("side effects", when(has_side_effect(url), Refusal::side_effect), "none to be seen");
    }
    add("traps", as_refused(trap_of(url, config_, year_max_)), "does not look like one");
    return all;
}

// Whether a URL out of the scope is wanted all the same because of the way it was found: from a
// seed's redirect, as a requisite, as a sitemap, or by one of the extra hops. Counts the hop.
bool Scope::may_leave(Refusal refusal, Via via, const Trail& from, Trail& trail) const {
    if (refusal == Refusal::blocked_port) return false;
    if (trail.is_seed_way) return true;  // The user means the place where a seed's redirects end.
    const bool is_same_host = refusal == Refusal::other_page || refusal == Refusal::outside_prefix;
    if (trail.requisite_hops > 0) {
        return is_same_host || config_.wanted_requisites() == Requisites::all;
    }
    // A sitemap usually lies at the root of its host, outside the prefix.
    if (trail.is_sitemap()) return refusal == Refusal::outside_prefix;
    // A redirect out there is part of the hop that led there.
    const bool is_redirect = via == Via::redirect || via == Via::refresh;
    if (is_redirect && from.extra_hops > 0) return true;
    if (trail.extra_hops >= config_.extra_hops) return false;
    ++trail.extra_hops;
    return true;
}

// Fills in the URL's trail and refuses it if the way to it is too long: depth, redirects, requisite
// hops, sitemap levels.
std::optional<Refusal> Scope::refuses_way(Via via, const Trail& from, Trail& trail) const {
    trail.via = via;
    trail.extra_hops = from.extra_hops;
    trail.depth = from.depth + (keeps_depth(via) ? 0 : 1);
    trail.redirects_left = config_.redirects_left();
    if (via == Via::redirect || via == Via::refresh) {
        // The target of a redirect takes over the role of the URL that redirects.
        if (from.redirects_left == 0) return Refusal::redirect_limit;
        trail.redirects_left = static_cast<std::uint8_t>(from.redirects_left - 1);
        trail.requisite_hops = from.requisite_hops;
        trail.sitemap_level = from.sitemap_level;
        trail.is_seed_way = from.is_seed_way;
        trail.is_listing = from.is_listing;
        if (from.via == Via::sitemap || from.via == Via::guess) {
            trail.via = from.via;  // A redirected sitemap is still read as a sitemap.
        }
    }
    if (via == Via::requisite) {
        if (config_.wanted_requisites() == Requisites::none) return Refusal::requisite;
        const std::uint32_t hops_max = std::min(config_.requisite_hops_max, kRequisiteHopsMax);
        if (from.requisite_hops >= hops_max) return Refusal::requisite_hops;
        trail.requisite_hops = static_cast<std::uint8_t>(from.requisite_hops + 1);
    }
    if (via == Via::sitemap && from.is_sitemap()) {
        if (from.sitemap_level >= kSitemapLevelMax) return Refusal::sitemap_limit;
        trail.sitemap_level = static_cast<std::uint8_t>(from.sitemap_level + 1);
    }
    // The pages in a sitemap are one step further. If they are too deep, it need not be fetched.
    const bool leads_on = via == Via::sitemap || via == Via::guess;
    if (config_.depth_max && trail.depth + (leads_on ? 1 : 0) > *config_.depth_max) {
        return Refusal::depth;
    }
    return std::nullopt;
}

// Judges host, port and path alone.
std::optional<Refusal> Scope::refuses_place(const web::Url& url) const {
    const auto found = places_.find(place_name(url));
    const SeedPlace* place = found == places_.end() ? nullptr : &found->second;
    if (const auto refusal = refuses_port(url, place)) return refusal;
    if (config_.scope == ScopeKind::any && config_.domains.empty()) return std::nullopt;
    if (!place) {
        if (is_in_named_domain(url)) return std::nullopt;
        if (config_.scope == ScopeKind::any) return Refusal::other_domain;
        return config_.scope == ScopeKind::domain ? Refusal::other_domain : Refusal::other_host;
    }
    if (config_.scope == ScopeKind::prefix && !is_in_named_domain(url) &&
        std::ranges::none_of(place->prefixes, [&](const std::string& prefix) {
            return url.pathname().starts_with(prefix);
        })) {
        return Refusal::outside_prefix;
    }
    if (config_.scope == ScopeKind::page && !is_in_named_domain(url) &&
        std::ranges::find(place->prefixes, url.path_and_query()) == place->prefixes.end()) {
        return Refusal::other_page;
    }
    return std::nullopt;
}

bool Scope::is_seed_origin(const web::Url& url) const {
    return odd_origins_.contains(http::Origin::of(url));
}

bool Scope::is_in_named_domain(const web::Url& url) const {
    std::string_view host = url.hostname();
    if (host.ends_with('.')) host.remove_suffix(1);
    return std::ranges::any_of(config_.domains, [host](std::string_view domain) {
        return host.ends_with(domain) &&
               (host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.');
    });
}

std::optional<Refusal> Scope::refuses_port(const web::Url& url, const SeedPlace* place) const {
    const std::optional<std::uint16_t> port = url.port();
    if (!port || std::ranges::find(config_.ports, *port) != config_.ports.end()) {
        return std::nullopt;
    }
    // The client would not connect to such a port, so the URL need not be queued.
    if (http::is_blocked_port(*port) && !is_seed_origin(url)) return Refusal::blocked_port;
    if (place && std::ranges::find(place->ports, *port) != place->ports.end()) return std::nullopt;
    if (place && config_.scope != ScopeKind::any) return Refusal::other_port;
    return std::nullopt;
}

// `include` is about pages: requisites and sitemaps need not match it.
std::optional<Refused> Scope::refuses_pattern(const web::Url& url, bool is_page) const {
    for (const web::Pattern& pattern : config_.exclude) {
        if (pattern.matches(url.href())) return Refused{Refusal::excluded, pattern.text()};
    }
    if (config_.include.empty() || !is_page) return std::nullopt;
    for (const web::Pattern& pattern : config_.include) {
        if (pattern.matches(url.href())) return std::nullopt;
    }
    return Refused{Refusal::not_included};
}

}  // namespace weft::crawl
