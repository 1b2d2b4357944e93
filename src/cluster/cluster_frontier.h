#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "cluster/links.h"
#include "cluster/worker/worker_report.h"
#include "frontier/kept_frontier.h"
#include "frontier/shards/disk_frontier.h"
#include "redis/cluster.h"

namespace weft::cluster {

struct WorkerOptions {
    std::vector<redis::Node> nodes;
    redis::ConnectionOptions connection;
    std::string crawl;            // The beginning of its keys: "w1".
    std::string name;             // Of a new worker: 16 hexadecimal digits. Empty: a random one.
    LinkRules rules;              // `host_max` is taken from the options of the folder.
    bool counts_domains = false;  // Domains have a budget.

    std::optional<std::uint64_t> page_max;  // Of the whole crawl.
    std::size_t concurrency = 256;
    std::string machine;  // For people who ask for the state of the crawl.

    // If no call to any server succeeds for this long, the worker ends.
    Duration patience = 60s;
    Duration round_time = 20ms;
};

// The crawl that runs on this frontier. Called on the loop's thread.
class CrawlControl {
public:
    virtual ~CrawlControl() = default;

    // Pages that have begun, the finished ones included.
    virtual std::uint64_t begun_page_count() const = 0;

    // So many may begin in all, but no fewer than have begun: returns what holds. If it `is_final`,
    // no more will be allowed.
    virtual std::uint64_t set_allowance(std::uint64_t page_count, bool is_final) = 0;

    // How many workers live, and what all others have received.
    virtual void set_others(std::size_t worker_count, std::uint64_t bytes) = 0;

    // Somebody has stopped the crawl: what is under way may end.
    virtual void stop() = 0;
};

// The frontier of one worker of a crawl on several machines. All queues are in Redis. This worker
// owns some shards of them for a term (terms.h), lends their URLs, and keeps archive and page log
// in a folder of its own.
//
// complete() works in rounds of 20 ms or 64 completions:
//
//   1. PageToWrite::write(), then the offer into the journal   on an executor's thread
//   2. both are synced, unless SyncMode::never                  what Redis calls done is on a disk
//   3. `push`: links to other shards, then WAIT
//   4. `done`: the completion and the links to its own shard, then WAIT
//   5. the journal notes that it was taken; the outcome goes to CrawlFiles
//
// Links to the own shard and the page are one step; links to others come before it. So each page is
// recorded and counted exactly once, on whatever machine, and no link is lost. A page whose term
// ended before Redis took it is not kept: Completed::is_kept is false, and the next owner of its
// shard makes the visit again.
//
// If a master is down, its shards wait and the others go on. If all of Redis is unreachable for
// `patience`, every call throws redis::Unreachable. The destructor has the effect of a kill: what
// is under way is decided when the folder is opened again.
class ClusterFrontier final : public frontier::KeptFrontier {
public:
    // Opens the worker in `folder`, or makes a new one. Asks Redis what became of the completions
    // that were under way when the last run ended. Throws StoreError if the folder is in use or
    // damaged, and as redis::Cluster::connect() does.
    static aio::Co<std::unique_ptr<ClusterFrontier>> open(std::filesystem::path folder,
                                                          frontier::DiskOptions disk,
                                                          WorkerOptions options);
    ~ClusterFrontier() override;

    // Call it before the crawl begins. `control` must live until finish() or the destructor.
    void steer(CrawlControl& control);

    const frontier::Recovered& recovered() const override;
    aio::Co<std::size_t> push(std::vector<frontier::Candidate> candidates) override;
    aio::Co<std::optional<frontier::Visit>> next() override;
    aio::Co<frontier::Completed> complete(frontier::Completion completion) override;
    aio::Co<frontier::HostCounts> host_counts(std::string host) override;
    aio::Co<> change_host(frontier::HostChange change) override;
    void close() override;
    frontier::Counts counts() const override;  // Of the whole crawl, about a second old.
    aio::Co<> checkpoint() override;
    aio::Co<> finish() override;

    // What this worker says about itself.
    WorkerReport report() const;
    const std::string& worker_name() const;

    // Redis has lost pages that it had confirmed: so many of them are fetched again and will stand
    // in the page log twice.
    std::uint64_t lost_page_count() const;

private:
    class Worker;
    explicit ClusterFrontier(std::shared_ptr<Worker> worker);
    std::shared_ptr<Worker> worker_;  // Shared with its task.
};

}  // namespace weft::cluster
