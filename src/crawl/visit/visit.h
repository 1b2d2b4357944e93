#pragma once

#include <string>

#include "aio/task/co.h"
#include "crawl/politeness/robots_cache.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/scope/seen_content.h"
#include "crawl/visit/active_visit.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/page_sink.h"
#include "crawl/visit/page_text.h"
#include "http/client/client.h"
#include "http/client/failure.h"

namespace weft::crawl {

// Takes URLs to their outcome: robots.txt, fetch, links, capture. It owns the HTTP client, the
// robots.txt cache and the memory credit of a crawler. Owned by the Crawler, on its loop; many
// visits run at once.
class Visitor {
public:
    // What visits fill for the commit to write.
    struct Keeps {
        bool archive = false;  // ActiveVisit::capture.
        bool text = false;     // ActiveVisit::text_line.
        // Of the crawl: what its shards share to extract large pages (TextMemory).
        std::size_t shard_count = 1;
        std::mutex* large_text = nullptr;
    };

    // Links that are `known` are not resolved
    // where only their number counts. All arguments outlive the visitor.
    Visitor(const Config& config, Keeps keeps, const Hooks& hooks, SeenContent& seen,
            const KnownReferences& known);

    // Steps 8 to 11 of a URL's life (docs/architecture.md). Nothing that a server sends makes it
    // throw: a failure becomes the visit's outcome. Only an IoError passes through; it ends the
    // crawl. `visit` outlives the call. If it is cancelled, the fetch ends and its loan is
    // returned.
    aio::Co<> visit(ActiveVisit& visit);

    // Notes in the visit why its fetch failed.
    static void note_failure(const http::FetchError& error, ActiveVisit& visit);

    // The cookies of the client as a Netscape cookie file; empty if cookies are not kept.
    std::string cookies() const;

    // The options of the client: address policy, proxies, limits.
    const http::ClientOptions& client_options() const { return client_.options(); }

private:
    struct Answer;

    aio::Co<Progress> visit_page(ActiveVisit& visit);
    aio::Co<> ask_robots(ActiveVisit& visit);
    void add_sitemaps(const web::Robots& robots, ActiveVisit& visit) const;
    void find_before(const ActiveVisit& visit, Answer& answer) const;
    aio::Co<bool> read_unchanged(const ActiveVisit& visit, Answer& answer);
    ReadOptions read_options_for(const ActiveVisit& visit) const;
    aio::Co<> fetch(ActiveVisit& visit, Answer& answer);
    aio::Co<bool> fetch_with(BodyCredit& credit, std::size_t bytes, ActiveVisit& visit,
                             Answer& answer);
    void gather(const ActiveVisit& visit, Answer& answer) const;
    void describe_answer(ActiveVisit& visit, Answer& answer);
    void read_links(ActiveVisit& visit, Answer& answer);
    void read_text(ActiveVisit& visit, Answer& answer);
    void note_duplicates(Answer& answer, Outcome& outcome, const extract::Extract* text);
    void capture_part(ActiveVisit& visit, Answer& answer, http::Failure failure) const;
    void capture(ActiveVisit& visit, Answer& answer) const;
    aio::Co<> handle(ActiveVisit& visit, Answer& answer);

    const Config& config_;
    bool is_archived_;
    const Hooks& hooks_;
    std::string agent_;  // The product token in lower case, as robots directives name it.
    http::Client client_;
    PageText texts_;
    std::optional<extract::Extractor> page_extractor_;  // For Page::extract().
    RobotsCache robots_;
    BodyCredit credit_;         // For responses of the usual size.
    BodyCredit large_credit_;   // For responses that need more.
    BodyCredit robots_credit_;  // For robots.txt files being read.
    std::size_t usual_credit_;  // What a fetch borrows of credit_ before it starts.
    SeenContent& seen_;
    const KnownReferences* known_;  // Null: every link is needed.
    ReaderPool readers_;
};

}  // namespace weft::crawl
