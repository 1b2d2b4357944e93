#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "archive/warc/warc_writer.h"
#include "crawl/extract/site_terms.h"
#include "crawl/politeness/host_table.h"
#include "crawl/politeness/politeness.h"
#include "crawl/scope/links.h"
#include "crawl/scope/trap_watch.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/trail.h"
#include "frontier/frontier.h"
#include "http/client/failure.h"
#include "web/url/url.h"

namespace weft::crawl {

// How far the try of a fetch came.
enum class Progress : std::uint8_t {
    halted,     // The crawl is being stopped.
    crowded,    // Too many others wait for the turn of its domain or its address.
    gave_way,   // It was slow, and gave its place to a fetch that waited.
    too_soon,   // The Crawl-delay since the host's last fetch is not over.
    not_owned,  // Another machine may own the host by now.
    ended,      // It has a result: success or failure.
};

// One lent URL under way, from its lease to its completion: what is to be fetched, and what came of
// it. The result is filled in step by step, so when a visit fails, what is there counts.
//
// Owned by the URL's task (Crawler::work()), used on its loop.
struct ActiveVisit {
    std::uint64_t id;  // Of the frontier's Visit.
    web::Url url;
    Trail trail;
    HostState& host;
    bool is_last_try = true;  // A response that would be retried is the outcome all the same.
    std::shared_ptr<const frontier::Lease> lease = {};  // Of the frontier's Visit.
    Duration hold_left = Duration::max();               // A longer Retry-After is not waited for.
    TrapWatch::Look look = {};

    Progress progress = Progress::halted;
    Outcome outcome = {};
    std::vector<FoundLink> links = {};  // Not yet judged by the scope. Of a redirect: its target.
    std::size_t known_link_count = 0;   // Further links, which were admitted before.
    std::optional<Duration> crawl_delay = {};
    std::optional<Duration> retry_after = {};   // From the Retry-After header of a 429 or 503.
    std::optional<TimePoint> again_at = {};     // robots.txt is unavailable: no fetch before this.
    bool is_again_asked_for = false;            // The server chose again_at by a Retry-After.
    Trouble trouble = Trouble::none;            // Why another try may succeed; none: no other try.
    bool is_about_host = false;                 // The failure is the host's, not the page's.
    bool is_hopeless = false;                   // The host does not exist: no try will succeed.
    std::optional<http::Failure> failure = {};  // Of the fetch itself; see NetworkJudge.
    bool is_overloaded = false;                 // The status is 429 or 503.
    bool is_put_aside = false;                  // Its Retry-After is longer than the crawl waits.
    bool lacks_memory = false;                  // The crawl ends; the URL waits for another run.
    bool was_asked = false;                     // The URL itself was requested.
    bool has_asked_robots = false;        // robots.txt was not in the cache: it was requested.
    int robots_status = 0;                // Of its robots.txt, if that closes the host.
    std::uint64_t sitemaps_left_out = 0;  // Named by robots.txt beyond the limit of a host.
    std::uint64_t received_bytes = 0;     // Content bytes so far.

    // The exchange as it went over the wire, if an archive is written.
    std::optional<archive::Capture> capture = {};

    // What its site says about the use of its pages, if texts are wanted; null: nothing.
    std::shared_ptr<const SiteTerms> terms = {};

    // Its line in text.jsonl, if that is written and it is an HTML page.
    std::string text_line = {};

    // The loan for everything that is held of the response: exchange, text, links, outcome.
    BodyCredit::Loan held = {};

    // The exchanges of the robots.txt that this visit fetched, one per redirect, and their loan.
    std::vector<archive::Capture> robots = {};
    BodyCredit::Loan held_robots = {};

    // Asked just before each fetch.
    bool may_fetch(TimePoint now) const { return !lease || lease->holds(now); }
};

}  // namespace weft::crawl
