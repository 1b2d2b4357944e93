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

// What brings a store, which blocks, and a workbench, which lends, together on a loop.
//
// Requests are gathered while a commit is under way, and a moment longer while others are to come;
// the next commit takes them all. One task, the committer, gives them to the store and what comes
// back to the workbench and to those who wait; another syncs the log now and then. Both hold the
// shell, so it outlives them.
class DiskFrontier::Shell {
public:
    explicit Shell(DiskOptions options);

    aio::Co<> open(std::filesystem::path path);

    // `self` is this: for the tasks.
    void start(const std::shared_ptr<Shell>& self);

    // Cancels them and lets the store go, at once or when the job under way has ended.
    void stop() noexcept;

    aio::Co<Answer> submit(Request request);
    [[clang::coro_wrapper]] aio::Co<Answer> complete(Completion completion);
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
        std::vector<std::pair<std::uint64_t, TimePoint>>
            returns;  // Visits, and their hosts' times.
        Receipt receipt;
        aio::Event done;
    };

    static aio::Co<> commit_always(std::shared_ptr<Shell> self);
    static aio::Co<> sync_always(std::shared_ptr<Shell> self);

    template <class Job>
    aio::Co<std::invoke_result_t<Job&>> run_job(Job job);

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
    TimePoint steady_of(WallTime time) const;

    aio::EventLoop& loop_;
    DiskOptions options_;
    std::filesystem::path path_;
    std::shared_ptr<Store> store_;
    std::shared_ptr<CommitLog> log_;
    Workbench workbench_;
    Recovered recovered_;
    TimePoint clock_start_{};  // The store's clock: what time it was then,
    WallTime clock_wall_{};    // and from there it goes as the loop's does.
    std::shared_ptr<Batch> batch_ = std::make_shared<Batch>();
    std::size_t open_request_count_ = 0;
    std::uint64_t seen_count_ = 0;
    std::uint64_t done_count_ = 0;
    std::uint64_t over_budget_count_ = 0;
    aio::Event submitted_;
    aio::Event gathered_;
    aio::Event unsynced_;
    aio::Event changed_;  // For next().
    std::optional<aio::Task<>> committer_;
    std::optional<aio::Task<>> syncer_;
    TimePoint wake_at_ = TimePoint::max();  // The store wants to be asked something then.
    std::exception_ptr failure_;
    bool closed_ = false;
    bool is_finishing_ = false;
};

}  // namespace weft::frontier
