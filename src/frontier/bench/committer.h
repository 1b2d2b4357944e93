#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "aio/loop/executor.h"
#include "aio/sync/event.h"
#include "aio/task/task.h"
#include "frontier/bench/workbench.h"
#include "frontier/shards/disk_frontier.h"
#include "frontier/store/store.h"

namespace weft::frontier {

// Commits completions to the Store (which blocks, on an executor thread) and lends URLs from the
// Workbench (on the loop).
//
// One commit takes all requests that arrived while the last one ran; if more are likely to come, it
// waits a moment for them. The committer task hands the batch to the store, then passes the
// deliveries to the workbench and the answers to the waiting callers. A second task syncs the log
// at intervals.
//
// Shared by the DiskFrontier and these two tasks, so it lives until all three have ended. All
// members are used on the loop's thread. The store is used by one job at a time; only
// CommitLog::sync() may run beside it.
class DiskFrontier::Committer {
public:
    explicit Committer(DiskOptions options);

    aio::Co<> open(std::filesystem::path path);

    // Starts the two tasks. REQUIRES: `self` points to this object; the tasks keep it alive.
    void start(const std::shared_ptr<Committer>& self);

    // Cancels the tasks and releases the store. A job that is running keeps the store alive until
    // it ends.
    void stop() noexcept;

    // Waits until the batch that holds the request is committed; the committer resumes it. If it is
    // cancelled, the request is still committed.
    aio::Co<Answer> submit(Request request);
    [[clang::coro_wrapper]] aio::Co<Answer> complete(Completion completion);

    // Ends a visit that did not begin. Nothing is written.
    aio::Co<Answer> give_back(std::uint64_t visit_id);
    aio::Co<std::optional<Visit>> next();
    aio::Co<> change_host(HostChange change);
    aio::Co<> checkpoint();
    aio::Co<> finish();
    void close();

    Counts counts() const;
    const Recovered& recovered() const { return recovered_; }

private:
    // Requests that are committed together.
    struct Batch {
        std::vector<Request> requests;
        Receipt receipt;
        aio::Event done;
    };

    static aio::Co<> commit_always(std::shared_ptr<Committer> self);
    static aio::Co<> sync_always(std::shared_ptr<Committer> self);

    aio::Co<std::shared_ptr<Store>> open_store(aio::FileSystem& files, StoreOptions options);
    std::size_t ask(Request request);  // Its number in the batch.
    bool is_batch_full() const;
    aio::Co<> gather();
    aio::Co<> commit(std::shared_ptr<Batch> batch);
    aio::Co<> sync_log();
    void take_deliveries(Receipt& receipt);
    void fail() noexcept;
    void check() const;
    void set_clock();
    WallTime now() const { return wall_of(loop_.time()); }
    WallTime wall_of(TimePoint time) const;
    Duration until(WallTime time) const;

    aio::EventLoop& loop_;
    DiskOptions options_;
    std::filesystem::path path_;
    std::shared_ptr<Store> store_;
    std::shared_ptr<CommitLog> log_;
    Workbench workbench_;
    Recovered recovered_;
    TimePoint clock_start_{};  // The store's clock showed `clock_wall_` at this time of the loop,
    WallTime clock_wall_{};    // and advances with the loop's clock.
    std::shared_ptr<Batch> batch_ = std::make_shared<Batch>();
    std::size_t open_request_count_ = 0;  // Not committed yet.
    Counts stored_;                       // Of the last commit: lent URLs count as waiting.
    aio::Event submitted_;                // Wakes the committer.
    aio::Event gathered_;                 // The batch is full: ends gather().
    aio::Event unsynced_;                 // Wakes the syncing task.
    aio::Event changed_;                  // Wakes next().
    std::optional<aio::Task<>> committing_;
    std::optional<aio::Task<>> syncer_;
    WallTime wake_at_ = WallTime::max();  // When the store wants a commit, even an empty one.
    std::exception_ptr failure_;          // The first error. Once it is set, every call throws it.
    bool closed_ = false;
    bool is_finishing_ = false;
};

}  // namespace weft::frontier
