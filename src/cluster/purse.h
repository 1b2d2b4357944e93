#pragma once

#include <cstdint>
#include <string>

#include "aio/task/co.h"
#include "base/clock.h"
#include "cluster/calls.h"
#include "cluster/cluster_frontier.h"
#include "cluster/sender.h"
#include "cluster/shard.h"

namespace weft::cluster {

struct PurseOptions {
    std::string worker;
    std::uint64_t page_max = 0;  // Of the whole crawl.
    std::size_t concurrency = 256;
    Duration look_every = 50ms;
    Duration confirm_every = 5s;
    Duration valid_for = 12s;  // What is granted, without a word from Redis.
    Duration idle_max = 1s;    // What is not used for this long is given back.
};

// What a purse asks the worker.
class PurseOwner {
public:
    virtual ~PurseOwner() = default;
    virtual std::uint64_t used_pages() const = 0;  // That Redis has counted for this worker.
    virtual std::size_t worker_count() const = 0;  // That live.
    virtual bool has_demand() const = 0;           // A page could begin now, or is under way.
};

// How many pages this worker may begin of the crawl's limit. Redis grants blocks, so that the limit
// is exact over all workers and a fetch needs no call.
//
// If this worker is not heard for long, the others take its grants back (`bury`). So a grant holds
// only for a time by this machine's clock, as terms do: after that, all of it counts as given back.
class Purse {
public:
    // All references must outlive it.
    Purse(Sender& sender, CrawlKeys keys, PurseOptions options, CrawlControl& control,
          const PurseOwner& crawl);

    // Asks and gives back until it is cancelled.
    aio::Co<> run();

private:
    bool needs_call(TimePoint now);
    bool is_short() const;
    aio::Co<> ask();
    std::uint64_t block() const;

    Sender& sender_;
    const CrawlKeys keys_;
    const PurseOptions options_;
    CrawlControl& control_;
    const PurseOwner& crawl_;
    std::uint64_t allowance_ = 0;  // Used and held together.
    std::uint64_t left_;           // That no worker has.
    bool is_final_ = false;
    std::uint64_t last_begun_ = 0;
    TimePoint asked_at_ = TimePoint::min();
    TimePoint begun_at_{};  // The last page began.
};

}  // namespace weft::cluster
