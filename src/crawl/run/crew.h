#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "aio/net/ares_resolver.h"
#include "aio/task/co.h"
#include "archive/warc/warc_writer.h"
#include "crawl/run/commons.h"
#include "crawl/run/config.h"
#include "crawl/run/crawler.h"
#include "crawl/run/watched.h"
#include "crawl/scope/domains.h"
#include "frontier/frontier.h"
#include "frontier/shards/sharded_frontier.h"

namespace weft::crawl {

// Outcomes of earlier runs: calls `take` for each. Called on every shard's thread, at once.
using OutcomeSource = std::function<void(const std::function<void(const Outcome&)>& take)>;

struct CrewOptions {
    std::size_t shard_count = 1;
    aio::ResolverOptions resolver;  // Of the other shards' loops.
    OutcomeSource earlier;          // May be empty; so may the next.
    OutcomeHandler on_outcome;      // Told of each outcome, of whatever shard, on the running loop;
                                    // of other shards' without links and text.
};

// A crawl on several cores: a crawler on the running loop, and others on threads of their own, each
// with the hosts of its own registrable domains.
//
// Frontier and archive stay with the running loop. With one shard there is nothing but a crawler.
class Crew final : public Watched {
public:
    // Arguments as for Crawler.
    Crew(const Config& config, frontier::Frontier& frontier, archive::WarcWriter* writer,
         CrewOptions options);
    ~Crew() override;

    // From the seeds to the end. Cancelled, it gives up what is under way, on all shards.
    aio::Co<> run();

    void stop() { home_.stop(); }
    StopReason stop_reason() const { return commons_.stop_reason(); }

    // Of the running loop's crawler: with cookies one shard is enough.
    std::string cookies() const { return home_.cookies(); }

    // Of other shards what they have last told.
    Statistics numbers() const override;
    frontier::Counts counts() const override { return frontier_.counts(); }
    std::size_t active_host_count() const override;
    aio::Co<std::vector<HostStatus>> host_statuses() override;

private:
    // What another shard last said of itself.
    struct Word {
        Statistics numbers;
        std::size_t active_host_count = 0;
        std::vector<HostStatus> hosts;
    };

    std::size_t shard_of(std::string_view host) const;
    std::size_t shard_count() const { return configs_.size(); }
    aio::Co<> work(std::size_t shard);
    OutcomeHandler post_home() const;
    aio::Co<> crawl();
    aio::Co<> run_others();

    frontier::Frontier& frontier_;
    archive::WarcWriter* writer_;
    OutcomeSource earlier_;
    aio::ResolverOptions resolver_;
    aio::EventLoop& loop_;
    std::shared_ptr<OutcomeHandler> on_outcome_;  // Empty once the crew is gone.
    std::shared_ptr<const Domains> domains_;
    std::vector<Config> configs_;  // Of each shard: its part of what is limited.
    Commons commons_;
    frontier::ShardedFrontier sharded_;
    Crawler home_;
    mutable std::mutex mutex_;
    std::vector<Word> told_;  // By shard.
};

}  // namespace weft::crawl
