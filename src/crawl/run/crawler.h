#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "aio/sync/event.h"
#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "archive/warc/warc_writer.h"
#include "crawl/politeness/host_status.h"
#include "crawl/politeness/host_table.h"
#include "crawl/politeness/places.h"
#include "crawl/politeness/politeness.h"
#include "crawl/politeness/turns.h"
#include "crawl/run/config.h"
#include "crawl/run/hooks.h"
#include "crawl/run/shared_state.h"
#include "crawl/run/statistics.h"
#include "crawl/run/watched.h"
#include "crawl/scope/admission.h"
#include "crawl/scope/budgets.h"
#include "crawl/scope/scope.h"
#include "crawl/scope/trap_watch.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/visit.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// A crawl on one loop. It leases URLs from the frontier when their hosts' turns come, visits each,
// and completes it with its outcome and links, until the frontier is empty.
//
// Unless the crawl is cancelled or fails as a whole, each lent URL is completed exactly once: done,
// tried again later, or put back. Failures are caught in one place, visit_safely(), which turns
// each into an outcome: nothing that a server sends can end a worker.
//
// Used on the thread of the loop that constructed it. A crawl on several loops is a Crew of
// crawlers that share one SharedState.
class Crawler final : public Watched {
public:
    // A null `writer` archives nothing. With a null `shared` the crawler makes its own and is the
    // only one of the crawl. All arguments outlive the crawler.
    Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
            Hooks hooks, SharedState* shared = nullptr);
    Crawler(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
            OutcomeHandler on_outcome)
        : Crawler(config, frontier, writer, Hooks{.on_outcome = std::move(on_outcome)}) {}

    // Crawls from the seeds to the end. Call it once. If it is cancelled, the fetches under way are
    // cancelled; their URLs stay lent and are not completed.
    aio::Co<> run();

    // Restore the state of an earlier run of this crawl from the outcome of one of its URLs.
    // REQUIRES: run() has not been called.
    //
    // remember() counts the outcome in the statistics, the host's budgets, the duplicates and the
    // traps; call it only on the crawler that owns the URL's host. remember_spent() counts it
    // against the crawl's budget; call it on one crawler only. remember_way() follows the redirects
    // of seeds, which all crawlers must know; remember() includes it.
    void remember(const Outcome& outcome);
    void remember_spent(const Outcome& outcome);
    void remember_way(const Outcome& outcome);

    // Starts no more fetches, here and in all other crawlers of the crawl. run() returns when the
    // fetches under way have ended.
    void stop() { stop(StopReason::user); }
    void stop(StopReason reason);
    StopReason stop_reason() const { return shared_.stop_reason(); }

    const Statistics& statistics() const { return statistics_; }
    Statistics numbers() const override { return statistics_; }
    frontier::Counts counts() const override { return frontier_.counts(); }
    std::size_t active_host_count() const override { return hosts_.active_count(); }
    aio::Co<std::vector<HostStatus>> host_statuses() override;

    // The same without the number of waiting URLs, which only the frontier knows. Does not block.
    std::vector<HostStatus> busy_hosts() const;

    // See Visitor.
    std::string cookies() const { return visitor_.cookies(); }

private:
    // The pause before a URL is lent again whose host, domain or address was busy.
    static constexpr Duration kBusyPause = std::chrono::seconds(1);
    static constexpr const char* kRobotsUnavailable = "robots_unavailable";

    // One lent URL under way, from its lease to its completion.
    struct ActiveVisit {
        frontier::Visit visit;
        web::Url url;
        Step step;
        HostState& host;
        std::uint32_t attempt;  // Leases that were put back without a try are not counted.
        TurnKeys keys;
        TrapWatch::Look look = {};
    };

    // How a try of a fetch ended.
    enum class Progress : std::uint8_t {
        ended,     // The result is complete: success or failure.
        crowded,   // Too many others wait for the turn of its domain or its address.
        gave_way,  // It was slow, and gave its place to a fetch that waited.
        too_soon,  // The Crawl-delay since the host's last fetch is not over.
        halted,    // The crawl is being stopped.
    };

    void halt();
    aio::Co<> push_seeds();
    aio::Co<bool> wait_for_room();
    aio::Co<> wait_for_start();
    aio::Co<bool> begin(const std::string& host, Places::Place& place);
    void end(const Cost& cost);
    aio::Co<> work(frontier::Visit visit);
    aio::Co<> pursue(ActiveVisit& active, Places::Place& place, Cost& cost);
    aio::Co<> look_and_visit(ActiveVisit& active, Places::Place& place, VisitResult& result,
                             Progress& progress);
    aio::Co<Progress> visit_in_place(ActiveVisit& active, Places::Place& place,
                                     VisitResult& result);
    aio::Co<> come_again(const ActiveVisit& active, VisitResult& result, Progress progress);
    aio::Co<bool> find_address(ActiveVisit& active, VisitResult& result);
    static void note_failure(const http::FetchError& error, VisitResult& result);
    std::optional<Refused> refuses_now(ActiveVisit& active);
    aio::Co<Progress> visit_safely(const ActiveVisit& active, VisitResult& result);

    bool may_retry(const ActiveVisit& active, VisitResult& result) const;
    void put_aside(HostState& host, VisitResult& result) const;
    Duration settle_host(const ActiveVisit& active, const VisitResult& result);
    static Standing standing_after(const VisitResult& result, Standing before);
    static void note_wait(HostState& host, const VisitResult& result, TimePoint ready);
    void follow_seed(const web::Url& url, const Outcome& outcome);
    aio::Co<std::size_t> admit(const ActiveVisit& active, const VisitResult& result,
                               Admission::Result& admitted);
    void note_answer(const Outcome& outcome, const web::Url& url, const HostState& host);
    aio::Co<NetworkState> network_after(const ActiveVisit& active, const VisitResult& result,
                                        TimePoint began);
    aio::Co<> wait_for_network(const ActiveVisit& active, VisitResult& result, NetworkState state);
    aio::Co<> put_back(const ActiveVisit& active, TimePoint when, VisitResult* result = nullptr);
    static frontier::Completion unbegun(std::uint64_t visit_id);
    void note_left_out(VisitResult& result, Admission::Result& admitted);
    std::vector<frontier::Candidate> listings_of(const ActiveVisit& active, VisitResult& result);
    void keep_robots(std::vector<archive::Capture> robots, frontier::Completion& completion);
    aio::Co<> try_again(const ActiveVisit& active, VisitResult& result, TimePoint ready);
    aio::Co<> finish(const ActiveVisit& active, VisitResult& result, TimePoint ready);
    void start_outcome(const ActiveVisit& active, Outcome& outcome) const;

    const Config& config_;
    frontier::Frontier& frontier_;
    Hooks hooks_;
    std::uint64_t hash_seed_;
    Scope scope_;
    HostTable hosts_;
    Budgets budgets_;
    TrapWatch traps_;
    Statistics statistics_;
    Admission admission_;
    Politeness politeness_;
    std::optional<SharedState> own_shared_;
    SharedState& shared_;
    Turns turns_;
    archive::WarcWriter* writer_;
    Visitor visitor_;
    aio::Event changed_;  // Set when budget or places become free, and when the crawl is stopped.
    Places places_;
    bool is_halted_ = false;
    std::unordered_map<std::string, web::Url> seed_of_;  // The seed, by its redirect target so far.
    std::unordered_map<std::uint64_t, std::uint32_t> put_back_counts_;  // By hash of the URL.

    // Refused links by rule, by hash of the URL: see listings_of().
    std::unordered_map<std::uint64_t, std::map<std::string, std::uint64_t>> refused_before_;
    aio::Lock asking_witnesses_;  // Held by the one task that asks the witnesses.
};

}  // namespace weft::crawl
