#pragma once

#include <optional>
#include <vector>

#include "aio/task/co.h"
#include "archive/warc/warc_writer.h"
#include "crawl/politeness/politeness.h"
#include "crawl/politeness/robots_cache.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/scope/links.h"
#include "crawl/scope/seen_content.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/page_sink.h"
#include "crawl/visit/trail.h"
#include "http/client/client.h"
#include "http/client/failure.h"
#include "web/url/url.h"

namespace weft::crawl {

// robots.txt disallows the URL.
class RobotsDenied : public Error {
public:
    using Error::Error;
};

// The Crawl-delay of robots.txt is not over since the last fetch of the host began.
class TooSoon : public Error {
public:
    explicit TooSoon(TimePoint again_at) : Error("too soon"), again_at_(again_at) {}

    TimePoint again_at() const { return again_at_; }

private:
    TimePoint again_at_;
};

// What one visit is asked to fetch. The references outlive the visit.
struct Target {
    const web::Url& url;
    Step step;
    bool wants_skeleton = false;
    bool is_last_try = true;  // A response that would be retried is the outcome all the same.
    Duration hold_left = Duration::max();  // A longer Retry-After is not waited for.

    // The earliest start of the host's next fetch by its Crawl-delay. The visit reads and updates
    // it. May be null.
    TimePoint* next_start = nullptr;
};

// The result of a visit. It is filled step by step, so when a visit throws, what is there counts.
struct VisitResult {
    Outcome outcome;
    std::vector<FoundLink> links;  // Not yet judged by the scope. Of a redirect: its target.
    std::optional<Duration> crawl_delay;
    std::optional<Duration> retry_after;   // From the Retry-After header of a 429 or 503.
    std::optional<TimePoint> again_at;     // robots.txt is unavailable: no fetch before this time.
    bool is_again_asked_for = false;       // The server chose again_at by a Retry-After.
    Trouble trouble = Trouble::none;       // Why another try may succeed; none: no other try.
    bool is_about_host = false;            // The failure is the host's, not the page's.
    bool is_hopeless = false;              // The host does not exist: no try will succeed.
    std::optional<http::Failure> failure;  // Of the fetch itself; see NetworkWatch.
    bool is_overloaded = false;            // The status is 429 or 503.
    bool is_put_aside = false;             // Its Retry-After is longer than the crawl waits.
    bool lacks_memory = false;             // The crawl ends; the URL waits for another run.
    bool was_asked = false;                // The URL itself was requested.
    bool has_asked_robots = false;         // robots.txt was not in the cache: it was requested.
    int robots_status = 0;                 // Of its robots.txt, if that closes the host.
    std::uint64_t sitemaps_left_out = 0;   // Named by robots.txt beyond the limit of a host.

    std::uint64_t received_bytes = 0;  // Content bytes so far.

    // The exchange as it went over the wire, if an archive is written.
    std::optional<archive::Capture> capture;

    // The loan for everything that is held of the response: exchange, links, outcome.
    BodyCredit::Loan held;

    // The exchanges of the robots.txt that this visit fetched, one per redirect, and their loan.
    std::vector<archive::Capture> robots;
    BodyCredit::Loan held_robots;
};

// Takes URLs to their outcome: robots.txt, fetch, links, capture. It owns the HTTP client, the
// robots.txt cache and the memory credit of a crawler. Owned by the Crawler, on its loop; many
// visits run at once.
class Visitor {
public:
    // `is_archived`: visits fill VisitResult::capture. All arguments outlive the visitor.
    Visitor(const Config& config, bool is_archived, const Hooks& hooks, SeenContent& seen);

    // Steps 8 to 11 of a URL's life (docs/architecture.md). Throws RobotsDenied, RobotsUnavailable,
    // TooSoon, FetchError, OutOfMemory. `target` and `result` outlive the call. If it is cancelled,
    // the fetch ends and its loan is returned.
    aio::Co<> visit(const Target& target, VisitResult& result);

    // The cookies of the client as a Netscape cookie file; empty if cookies are not kept.
    std::string cookies() const;

    // The options of the client: address policy, proxies, limits.
    const http::ClientOptions& client_options() const { return client_.options(); }

    std::size_t body_bytes_held() const {
        return credit_.held_bytes() + large_credit_.held_bytes() + robots_credit_.held_bytes();
    }

private:
    struct Answer;

    aio::Co<> ask_robots(const Target& target, VisitResult& result);
    void add_sitemaps(const web::Url& url, const web::Robots& robots, VisitResult& result) const;
    void find_before(const Target& target, Answer& answer) const;
    aio::Co<bool> read_unchanged(const Target& target, Answer& answer);
    ReadOptions read_options_for(const Target& target) const;
    aio::Co<> fetch(const Target& target, Answer& answer);
    aio::Co<bool> fetch_with(BodyCredit& credit, std::size_t bytes, const Target& target,
                             Answer& answer);
    static void gather(const Target& target, Answer& answer);
    void describe_answer(const Target& target, Answer& answer, VisitResult& result);
    void read_links(const Target& target, Answer& answer, VisitResult& result);
    void note_duplicates(Answer& answer, Outcome& outcome);
    void capture_part(const Target& target, Answer& answer, http::Failure failure,
                      VisitResult& result) const;
    void capture(const web::Url& url, Answer& answer, VisitResult& result) const;
    aio::Co<> handle(const Target& target, Answer& answer, VisitResult& result);

    const Config& config_;
    bool is_archived_;
    const Hooks& hooks_;
    std::string agent_;  // The product token in lower case, as robots directives name it.
    http::Client client_;
    RobotsCache robots_;
    BodyCredit credit_;         // For responses of the usual size.
    BodyCredit large_credit_;   // For responses that need more.
    BodyCredit robots_credit_;  // For robots.txt files being read.
    std::size_t usual_credit_;  // What a fetch borrows of credit_ before it starts.
    SeenContent& seen_;
    ReaderPool readers_;
};

}  // namespace weft::crawl
