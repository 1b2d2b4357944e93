#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "aio/files/files.h"
#include "base/random.h"
#include "base/units.h"
#include "frontier/bench/dispatcher.h"
#include "frontier/bench/receipt.h"
#include "frontier/store/commit_log.h"
#include "frontier/store/ledger.h"
#include "frontier/store/manifest.h"
#include "frontier/store/records.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {

struct StoreOptions {
    std::filesystem::path path;
    std::optional<std::uint64_t> urls_per_host_max;

    // See Dispatcher.
    std::size_t window = 2;

    std::uint64_t memory_bytes = 256_MiB;

    // See DiskOptions.
    std::shared_ptr<aio::FileSystem> files;  // Keeps alive those that open() got; may be null.
    CommitLog::Past past = CommitLog::Past::lost;
    CrawlFiles* crawl_files = nullptr;
};

// Ends a visit. REQUIRES: the times of `ending` are those of the completion.
struct CompleteRequest {
    VisitEnd ending;
    Completion completion;
};

// The workbench gave up a host.
struct RetireRequest {
    std::uint64_t host_id = 0;
};

// What a commit can take. Candidates are seeds, or links of a page that is not complete yet. A
// string is the name of a host whose counts are wanted; it writes nothing, so an empty one is a
// commit that only dispatches.
using Request =
    std::variant<std::vector<Candidate>, CompleteRequest, std::string, ChangeRecord, RetireRequest>;

// The frontier's state on disk: one log, one seen set, the queues of all hosts.
//
// For each request commit() does everything or nothing, and it writes the log once for all
// requests. A URL is delivered only after the page on which it was found is committed, whatever
// shard that page belongs to.
//
// Used by one thread at a time; all calls block. After an exception (IoError, StoreError) it must
// not be used any more; what was committed is safe.
class Store {
public:
    // Opens what is there or makes a new one. Throws StoreError or IoError: no folder, no right to
    // write, damaged files; LockedError: another process has it open.
    static std::unique_ptr<Store> open(aio::FileSystem& files, StoreOptions options, Random random);
    ~Store();

    // `now` decides which hosts are near their time. It must never go back, not even from one run
    // to the next: see last_clock().
    Receipt commit(std::span<Request> requests, WallTime now);

    // After open(): delivers what waited or was lent when the last run ended.
    Receipt deliver_all(WallTime now);

    // Writes what is only in memory into runs and starts a new log. `saved` is stored for the
    // caller.
    void checkpoint(std::string saved);

    // Everything survives a loss of power, and open() may trust it. The last that is done: the
    // folder is unlocked here and not by the destructor, which may run a little later, as a thread
    // that has done a job for the store drops the job when its result is already known.
    void close();

    // The current log. It may be synced on another thread while a commit runs.
    std::shared_ptr<CommitLog> log() const { return log_; }

    bool was_there() const { return was_there_; }
    const Ledger& ledger() const { return ledger_; }
    const std::string& saved() const { return manifest_.saved; }

    // The latest `now` of earlier runs, to the second; the epoch if it is not known. All times in
    // the store are those of this clock.
    WallTime last_clock() const { return last_clock_; }

private:
    // A candidate that was not seen before.
    struct Fresh {
        std::size_t index;
        std::uint64_t host_id;
        std::uint8_t lane;
        Host* host = nullptr;  // Null if it is not in memory.
    };

    // What prepare() found out about a request.
    struct Prospect {
        std::vector<Fingerprint> prints;  // Of all its candidates.
        std::vector<Fresh> fresh;
    };

    // This many requests are prepared together: the memory that they touch fits into the
    // processor's cache.
    static constexpr std::size_t kPrepareCount = 8;

    Store(aio::FileSystem& files, StoreOptions options, Manifest manifest);

    void create();
    void recover();
    std::uint64_t count_held_frames() const;
    std::unique_ptr<CommitLog> create_log(std::uint64_t number);
    std::filesystem::path log_path(std::uint64_t number) const;

    Answer handle(std::vector<Candidate>& request, const Prospect& prospect);
    Answer handle(CompleteRequest& request, const Prospect& prospect);
    Answer handle(std::string& host_name, const Prospect& prospect);
    Answer handle(ChangeRecord& request, const Prospect& prospect);
    Answer handle(RetireRequest& request, const Prospect& prospect);
    void prepare(std::span<Request> requests);
    void warm_hosts(std::span<Prospect> prospects);
    std::size_t add_urls(const std::vector<Candidate>& candidates, const Prospect& prospect,
                         std::string_view host, std::string_view page);
    bool admits(const Host& host, const Fingerprint& print);
    void note_clock(WallTime now);
    void fill_counts(Receipt& receipt) const;
    bool is_checkpoint_due() const;
    void merge_a_little(std::size_t bytes);
    void save_manifest();
    void remove_strays();

    aio::FileSystem& files_;
    StoreOptions options_;
    std::unique_ptr<aio::FileLock> lock_;
    MemoryShares shares_;
    Manifest manifest_;
    Ledger ledger_;
    Dispatcher dispatcher_;
    std::shared_ptr<CommitLog> log_;
    Frame frame_;
    std::array<Prospect, kPrepareCount> prospects_;
    std::string entry_;
    std::uint64_t over_budget_count_ = 0;
    WallTime last_clock_{};
    bool was_there_ = false;
};

}  // namespace weft::frontier
