#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "crawl/folder/page_files.h"
#include "crawl/politeness/places.h"
#include "crawl/politeness/turns.h"
#include "crawl/run/hooks.h"
#include "crawl/run/network_judge.h"
#include "crawl/run/put_backs.h"
#include "crawl/run/shared_state.h"
#include "crawl/run/watched.h"
#include "crawl/scope/admission.h"
#include "crawl/visit/visit.h"

namespace weft::crawl {

struct NextTry;

// A crawl on one loop. It leases URLs from the frontier when their hosts' turns come, visits each,
// and completes it with its outcome and links, until the frontier is empty.
//
// Unless the crawl is cancelled or fails as a whole, each lent URL is completed exactly once: done,
// tried again later, or put back. A failed visit does not end its worker: Visitor::visit() turns
// the failure into an outcome.
//
// Used on the thread of the loop that constructed it. A crawl on several loops is a Crew of
// crawlers that share one SharedState.
class Crawler final : public Watched {
public:
    // `files` may be a WARC writer alone; what is null in it is not written. With a null `shared`
    // the crawler makes its own and is the only one of the crawl. The other arguments outlive the
    // crawler.
    Crawler(const Config& config, frontier::Frontier& frontier, PageFiles files, Hooks hooks,
            std::shared_ptr<SharedState> shared = nullptr);

    // Crawls from the seeds to the end. Call it once. If it is cancelled, the fetches under way are
    // cancelled; their URLs stay lent and are not completed.
    aio::Co<> run();

    // Restore the state of an earlier run of this crawl from the outcome of one of its URLs.
    // REQUIRES: run() has not been called.
    //
    // remember() is for the crawler that owns the URL's host: it counts the outcome in the
    // statistics, the host's budgets, the duplicates and the traps. All other crawlers call
    // remember_way(), which follows the redirects of seeds: each crawler judges links by them.
    void remember(const Outcome& outcome);
    void remember_way(const Outcome& outcome) { admission_.seed_ways().remember(outcome); }

    // Starts no more fetches, here and in all other crawlers of the crawl. run() returns when the
    // fetches under way have ended.
    void stop() { stop(StopReason::user); }
    void stop(StopReason reason);
    StopReason stop_reason() const { return shared_->stop_reason(); }

    // The crawl's budget has changed: all crawlers that wait for it look again.
    void look_again();

    const Statistics& statistics() const { return statistics_; }
    Statistics numbers() const override { return statistics_; }
    frontier::Counts counts() const override { return frontier_.counts(); }
    std::size_t active_host_count() const override { return admission_.hosts().active_count(); }
    aio::Co<std::vector<HostStatus>> host_statuses() override {
        co_return co_await count_waiting(frontier_, busy_hosts());
    }

    // The same without the number of waiting URLs, which only the frontier knows. Does not block.
    std::vector<HostStatus> busy_hosts() const {
        return admission_.hosts().busy_hosts(aio::EventLoop::running().time());
    }

    // See Visitor.
    std::string cookies() const { return visitor_.cookies(); }

private:
    void halt();
    void end(const Cost& cost);
    aio::Co<bool> wait_for_room();
    aio::Co<bool> begin(const std::string& host, Places::Place& place);
    aio::Co<> wait_for_start();

    // The life of one lent URL. Each function calls the next.
    aio::Co<> work(frontier::Visit lent);
    aio::Co<Cost> pursue(const frontier::Visit& lent, Places::Place& place);
    aio::Co<Cost> visit_and_complete(ActiveVisit& visit, Places::Place& place);
    aio::Co<> visit_in_place(ActiveVisit& visit, Places::Place& place);
    aio::Co<bool> find_address(ActiveVisit& visit);

    // The ways to complete it.
    aio::Co<bool> finish(ActiveVisit& visit, TimePoint ready, const Cost& cost);
    aio::Co<> try_again(ActiveVisit& visit, const NextTry& next, const Cost& cost);
    aio::Co<> put_back(ActiveVisit& visit, TimePoint when);
    aio::Co<> put_back_unjudged(ActiveVisit& visit, TimePoint when);

    TimePoint time_of_next_try(const ActiveVisit& visit) const;
    aio::Co<std::size_t> admit_links(ActiveVisit& visit, Admission::Result& admitted);
    std::vector<frontier::Candidate> admit_listings(ActiveVisit& visit);
    void note_left_out(ActiveVisit& visit, Admission::Result& admitted);
    void keep_robots(ActiveVisit& visit, frontier::Completion& completion);

    const Config& config_;
    frontier::Frontier& frontier_;
    PageFiles files_;
    Hooks hooks_;
    std::shared_ptr<SharedState> shared_;
    Statistics statistics_;
    Admission admission_;
    Turns turns_;
    Places places_;
    Visitor visitor_;
    NetworkJudge network_;
    PutBacks put_backs_;
};

}  // namespace weft::crawl
