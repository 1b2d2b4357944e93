#pragma once

#include <array>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "aio/loop/loop.h"
#include "aio/sync/event.h"
#include "aio/task/future.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "cluster/census.h"
#include "cluster/cluster_frontier.h"
#include "cluster/journal.h"
#include "cluster/known_links.h"
#include "cluster/purse.h"
#include "cluster/sender.h"
#include "cluster/terms.h"
#include "cluster/worker/held_hosts.h"

namespace weft::cluster {

// A completion on its way to Redis.
struct Ending {
    std::uint64_t visit_id = 0;
    std::uint64_t number = 0;  // Within its term.
    CompletedUrl url;
    TimePoint ready{};
    frontier::Completion completion;
    aio::Future<frontier::Completed> result;

    LinkBatch own;               // Links to its own shard, sent with it.
    std::size_t open_count = 0;  // Calls with links to other shards that are not confirmed yet.
    bool is_ready = false;       // All of them are: it may be sent.
    std::size_t new_count = 0;
    bool is_settled = false;
};

// What a worker does in one term of a shard. It outlives the term until all its completions are
// settled.
struct TermWork {
    std::uint16_t shard = 0;
    Term term;
    std::uint64_t next_number = 1;
    std::deque<std::shared_ptr<Ending>> endings = {};  // By number; not settled.
    bool is_busy = false;                              // A `done` is under way.
    bool is_lost = false;                              // The term has ended without this worker.
};

// What Redis has decided about offers of a term, for the journal.
struct Settlement {
    std::uint16_t shard = 0;
    std::uint64_t term = 0;
    std::uint64_t taken = 0;  // Up to this number.
    bool withdraws_rest = false;
};

// All of a ClusterFrontier. Shared with its task, so that it lives until both have ended. On the
// loop's thread; only jobs that own what they use run elsewhere. In parts:
//
//   worker.cpp          opening, the calls of Frontier, finishing
//   worker_lending.cpp  asks Redis for URLs and gives shards back
//   worker_rounds.cpp   the rounds of completions
//   worker_duties.cpp   says how it is, counts, watches Redis
class ClusterFrontier::Worker final : public TermListener, public PurseOwner {
public:
    Worker(std::filesystem::path folder, frontier::DiskOptions disk, WorkerOptions options);

    aio::Co<> open();
    void start(const std::shared_ptr<Worker>& self);
    void steer(CrawlControl& crawl);
    void stop() noexcept;

    aio::Co<std::size_t> push(std::vector<frontier::Candidate> candidates);
    aio::Co<std::optional<frontier::Visit>> next();
    aio::Co<frontier::Completed> complete(frontier::Completion completion);
    aio::Co<frontier::HostCounts> host_counts(std::string host);
    aio::Co<> change_host(frontier::HostChange change);
    void close();
    frontier::Counts counts() const;
    aio::Co<> checkpoint();
    aio::Co<> finish();
    WorkerReport report() const;

    frontier::Recovered recovered;
    std::string name;
    CrawlControl* control = nullptr;
    std::uint64_t lost_page_count = 0;

private:
    struct ShardState {
        std::shared_ptr<TermWork> work = {};  // Null: the shard is not owned.
        bool is_leaving = false;              // Another should own it: nothing more is lent.
        bool is_asking = false;               // A `due` or `take` is under way.
        bool is_hungry = false;               // Some of its hosts may have too few URLs here.
        TimePoint due_at{};
        Duration due_pause{};
    };
    struct Round {
        std::vector<std::shared_ptr<TermWork>> works = {};  // Of each ending.
        std::vector<std::shared_ptr<Ending>> endings = {};
        std::vector<Settlement> settlements = {};
        std::vector<std::string> outcomes = {};  // Of the settled, in order.
    };

    // TermListener
    void on_claimed(std::uint16_t shard, const Term& term) override;
    void on_meant(std::uint16_t shard, bool is_meant) override;
    void on_lost(std::uint16_t shard) override;

    // worker.cpp
    void lock_folder();
    void read_name();
    void open_journal();
    aio::Co<> decide_open_offers();
    aio::Co<std::uint64_t> final_fate(std::uint16_t shard, std::uint64_t term);
    static aio::Co<> run(std::shared_ptr<Worker> self);
    aio::Co<> run_all();
    void fail(std::exception_ptr error) noexcept;
    void check() const;
    TimePoint now() const { return loop_.time(); }
    std::string key(std::uint16_t shard) const { return keys_.shard(shard); }
    std::string saved_text();
    void note_archived(const std::optional<ArchivePlace>& place);

    // worker_lending.cpp
    aio::Co<> lend_on();
    aio::Co<> ask_due(std::uint16_t shard, std::shared_ptr<TermWork> work);
    aio::Co<> ask_more(std::uint16_t shard, std::shared_ptr<TermWork> work,
                       std::vector<TakeFrom> hosts);
    void make_room();
    aio::Co<> send_to_rest(std::uint16_t shard, Term term, std::vector<Resting> hosts);
    void wake_shard(std::uint16_t shard);
    void release_if_done(std::uint16_t shard);
    void give_up(std::uint16_t shard);
    aio::Co<> send_release(std::uint16_t shard, Term term);

    // worker_rounds.cpp
    aio::Co<> commit_on();
    aio::Co<> gather();
    bool is_round_full() const;
    std::shared_ptr<Round> begin_round();
    static void write_round(Journal& journal, Round& round);
    aio::Co<> sync_round();
    void launch(const std::shared_ptr<TermWork>& work, const std::shared_ptr<Ending>& ending);
    bool is_known(std::uint16_t shard, std::uint64_t fingerprint) const;
    std::uint64_t salt_of(std::uint16_t shard) const;
    std::size_t note_verdicts(std::uint16_t shard, const LinkBatch& batch,
                              const std::vector<Verdict>& verdicts);
    aio::Co<std::size_t> push_links(std::uint16_t shard, LinkBatch batch);
    aio::Co<> push_for(std::shared_ptr<TermWork> work, std::shared_ptr<Ending> ending,
                       std::uint16_t shard, LinkBatch batch);
    void pump(const std::shared_ptr<TermWork>& work);
    aio::Co<> send_done(std::shared_ptr<TermWork> work);
    aio::Co<bool> send_some(const std::shared_ptr<TermWork>& work);
    void settle(const std::shared_ptr<TermWork>& work, Ending& ending, bool is_kept,
                std::optional<std::uint64_t> waiting);
    aio::Co<> settle_lost(std::shared_ptr<TermWork> work);
    aio::Co<> checkpoint_if_due();

    // worker_duties.cpp
    aio::Co<> report_on();
    aio::Co<> watch_on();
    aio::Co<> count_on();
    aio::Co<> read_state();
    bool is_counter() const;
    std::uint64_t used_pages() const override { return used_pages_; }
    std::size_t worker_count() const override;
    bool has_demand() const override;
    aio::Co<> restore_used_pages();
    aio::Co<> bury_dead();

    aio::EventLoop& loop_;
    const std::filesystem::path folder_;
    const frontier::DiskOptions disk_;
    WorkerOptions options_;
    const CrawlKeys keys_;
    aio::FileSystem& files_;
    std::unique_ptr<aio::FileLock> lock_;
    std::shared_ptr<Journal> journal_;
    std::map<std::string, ArchivePlace, std::less<>> archived_;  // The last place of each file.

    redis::Cluster cluster_;
    Terms terms_;
    aio::TaskGroup* group_ = nullptr;  // While run_all() runs.
    std::optional<Sender> sender_;
    std::optional<Purse> purse_;
    Census census_;
    std::array<ShardState, kShardCount> shards_;
    HeldHosts held_;
    KnownLinks known_;

    std::vector<std::shared_ptr<Ending>> queue_;  // Not in a round yet, with their terms.
    std::vector<std::shared_ptr<TermWork>> queue_works_;
    std::vector<Settlement> settlements_;
    std::size_t open_count_ = 0;  // Completions that are not settled, or not in the journal.

    aio::Event submitted_;  // Wakes commit_on().
    aio::Event gathered_;   // Ends gather().
    aio::Event asked_;      // Wakes lend_on().
    aio::Event changed_;    // Wakes next().
    aio::Event drained_;    // open_count_ is 0.
    aio::Event started_;
    aio::Event steered_;  // steer() was called.
    aio::Event ended_;    // Ends run_all().
    std::optional<aio::Task<>> running_;
    std::exception_ptr failure_;
    bool is_closed_ = false;
    bool is_over_ = false;
    bool is_finishing_ = false;
    bool has_seeds_ = false;  // push() was called: the seeds are in Redis.

    std::optional<Totals> totals_;
    std::uint64_t used_pages_ = 0;  // That Redis has counted for this worker.
    std::uint64_t run_pages_ = 0;
    std::uint64_t run_bytes_ = 0;
    std::deque<std::uint64_t> pages_by_second_;
    TimePoint began_{};
    std::string trouble_;
};

}  // namespace weft::cluster
