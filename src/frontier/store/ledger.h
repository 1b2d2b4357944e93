#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/bench/host.h"
#include "frontier/bench/host_queue_table.h"
#include "frontier/frontier.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/seen/seen_set.h"
#include "frontier/store/arena.h"
#include "frontier/store/host_runs.h"
#include "frontier/store/manifest.h"

namespace weft::frontier {

// A URL that is admitted, as a log record has it. The views point into the record.
struct NewUrl {
    Fingerprint print;
    std::string_view host;
    std::uint8_t lane = 0;
    std::string_view entry;
    std::string_view referrer;
};

// How a visit ended, as a log record has it.
struct VisitEnd {
    Slot slot;  // Without `host_id` if it was read from a record, which has the host's name.
    std::optional<WallTime> retry_at;
    WallTime ready_at{};
    bool frees_place = false;  // See Completion.
};

// Throws StoreError: the queues hold more URLs than the manifest counts. Only a forged file does.
[[noreturn]] void throw_miscounted();

// How the store's memory is divided.
struct MemoryShares {
    explicit MemoryShares(std::uint64_t bytes)
        : seen_bytes(bytes / 4 * 3),
          tail_bytes(bytes / 8),
          host_count(std::max<std::size_t>(bytes / 4 / 512, 4)),
          bench_count(std::max<std::size_t>(bytes / 4 / 3072, 2)) {}

    std::size_t seen_bytes;
    std::size_t tail_bytes;   // For entries queued since the last checkpoint.
    std::size_t host_count;   // Hosts in memory.
    std::size_t bench_count;  // Of these, hosts with a few URLs on the workbench.
};

// The state of a crawl: what was seen, the hosts with their queues, and the counts.
//
// Invariant: it changes only as the records of the log say, and by the same code when a record is
// written and when it is replayed. That is why a killed crawl continues as if it had not been
// interrupted.
//
// Memory holds what has changed since the last checkpoint and what is in use. The rest is in runs,
// from which hosts and URLs are loaded as they are needed.
//
// Owned by the Store; used by one thread at a time.
class Ledger {
public:
    Ledger(aio::FileSystem& files, const std::filesystem::path& folder, const Manifest& manifest,
           MemoryShares shares);

    // Opens the runs that the manifest names.
    void open(const Manifest& manifest);

    Fingerprint fingerprint(std::string_view key) const { return fingerprint_of(key, seed_); }
    SeenSet& seen() { return seen_; }
    HostRuns& runs() { return runs_; }

    // The host, created if it is not known. See Host for how long the reference is valid.
    Host& host(std::string_view name) { return host(name, host_id(name)); }
    Host& host(std::string_view name, std::uint64_t id);

    // Loads the host from disk if needed; null if it is not known.
    Host* find(std::uint64_t host_id);
    Host* find_in_memory(std::uint64_t host_id) { return hosts_.find(host_id); }
    std::uint64_t host_id(std::string_view name) const;

    // Queues a URL. REQUIRES: its fingerprint was new.
    void add(Host& host, const NewUrl& url);

    // Ends a visit. Returns the URL that was visited. Throws StoreError if the entry is not
    // waiting.
    std::string end(Host& host, const VisitEnd& ending);

    // Takes the next entry out of the lane. Valid until `lane.pending` changes. REQUIRES: taken <
    // next.
    Pending& take(Host& host, Lane& lane);

    // Makes all waiting URLs of the host done, except those lent.
    void drop(Host& host, const std::vector<Slot>& lent);

    // Keeps the last place of each file.
    void note_archived(const ArchivePlace& place);

    // Keeps the last size of each file, not the largest: a file may be made anew between two runs.
    void note_side(std::string_view file, std::uint64_t size);

    // Whether a checkpoint is needed to free memory.
    bool is_full() const;

    // Writes everything that is only in memory into runs, and puts the names of the runs and the
    // counts into `manifest`.
    void write_runs(std::uint64_t number, Manifest& manifest);

    // The manifest is written, so hosts that are not on the bench may leave memory.
    void after_checkpoint();

    // Runs were merged, so the entries are at other places.
    void forget_parts();

    // Lent URLs count as waiting, and none as over budget.
    Counts counts() const {
        return {.seen = seen_count_, .waiting = seen_count_ - done_count_, .done = done_count_};
    }
    const std::map<std::string, ArchivePlace, std::less<>>& archived() const { return archived_; }
    const std::map<std::string, std::uint64_t, std::less<>>& sides() const { return sides_; }
    HostQueueTable& hosts() { return hosts_; }

private:
    void enqueue(Host& host, std::uint8_t lane, std::string_view entry, std::string_view referrer);
    void count_done(std::uint64_t count);

    std::uint64_t seed_;
    MemoryShares shares_;
    SeenSet seen_;
    HostRuns runs_;
    HostQueueTable hosts_;
    Arena arena_;  // Holds the tails of all lanes.

    // In the arena; shared by consecutive entries.
    std::string_view last_referrer_;
    std::uint64_t seen_count_;
    std::uint64_t done_count_;  // Never above seen_count_.
    std::map<std::string, ArchivePlace, std::less<>> archived_;
    std::map<std::string, std::uint64_t, std::less<>> sides_;
};

}  // namespace weft::frontier
