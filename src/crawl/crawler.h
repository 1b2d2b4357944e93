#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "aio/co.h"
#include "aio/semaphore.h"
#include "archive/warc_writer.h"
#include "crawl/config.h"
#include "crawl/link_map.h"
#include "crawl/outcome.h"
#include "crawl/politeness.h"
#include "crawl/scope.h"
#include "crawl/statistics.h"
#include "crawl/visit.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// Told of each URL that has reached its terminal state, once, on the loop's thread.
using OutcomeHandler = std::function<void(const Outcome&)>;

// A crawl: takes URLs from the frontier as their hosts' turns come, visits each, and gives back the
// outcome and the links, until nothing is left.
//
// Failures are caught in one place, work(), which turns each into an outcome: nothing that a server
// sends ends a worker, and none is lost.
class Crawler {
public:
    // `writer` may be null. All arguments outlive the crawler.
    Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
            OutcomeHandler on_outcome);

    // From the seeds to the end. Cancelled, it gives up what is under way.
    aio::Co<> run();

    // Starts no more fetches; run() ends when those under way have ended.
    void stop();
    bool was_stopped() const { return stopped_; }

    const Statistics& statistics() const { return statistics_; }
    const LinkMap& links() const { return links_; }
    frontier::Counts counts() const { return frontier_.counts(); }

private:
    aio::Co<> push_seeds();
    aio::Co<> work(frontier::Visit visit, aio::Semaphore::Permit permit);
    aio::Co<VisitResult> visit_safely(frontier::Visit visit);
    std::vector<frontier::Candidate> admit(const frontier::Visit& visit, const VisitResult& result);

    const Config& config_;
    frontier::Frontier& frontier_;
    OutcomeHandler on_outcome_;
    Scope scope_;
    Politeness politeness_;
    Visitor visitor_;
    Statistics statistics_;
    LinkMap links_;
    bool stopped_ = false;
};

}  // namespace weft::crawl
