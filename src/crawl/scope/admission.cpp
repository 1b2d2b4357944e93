#include "crawl/scope/admission.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/scan.h"
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

Admission::Admission(const AdmissionParts& parts, std::uint64_t hash_seed)
    : parts_(parts), hash_seed_(hash_seed), known_(kKnownCountMax) {}

Admission::Result Admission::admit(const Source& page, std::span<const FoundLink> links) {
    Result result;
    admit(page, links, result);
    return result;
}

void Admission::admit(const Source& page, std::span<const FoundLink> links, Result& result) {
    const std::vector<Key> keys = keys_of(links);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const FoundLink& link = links[i];
        // A site's navigation links are on every page, so most links are known.
        if (known_.contains(keys[i].hash)) {
            ++result.wanted_count;
            continue;
        }
        std::expected<Step, Refused> step = judge(link, page);
        if (!step) {
            parts_.statistics.note(step.error());
            ++result.refused[std::string(name(step.error().rule))];
            if (is_redirect(link.via)) result.redirect_refusal = step.error().rule;
            if (parts_.hooks.on_refusal) {
                parts_.hooks.on_refusal(link.url, step.error(), page.url);
            }
            continue;
        }
        ++result.wanted_count;
        known_.insert(keys[i].hash);
        result.candidates.push_back(make_candidate(link.url, *step, keys[i]));
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

std::expected<Step, Refused> Admission::judge(const FoundLink& link, const Source& page) {
    // nofollow is about links for readers. Requisites, redirects and sitemaps are still fetched.
    const bool is_followed = link.via == Via::link || link.via == Via::hint;
    if (page.says_nofollow && is_followed) return std::unexpected(Refused{Refusal::nofollow});
    std::expected<Step, Refused> step = parts_.scope.judge(link.url, link.via, page.step);
    if (!step) return step;
    step->trail.is_nofollow = link.is_nofollow;
    const std::string_view host = link.url.host();
    const std::uint64_t host_key = parts_.hosts.key_of(host);
    if (const auto trap = parts_.traps.refuses(host_key, link.url)) {
        return std::unexpected(Refused{*trap});
    }
    // The page's own host was admitted before: most links need no lookup of the domain.
    if (parts_.config.hosts_per_domain_max && host != page.url.host()) {
        const std::uint64_t domain = parts_.hosts.domain_key_of(link.url.hostname());
        if (!parts_.budgets.admits_host(host_key, domain)) {
            return std::unexpected(Refused{Refusal::domain_hosts});
        }
    }
    if (step->trail.via == Via::sitemap && !parts_.budgets.admits_sitemap(host_key)) {
        return std::unexpected(Refused{Refusal::sitemap_limit});
    }
    if (parts_.hooks.refuses) {
        if (auto reason = parts_.hooks.refuses(link.url, *step)) {
            return std::unexpected(Refused{Refusal::own_rule, *std::move(reason)});
        }
    }
    return step;
}

frontier::Candidate Admission::seed(const web::Url& url) {
    const std::uint32_t redirects = std::min<std::uint32_t>(parts_.config.redirect_count_max, 255);
    Step step;
    step.trail = {.via = Via::seed,
                  .trail = static_cast<std::uint8_t>(redirects),
                  .is_seed_way = true,
                  .is_listing = is_sitemap_name(url.pathname())};
    web::Url plain = url.without_fragment();
    plain.set_username("");
    plain.set_password("");
    const Key key = key_of(plain);
    known_.insert(key.hash);
    return make_candidate(plain, step, key);
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
    std::string text =
        web::canonical_key(url, {.drop_session_ids = !parts_.config.keeps_session_ids});
    const std::uint64_t hash = hash64(text, hash_seed_);
    return {.hash = hash, .text = std::move(text)};
}

frontier::Candidate Admission::make_candidate(const web::Url& url, const Step& step,
                                              const Key& key) const {
    frontier::Candidate candidate;
    candidate.url = url.href();
    candidate.key = key.text.empty() ? url.href() : key.text;
    candidate.host = url.host();
    candidate.depth = step.depth;
    candidate.trail = step.trail.pack();
    return candidate;
}

}  // namespace weft::crawl
