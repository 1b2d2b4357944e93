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
#include "crawl/scope/seed_ways.h"
#include "crawl/scope/trap_watch.h"
#include "frontier/frontier.h"

namespace weft::crawl {

struct ActiveVisit;

// Makes the candidate of a URL. Every candidate of a crawl is made here.
frontier::Candidate make_candidate(const web::Url& url, const Trail& trail, std::string key,
                                   std::string referrer = {});

// Decides what a crawler fetches, and owns what decides it: the scope, the hosts, the budgets and
// the traps.
//
// It turns links into candidates for the frontier. Each link is judged by the scope, the traps, the
// budgets and the program's own rule; refusals are counted. A link that was admitted lately is left
// out, so that the frontier is not asked about the same navigation links of every page. When a
// candidate is lent, begin() asks traps and budgets again.
//
// Owned by the Crawler, used on its loop.
class Admission {
public:
    // All arguments outlive the admission. Refusals are counted in `statistics`.
    Admission(const Config& config, const Hooks& hooks, Statistics& statistics);

    // The verdicts on a page's links.
    struct Result {
        std::vector<frontier::Candidate> candidates;
        std::size_t wanted_count = 0;                  // Candidates, and links known already.
        std::optional<Refusal> redirect_refusal;       // Why a redirect's target is not followed.
        std::map<std::string, std::uint64_t> refused;  // Refused links, by the rule's name.
    };

    // Judges links of the page at `page`, which was reached by `from`. `is_nofollow`: the page says
    // nofollow. Adds to `result`, which may hold the verdicts on other links of the page.
    void admit(const web::Url& page, const Trail& from, bool is_nofollow,
               std::span<const FoundLink> links, Result& result);

    // The candidates of the seeds. A seed is not judged: the user asked for it.
    std::vector<frontier::Candidate> seeds();

    // Whether a lent URL may be fetched now; it may have waited for a long time since it was
    // admitted. Sets the visit's `look`. If the room is free, the fetch has begun, and end() must
    // follow.
    Budgets::Verdict begin(ActiveVisit& visit);
    void end(const HostState& host, const Cost& cost) {
        budgets_.end(host.key, host.turn.domain, cost);
    }

    // Notes the skeleton of a page that was fetched, if it has one, for the traps.
    void note_skeleton(const HostState& host, const web::Url& url, const TrapWatch::Look& look,
                       const Outcome& outcome);

    // Restores what the outcome of an earlier run changed in budgets and traps.
    void remember(const HostState& host, const web::Url& url, const Outcome& outcome);

    HostTable& hosts() { return hosts_; }
    const HostTable& hosts() const { return hosts_; }
    SeedWays& seed_ways() { return seed_ways_; }

    // The references of links that were admitted.
    const KnownReferences& references() const { return references_; }

private:
    // The canonical key of a URL: two URLs with one key are the same page.
    struct Key {
        std::uint64_t hash = 0;
        std::string text;  // Empty: the URL is its own key.

        std::string text_of(const web::Url& url) && {
            return text.empty() ? url.href() : std::move(text);
        }
    };

    std::expected<Trail, Refused> judge(const FoundLink& link, const web::Url& page,
                                        const Trail& from, bool is_nofollow);
    Key key_of(const web::Url& url) const;
    std::vector<Key> keys_of(std::span<const FoundLink> links) const;

    const Config& config_;
    const Hooks& hooks_;
    Statistics& statistics_;
    std::uint64_t hash_seed_;  // Random, because outsiders choose the URLs (H74).
    Scope scope_;
    SeedWays seed_ways_;
    HostTable hosts_;
    Budgets budgets_;
    TrapWatch traps_;
    RecentSet known_;  // Hashes of the keys that were admitted lately.
    KnownReferences references_;
};

}  // namespace weft::crawl
