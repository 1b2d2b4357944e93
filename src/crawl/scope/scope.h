#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawl/run/config.h"
#include "crawl/scope/domains.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/trail.h"
#include "http/connect/origin.h"
#include "web/url/url.h"

namespace weft::crawl {

// The verdict of one rule on a URL.
struct RuleVerdict {
    std::string_view rule;           // Named as the option is: "scope", "exclude".
    std::optional<Refused> refused;  // Empty: the rule allows the URL.
    std::string why;                 // The explanation for people.
};

// Decides which URLs a crawl wants. Every link, redirect, requisite and sitemap entry is judged
// before it is queued, so nothing is fetched that was not judged; only seeds are exempt.
//
// The verdict depends on the Config, the URL and its trail alone (and on move_seed()), so that
// `explain` can compute it again later. Hosts are compared without "www." and without a trailing
// dot; addresses match only themselves; user and password in a URL are ignored.
//
// Owned by the Admission, used on its loop. judge() and examine() change nothing.
class Scope {
public:
    // `config` outlives the scope. Throws Error if the registrable domains are needed and their
    // list cannot be read.
    explicit Scope(const Config& config);

    // Whether a page at `from` may lead to `url` by a link of kind `via`. Returns the URL's own
    // trail.
    std::expected<Trail, Refused> judge(const web::Url& url, Via via, const Trail& from) const;

    // The verdicts of all rules, in the order in which judge() asks them. judge() stops at the
    // first refusal.
    std::vector<RuleVerdict> examine(const web::Url& url, Via via, const Trail& from) const;

    // The redirects of `seed` have ended at `end`. From now on the scope is around `end` instead,
    // unless `end` is in the scope already.
    void move_seed(const web::Url& seed, const web::Url& end);

    // Whether host, port and path are within the scope of the seeds, whatever the way there.
    bool is_in_place(const web::Url& url) const { return !refuses_place(url); }

private:
    // A host (or, with scope `domain`, a registrable domain) that has seeds.
    struct SeedPlace {
        std::size_t seed_count = 0;
        std::vector<std::uint16_t> ports;   // The ports of the seeds.
        std::vector<std::string> prefixes;  // Scope `prefix`: directories; scope `page`: paths.
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };

    void add_seed(const web::Url& seed);
    void remove_seed(const web::Url& seed);
    std::string_view place_name(const web::Url& url) const;
    std::optional<Refusal> refuses_place(const web::Url& url) const;
    bool is_in_named_domain(const web::Url& url) const;
    bool is_seed_origin(const web::Url& url) const;
    std::optional<Refusal> refuses_port(const web::Url& url, const SeedPlace* place) const;
    std::optional<Refused> refuses_pattern(const web::Url& url, bool is_page) const;
    bool may_leave(Refusal refusal, Via via, const Trail& from, Trail& trail) const;
    std::optional<Refusal> refuses_way(Via via, const Trail& from, Trail& trail) const;

    const Config& config_;
    std::shared_ptr<const Domains> domains_;
    std::unordered_map<std::string, SeedPlace, Hash, std::equal_to<>> places_;
    std::set<http::Origin> odd_origins_;    // Origins of seeds at blocked ports.
    std::optional<std::int32_t> year_max_;  // A later year in a URL is a trap; see Config::started.
};

}  // namespace weft::crawl
