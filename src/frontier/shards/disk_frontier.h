#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "base/units.h"
#include "frontier/crawl_files.h"
#include "frontier/frontier.h"
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

// What DiskFrontier::open() found.
struct Recovered {
    bool was_there = false;  // If false, the store is new and all below is empty.

    // `lent` is 0: URLs that were lent when the crawl ended wait again, each at its old place.
    Counts counts;

    // For each file of the archive the last place that is committed. The bytes behind it belong to
    // visits that will be made again. Cut the file there (at offset + length) and sync it;
    // otherwise a loss of power may bring the old bytes back. A file that is not named holds
    // nothing that is committed.
    std::map<std::string, ArchivePlace, std::less<>> archived;

    // The committed size of each side file, which is to be cut and synced in the same way.
    std::map<std::string, std::uint64_t, std::less<>> sides;

    // What CrawlFiles::save() returned at the last checkpoint.
    std::string saved;

    // How long it takes until the first URL can be lent: their hosts asked for delays in the last
    // run.
    Duration first_wait{};
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
class DiskFrontier final : public Frontier {
public:
    // Opens the store at `path`, or makes a new one. Throws StoreError if the folder cannot be made
    // or written, another process has it open (H92), or its files are damaged, missing or of
    // another version (H90). It never starts anew over an old crawl.
    static aio::Co<std::unique_ptr<DiskFrontier>> open(std::filesystem::path path,
                                                       DiskOptions options);
    ~DiskFrontier() override;

    const Recovered& recovered() const;

    aio::Co<std::size_t> push(std::vector<Candidate> candidates) override;
    aio::Co<std::optional<Visit>> next() override;
    aio::Co<std::size_t> complete(Completion completion) override;
    aio::Co<HostCounts> host_counts(std::string host) override;
    aio::Co<> change_host(HostChange change) override;
    void close() override;
    Counts counts() const override;

    // Makes a checkpoint now, with the result of CrawlFiles::save(). REQUIRES: nothing is lent, and
    // nothing else is called until it returns.
    aio::Co<> checkpoint();

    // Syncs and closes the store: everything committed survives a loss of power, and another
    // process can open the folder. After it only counts() may be called.
    aio::Co<> finish();

private:
    class Committer;

    explicit DiskFrontier(std::shared_ptr<Committer> committer);

    std::shared_ptr<Committer> committer_;  // Shared with its running tasks.
};

}  // namespace weft::frontier
