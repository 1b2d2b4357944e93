#include "crawl/scope/admission.h"

#include "aio/loop/loop.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/scan.h"
#include "crawl/visit/active_visit.h"
#include "web/url/canonical.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kKnownCountMax = 1 << 17;

bool is_redirect(Via via) {
    return via == Via::redirect || via == Via::refresh;
}

// "/sitemap_index.xml", "/news-sitemap.xml.gz", "/sitemap.txt".
bool is_sitemap_name(std::string_view path) {
    const std::string name = to_lower(path.substr(path.rfind('/') + 1));
    return name.contains("sitemap") &&
           (name.ends_with(".xml") || name.ends_with(".gz") || name.ends_with(".txt"));
}

}  // namespace

frontier::Candidate make_candidate(const web::Url& url, const Trail& trail, std::string key,
                                   std::string referrer) {
    return {.url = url.href(),
            .key = std::move(key),
            .host = std::string(url.host()),
            .referrer = std::move(referrer),
            .depth = trail.depth,
            .trail = trail.pack()};
}

Admission::Admission(const Config& config, const Hooks& hooks, Statistics& statistics)
    : config_(config),
      hooks_(hooks),
      statistics_(statistics),
      hash_seed_(aio::EventLoop::running().random()()),
      scope_(config),
      seed_ways_(scope_),
      hosts_(Domains::load_if_there(config.public_suffix_list), hash_seed_, config.host_count_max),
      budgets_(config),
      traps_(config, hash_seed_),
      known_(kKnownCountMax) {}

void Admission::admit(const web::Url& page, const Trail& from, bool is_nofollow,
                      std::span<const FoundLink> links, Result& result) {
    std::vector<Key> keys = keys_of(links);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const FoundLink& link = links[i];
        // A site's navigation links are on every page, so most links are known.
        if (known_.contains(keys[i].hash)) {
            ++result.wanted_count;
            references_.add(link);
            continue;
        }
        std::expected<Trail, Refused> trail = judge(link, page, from, is_nofollow);
        if (!trail) {
            statistics_.note(trail.error());
            ++result.refused[std::string(name(trail.error().rule))];
            if (is_redirect(link.via)) result.redirect_refusal = trail.error().rule;
            if (hooks_.on_refusal) hooks_.on_refusal(link.url, trail.error(), page);
            continue;
        }
        ++result.wanted_count;
        known_.insert(keys[i].hash);
        references_.add(link);
        result.candidates.push_back(
            make_candidate(link.url, *trail, std::move(keys[i]).text_of(link.url)));
    }
}

// Computes all keys before the first lookup, so that the prefetched table slots have arrived from
// memory when admit() needs them.
std::vector<Admission::Key> Admission::keys_of(std::span<const FoundLink> links) const {
    std::vector<Key> keys;
    keys.reserve(links.size());
    for (const FoundLink& link : links) {
        keys.push_back(key_of(link.url));
        known_.prefetch(keys.back().hash);
    }
    return keys;
}

std::expected<Trail, Refused> Admission::judge(const FoundLink& link, const web::Url& page,
                                               const Trail& from, bool is_nofollow) {
    const auto refuse = [](Refusal rule) { return std::unexpected(Refused{rule}); };
    // nofollow is about links for readers. Requisites, redirects and sitemaps are still fetched.
    const bool is_followed = link.via == Via::link || link.via == Via::hint;
    if (is_nofollow && is_followed) return refuse(Refusal::nofollow);
    std::expected<Trail, Refused> trail = scope_.judge(link.url, link.via, from);
    if (!trail) return trail;
    trail->is_nofollow = link.is_nofollow;
    const std::string_view host = link.url.host();
    const std::uint64_t host_key = hosts_.key_of(host);
    if (const auto trap = traps_.refuses(host_key, link.url)) return refuse(*trap);
    // The page's own host was admitted before: most links need no lookup of the domain.
    if (config_.hosts_per_domain_max && host != page.host()) {
        const std::uint64_t domain = hosts_.domain_key_of(link.url.hostname());
        if (!budgets_.admits_host(host_key, domain)) return refuse(Refusal::domain_hosts);
    }
    if (trail->via == Via::sitemap && !budgets_.admits_sitemap(host_key)) {
        return refuse(Refusal::sitemap_limit);
    }
    if (hooks_.refuses) {
        if (auto reason = hooks_.refuses(link.url, *trail)) {
            return std::unexpected(Refused{Refusal::own_rule, *std::move(reason)});
        }
    }
    return trail;
}

std::vector<frontier::Candidate> Admission::seeds() {
    std::vector<frontier::Candidate> all;
    for (const web::Url& seed : config_.seeds) {
        web::Url url = seed.without_fragment();
        url.set_username("");
        url.set_password("");
        const Trail trail{.via = Via::seed,
                          .redirects_left = config_.redirects_left(),
                          .is_seed_way = true,
                          .is_listing = is_sitemap_name(url.pathname())};
        Key key = key_of(url);
        known_.insert(key.hash);
        all.push_back(make_candidate(url, trail, std::move(key).text_of(url)));
    }
    return all;
}

// Session ids are dropped unless the user keeps them: they do not make another page, and a new id
// per visit would otherwise be a trap. A URL without the characters that canonical_key() changes is
// its own key.
Admission::Key Admission::key_of(const web::Url& url) const {
    const std::string_view target = url.path_and_query();
    const char* const end = target.data() + target.size();
    if (find_any<'%', '?', ';', '#'>(target.data(), end) == end) {
        return {.hash = hash64(url.href(), hash_seed_), .text = {}};
    }
    std::string text = web::canonical_key(url, {.drop_session_ids = !config_.keeps_session_ids});
    const std::uint64_t hash = hash64(text, hash_seed_);
    return {.hash = hash, .text = std::move(text)};
}

Budgets::Verdict Admission::begin(ActiveVisit& visit) {
    const HostState& host = visit.host;
    if (const auto trap = traps_.refuses(host.key, visit.url)) return {Room::spent, *trap};
    if (visit.trail.requisite_hops == 0) {  // Patterns count pages only.
        visit.look = traps_.begin(host.key, visit.url);
        if (visit.look.is_spent) return {Room::spent, Refusal::pattern_pages};
    }
    return budgets_.begin(host.key, host.turn.domain);
}

void Admission::note_skeleton(const HostState& host, const web::Url& url,
                              const TrapWatch::Look& look, const Outcome& outcome) {
    if (outcome.skeleton == 0) return;
    traps_.note(host.key, url, look, outcome.skeleton, outcome.depth);
}

void Admission::remember(const HostState& host, const web::Url& url, const Outcome& outcome) {
    budgets_.begin(host.key, host.turn.domain);
    end(host, cost_of(outcome));
    if (outcome.via == Via::requisite || outcome.ending == Ending::skipped) return;
    note_skeleton(host, url, traps_.begin(host.key, url), outcome);
}

}  // namespace weft::crawl
