#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "base/units.h"
#include "frontier/crawl_files.h"
#include "frontier/kept_frontier.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {

// When commits also survive a loss of power. If only the process dies, even by kill -9, nothing is
// lost in any mode.
enum class SyncMode {
    interval,  // After DiskOptions::sync_interval at most.
    commit,    // Before push() and complete() return.
    never,     // When the system writes its cache.
};

struct DiskOptions {
    // The file system that holds the store. Null: the loop's.
    std::shared_ptr<aio::FileSystem> files;

    // Whether written bytes may be missing: power may have been lost, or the folder is a copy. If
    // false, an unreadable end of the log is damage.
    bool may_have_lost = true;

    std::size_t max_per_host = 1;

    // The most URLs that a host gets; further ones count as over budget. Empty: no limit.
    std::optional<std::uint64_t> urls_per_host_max;

    // The memory that the frontier may use. The rest of its state is on disk.
    std::uint64_t memory_bytes = 256_MiB;

    SyncMode sync = SyncMode::interval;
    Duration sync_interval = 200ms;

    // The files that each commit keeps in step with the log. They outlive the frontier. Null: there
    // are none.
    CrawlFiles* crawl_files = nullptr;
};

// The frontier on disk, in a folder of its own. A crawl can be continued from it after it ended, no
// matter how it ended.
//
// push() and complete() return when the log holds what they did: it is written, and synced as
// SyncMode says. Many calls that come together share one write. Nothing of it is visible before.
//
// If the disk fails, is full or cannot be written, push(), complete() and next() throw StoreError
// from then on. What was committed is safe, and open() continues from there once the cause is gone.
// A failed sync is never tried again (H89).
//
// Used on one loop's thread; files and executor are the loop's. Destroying it has the effect of a
// kill. Call finish() before, which syncs everything.
class DiskFrontier final : public KeptFrontier {
public:
    // Opens the store at `path`, or makes a new one. Throws StoreError if the folder cannot be made
    // or written, another process has it open (H92), or its files are damaged, missing or of
    // another version (H90). It never starts anew over an old crawl.
    static aio::Co<std::unique_ptr<DiskFrontier>> open(std::filesystem::path path,
                                                       DiskOptions options);
    ~DiskFrontier() override;

    const Recovered& recovered() const override;

    aio::Co<std::size_t> push(std::vector<Candidate> candidates) override;
    aio::Co<std::optional<Visit>> next() override;
    aio::Co<Completed> complete(Completion completion) override;
    aio::Co<HostCounts> host_counts(std::string host) override;
    aio::Co<> change_host(HostChange change) override;
    void close() override;
    Counts counts() const override;

    aio::Co<> checkpoint() override;
    aio::Co<> finish() override;

private:
    class Committer;

    explicit DiskFrontier(std::shared_ptr<Committer> committer);

    std::shared_ptr<Committer> committer_;  // Shared with its running tasks.
};

}  // namespace weft::frontier
