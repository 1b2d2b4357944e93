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

// robots.txt says no.
class RobotsDenied : public Error {
public:
    using Error::Error;
};

// robots.txt asks for a delay, and another fetch of the host has just begun.
class TooSoon : public Error {
public:
    explicit TooSoon(TimePoint again_at) : Error("too soon"), again_at_(again_at) {}

    TimePoint again_at() const { return again_at_; }

private:
    TimePoint again_at_;
};

// What is visited.
struct Target {
    const web::Url& url;
    Step step;
    bool wants_skeleton = false;
    bool is_last_try = true;  // An answer that asks to come again is the outcome all the same.
    Duration hold_left = Duration::max();  // An answer that asks for longer is not waited for.

    // The clock of a host whose robots.txt asks for a delay: no fetch begins before. May be null.
    TimePoint* next_start = nullptr;
};

// What a visit brought home, filled as it goes: what is there when it fails counts too.
struct VisitResult {
    Outcome outcome;
    std::vector<FoundLink> links;  // Not yet judged by the scope; of a redirect its target.
    std::optional<Duration> crawl_delay;
    std::optional<Duration> retry_after;   // The server asks to be left alone that long.
    std::optional<TimePoint> again_at;     // No fetch of the host before then,
    bool is_again_asked_for = false;       // because the server said so.
    Trouble trouble = Trouble::none;       // Why another try may end better.
    bool is_about_host = false;            // The failure is the host's, not the page's,
    bool is_hopeless = false;              // and will not pass: there is no such host.
    std::optional<http::Failure> failure;  // Of the fetch itself; see NetworkWatch.
    bool is_overloaded = false;            // 429 or 503,
    bool is_put_aside = false;             // and its Retry-After is longer than the crawl waits.
    bool lacks_memory = false;             // The crawl ends; the URL waits for another run.
    bool was_asked = false;                // A request for the URL itself was made,
    bool has_asked_robots = false;         // for its robots.txt.
    int robots_status = 0;                 // Of its robots.txt, if that closes the host.
    std::uint64_t sitemaps_left_out = 0;   // That it names past the most a host may have.

    std::uint64_t received_bytes = 0;  // Of content, so far.

    // The exchange as it went over the wire, if an archive is written.
    std::optional<archive::Capture> capture;

    // What was lent for all that is held of the answer: exchange, links, outcome.
    BodyCredit::Loan held;

    // Likewise those of the robots.txt that this visit fetched, each step of its redirects.
    std::vector<archive::Capture> robots;
    BodyCredit::Loan held_robots;
};

// The way of one URL to its outcome: robots.txt, fetch, archive, links.
class Visitor {
public:
    // `is_archived`: the exchanges are wanted. All outlive the visitor.
    Visitor(const Config& config, bool is_archived, const Hooks& hooks, SeenContent& seen);

    // Reads from top to bottom as steps 8 to 11 of a URL's life. Throws RobotsDenied,
    // RobotsUnavailable, TooSoon, FetchError.
    aio::Co<> visit(const Target& target, VisitResult& result);

    // The cookies that it holds, as a Netscape file; empty if none are kept.
    std::string cookies() const;

    // How it reaches hosts: the addresses it may use, the limits.
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
    PageWishes wishes_for(const Target& target) const;
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
    std::string agent_;  // The product token, lower case: whom robots directives name.
    http::Client client_;
    RobotsCache robots_;
    BodyCredit credit_;         // For answers of the usual size,
    BodyCredit large_credit_;   // for those that need more,
    BodyCredit robots_credit_;  // and for robots.txt files on their way.
    std::size_t usual_credit_;
    SeenContent& seen_;
    ReaderPool readers_;
};

}  // namespace weft::crawl
