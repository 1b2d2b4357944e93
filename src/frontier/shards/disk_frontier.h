#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "base/clock.h"
#include "base/units.h"
#include "frontier/frontier.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {

// When what was committed also survives a loss of power. The death of the process alone, by kill -9
// too, loses nothing in any mode.
enum class SyncMode {
    interval,  // Every DiskOptions::sync_interval.
    commit,    // Before push() and complete() return.
    never,     // When the system gets to it.
};

struct DiskOptions {
    // Where the store is. Null: among the loop's files.
    std::shared_ptr<aio::FileSystem> files;

    // Whether something of what was written may be missing: power may have been lost, or the
    // folder is a copy. If not, a tail of the log that is not readable is damage.
    bool may_have_lost = true;

    std::size_t max_per_host = 1;

    // A host gets no more URLs than this; the rest counts as over budget. None: no limit.
    std::optional<std::uint64_t> urls_per_host_max;

    // What the frontier may hold in memory; the rest of its state is on disk.
    std::uint64_t memory_bytes = 256_MiB;

    SyncMode sync = SyncMode::interval;
    Duration sync_interval = 200ms;

    // Awaited before the log is synced: syncs the archive and the side files, so that the disk
    // never knows of a page that it does not hold. May be empty.
    aio::CoFunction<aio::Co<>()> before_sync;

    // Told of each Completion::outcome (but empty ones) in the order of the commits: when it is
    // committed, before complete() returns, and again by open() for each one since the last
    // checkpoint (maybe on another thread, while open() is awaited). `save` is asked for the
    // caller's state at a checkpoint. So that state follows exactly what is committed: after open()
    // it is Recovered::saved and the outcomes told since.
    std::function<void(std::string_view outcome)> on_outcome;
    std::function<std::string()> save;

    // Whether a file of the archive (ArchivePlace::file) or a side file is at least so long: asked
    // by open(), if something may be lost and the store was not closed, for each completion since
    // the last checkpoint. Commits at the end of the log that speak of bytes that are not there did
    // not happen: their URLs wait again. If a later commit is held, the bytes went another way, and
    // open() throws StoreError. Empty: not asked.
    std::function<bool(std::string_view file, std::uint64_t size)> holds;

    // Commits run on the loop's own thread, not on its executor: cheaper, as most are one short
    // write() into the page cache, but a slow disk then holds up the loop.
    bool commits_on_loop = false;
};

// What open() found.
struct Recovered {
    bool was_there = false;  // Else the store is new and all below is empty.

    // `lent` is 0: what was lent when the crawl ended waits again, each URL in its old place.
    Counts counts;

    // By file the last place in the archive that is committed. What stands behind it belongs to
    // visits that will be made again: cut the file there (its end is offset + length) and sync it,
    // or a loss of power may bring the old bytes back. A file that is not named holds nothing that
    // is committed.
    std::map<std::string, ArchivePlace, std::less<>> archived;

    // By name the committed sizes of the side files: cut and sync them as well.
    std::map<std::string, std::uint64_t, std::less<>> side_sizes;

    // What DiskOptions::save gave at the last checkpoint.
    std::string saved;

    // How long all URLs have to wait because of what their hosts asked for in the last run.
    Duration first_wait{};
};

// The frontier on disk, in a folder of its own: what a crawl goes on from after it ended, whatever
// way it ended.
//
// push() and complete() return when what they did is in the log, written but not always synced
// (SyncMode); many that come at once share one write. Until then nobody can see it.
//
// If the disk fails, is full, or may not be written, push(), complete() and next() throw StoreError
// from then on; what was committed is safe, and open() goes on from there when the cause is gone.
// A failed sync is never tried again (H89).
//
// On one loop's thread; files and executor are the loop's. Destroying it ends it as a kill would;
// finish() before is the polite way and syncs.
class DiskFrontier final : public Frontier {
public:
    // Throws StoreError: the folder cannot be made or written, another process has it open
    // (H92), or its files are damaged, missing or of another version (H90). Never starts anew over
    // an old crawl.
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

    // Makes a checkpoint now, with what DiskOptions::save gives. REQUIRES: nothing is lent, and
    // nothing else is asked meanwhile.
    aio::Co<> checkpoint();

    // Everything committed survives a loss of power; the folder can be opened by another. Nothing
    // may be called after but counts().
    aio::Co<> finish();

private:
    class Shell;

    explicit DiskFrontier(std::shared_ptr<Shell> shell);

    std::shared_ptr<Shell> shell_;  // Shared with what it has under way.
};

}  // namespace weft::frontier
