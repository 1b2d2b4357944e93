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

// What an admission asks and tells. All outlive it.
struct AdmissionParts {
    const Config& config;
    const Hooks& hooks;
    Scope& scope;
    HostTable& hosts;
    Budgets& budgets;
    TrapWatch& traps;
    Statistics& statistics;
};

// From links to candidates: judges each by the scope, the budgets, the traps and the program's own
// rule, counts the refusals, and leaves out what was admitted a moment ago, so that the frontier is
// not asked about the same navigation links on every page.
class Admission {
public:
    Admission(const AdmissionParts& parts, std::uint64_t hash_seed);

    // A page, as what its links are judged by.
    struct Source {
        const web::Url& url;
        Step step;
        bool says_nofollow = false;
    };

    // What becomes of a page's links.
    struct Result {
        std::vector<frontier::Candidate> candidates;
        std::size_t wanted_count = 0;                  // Also those that are known.
        std::optional<Refusal> redirect_refusal;       // Why a redirect's target is not followed.
        std::map<std::string, std::uint64_t> refused;  // Links not wanted, by the rule's name.
    };
    Result admit(const Source& page, std::span<const FoundLink> links);

    // The same for a part of the links, added to what became of those before.
    void admit(const Source& page, std::span<const FoundLink> links, Result& result);

    // A seed needs no judging.
    frontier::Candidate seed(const web::Url& url);

private:
    std::expected<Step, Refused> judge(const FoundLink& link, const Source& page);
    struct Key {
        std::uint64_t hash = 0;
        std::string text;  // Empty: the URL is its own key.
    };
    Key key_of(const web::Url& url) const;
    std::vector<Key> keys_of(std::span<const FoundLink> links) const;
    frontier::Candidate make_candidate(const web::Url& url, const Step& step, const Key& key) const;

    AdmissionParts parts_;
    std::uint64_t hash_seed_;
    RecentSet known_;
};

}  // namespace weft::crawl
