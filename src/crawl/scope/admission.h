#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "crawl/politeness/host_table.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/run/statistics.h"
#include "crawl/scope/budgets.h"
#include "crawl/scope/links.h"
#include "crawl/scope/recent_set.h"
#include "crawl/scope/scope.h"
#include "crawl/scope/trap_watch.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// What an Admission uses and updates. All of it outlives the Admission.
struct AdmissionParts {
    const Config& config;
    const Hooks& hooks;
    Scope& scope;
    HostTable& hosts;
    Budgets& budgets;
    TrapWatch& traps;
    Statistics& statistics;
};

// Turns links into candidates for the frontier. Each link is judged by the scope, the traps, the
// budgets and the program's own rule; refusals are counted. A link that was admitted lately is left
// out, so that the frontier is not asked about the same navigation links of every page.
//
// Owned by the Crawler, used on its loop.
class Admission {
public:
    Admission(const AdmissionParts& parts, std::uint64_t hash_seed);

    // The page that has the links: what they are judged by, besides themselves.
    struct Source {
        const web::Url& url;
        Step step;
        bool says_nofollow = false;
    };

    // The verdicts on a page's links.
    struct Result {
        std::vector<frontier::Candidate> candidates;
        std::size_t wanted_count = 0;                  // Candidates, and links known already.
        std::optional<Refusal> redirect_refusal;       // Why a redirect's target is not followed.
        std::map<std::string, std::uint64_t> refused;  // Refused links, by the rule's name.
    };
    Result admit(const Source& page, std::span<const FoundLink> links);

    // The same for a part of the links. Adds to `result`, which holds the verdicts on earlier
    // parts.
    void admit(const Source& page, std::span<const FoundLink> links, Result& result);

    // The candidate of a seed. A seed is not judged: the user asked for it.
    frontier::Candidate seed(const web::Url& url);

private:
    std::expected<Step, Refused> judge(const FoundLink& link, const Source& page);
    // The canonical key of a URL: two URLs with one key are the same page.
    struct Key {
        std::uint64_t hash = 0;
        std::string text;  // Empty: the URL is its own key.
    };
    Key key_of(const web::Url& url) const;
    std::vector<Key> keys_of(std::span<const FoundLink> links) const;
    frontier::Candidate make_candidate(const web::Url& url, const Step& step, const Key& key) const;

    AdmissionParts parts_;
    std::uint64_t hash_seed_;
    RecentSet known_;  // Hashes of the keys that were admitted lately.
};

}  // namespace weft::crawl
