#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "archive/warc/warc_writer.h"
#include "crawl/run/config.h"
#include "crawl/run/crawler.h"
#include "crawl/run/shared_state.h"
#include "crawl/run/watched.h"
#include "crawl/scope/domains.h"
#include "frontier/frontier.h"
#include "frontier/shards/sharded_frontier.h"

namespace weft::crawl {

// Calls `take` for each outcome of the crawl's earlier runs. All shards call it at the same time,
// each on its own thread.
using OutcomeSource = std::function<void(const std::function<void(const Outcome&)>& take)>;

struct CrewOptions {
    std::size_t shard_count = 1;
    aio::ResolverOptions resolver;  // For the loops of shards other than the first.
    OutcomeSource earlier;          // May be empty.
    OutcomeHandler on_outcome;      // May be empty. Called on the running loop for each outcome of
                                    // any shard; those of other shards lack links and text.
};

// A crawl on several cores: one crawler on the running loop (shard 0) and one on a thread of its
// own for each further shard.
//
// Invariant: a host belongs to the shard of its registrable domain, so two shards never visit the
// same domain. Frontier and archive are used from the running loop. With one shard this is a
// Crawler and nothing else. Used on the thread of the loop that constructed it.
class Crew final : public Watched {
public:
    // Arguments as for Crawler: `frontier` and the files outlive the crew. `config` is copied.
    Crew(const Config& config, frontier::Frontier& frontier, PageFiles files, CrewOptions options);
    ~Crew() override;

    // Crawls from the seeds to the end. If it is cancelled, the fetches under way on all shards are
    // cancelled, and it waits until the other shards' threads have ended.
    aio::Co<> run();

    void stop(StopReason reason = StopReason::user) { home_.stop(reason); }

    // The part of this machine in a crawl on several: see SharedState. The crawlers look again.
    std::uint64_t set_allowance(std::uint64_t page_count, bool is_final);
    std::uint64_t begun_page_count() const { return shared_->begun_page_count(); }
    void set_others(std::size_t worker_count, std::uint64_t bytes);

    StopReason stop_reason() const { return shared_->stop_reason(); }

    // The cookies of shard 0. A crawl with cookies runs on one shard.
    std::string cookies() const { return home_.cookies(); }

    // The numbers of other shards may be a moment old: they report at intervals.
    Statistics numbers() const override;
    frontier::Counts counts() const override { return frontier_.counts(); }
    std::size_t active_host_count() const override;
    aio::Co<std::vector<HostStatus>> host_statuses() override;

private:
    // The last report of another shard.
    struct Word {
        Statistics numbers;
        std::size_t active_host_count = 0;
        std::vector<HostStatus> hosts;
    };

    std::size_t shard_of(std::string_view host) const;
    std::size_t shard_count() const { return configs_.size(); }
    void remember_earlier(Crawler& crawler, std::size_t shard);
    aio::Co<> work(std::size_t shard);
    OutcomeHandler post_home() const;
    aio::Co<> crawl();
    aio::Co<> run_others();

    frontier::Frontier& frontier_;
    PageFiles files_;
    OutcomeSource earlier_;
    aio::ResolverOptions resolver_;
    aio::EventLoop& loop_;
    std::shared_ptr<OutcomeHandler> on_outcome_;  // Outlives the crew; set to null by ~Crew().
    std::shared_ptr<const Domains> domains_;
    std::vector<Config> configs_;  // By shard, with its share of the limits.
    std::shared_ptr<SharedState> shared_;
    frontier::ShardedFrontier sharded_;
    Crawler home_;
    mutable std::mutex mutex_;  // Protects told_.
    std::vector<Word> told_;    // By shard; that of shard 0 stays empty.
};

}  // namespace weft::crawl
