#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/bench/host.h"
#include "frontier/bench/host_table.h"
#include "frontier/frontier.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/seen/seen_set.h"
#include "frontier/store/arena.h"
#include "frontier/store/host_runs.h"
#include "frontier/store/manifest.h"

namespace weft::frontier {

// A URL that is new, as a record tells of it.
struct NewUrl {
    Fingerprint print;
    std::string_view host;
    std::uint8_t lane = 0;
    std::string_view entry;
    std::string_view referrer;
};

// How a visit ended, as a record tells of it.
struct Ending {
    std::uint8_t lane = 0;
    std::uint64_t sequence = 0;
    std::optional<WallTime> retry_at;
    WallTime ready_at{};
    bool frees_place = false;  // See Completion.
};

// How the memory that a store may take is shared out.
struct MemoryShares {
    explicit MemoryShares(std::uint64_t bytes)
        : seen_bytes(bytes / 4 * 3),
          tail_bytes(bytes / 8),
          host_count(std::max<std::size_t>(bytes / 4 / 512, 4)),
          bench_count(std::max<std::size_t>(bytes / 4 / 3072, 2)) {}

    std::size_t seen_bytes;
    std::size_t tail_bytes;   // Queued since the last checkpoint.
    std::size_t host_count;   // In memory.
    std::size_t bench_count;  // Of these: with a few URLs on the workbench.
};

// The state of a crawl: what was seen, the hosts with their queues, the counts. It changes only by
// what the log's records say, and in the same way when they are written and when they are read
// again: that is why a crawl that was killed goes on as if nothing had been.
//
// Memory holds what has changed since the last checkpoint and what is in use; the rest is in runs,
// from which hosts and URLs are fetched as they are wanted.
class Ledger {
public:
    struct Totals {
        std::uint64_t seen = 0;
        std::uint64_t done = 0;
    };

    Ledger(aio::FileSystem& files, const std::filesystem::path& folder, const Manifest& manifest,
           MemoryShares shares);

    // Opens the runs that the manifest names.
    void open(const Manifest& manifest);

    Fingerprint fingerprint(std::string_view key) const { return fingerprint_of(key, seed_); }
    SeenSet& seen() { return seen_; }
    HostRuns& runs() { return runs_; }

    // Made if it is not known.
    Host& host(std::string_view name) { return host(name, host_id(name)); }
    Host& host(std::string_view name, std::uint64_t id);
    Host* find(std::uint64_t host_id);
    Host* find_in_memory(std::uint64_t host_id) { return hosts_.find(host_id); }
    std::uint64_t host_id(std::string_view name) const;

    // REQUIRES: its fingerprint was not seen.
    void add(Host& host, const NewUrl& url);

    // Gives back the URL that was visited.
    std::string end(Host& host, const Ending& ending);

    // Takes the next entry out of the lane. REQUIRES: taken < next.
    Pending& take(Host& host, Lane& lane);

    // All of the host that waits is done with, but for the entries lent out.
    void drop(Host& host, const std::vector<Slot>& lent);

    void note_archived(const ArchivePlace& place);
    void note_side_size(std::string_view name, std::uint64_t size);

    // Whether memory is full of what is not yet in runs.
    bool is_full() const;

    // Writes all that is only in memory into runs. The state is then what `manifest` says, which
    // is given the names of the runs and the counts.
    void write_runs(std::uint64_t number, Manifest& manifest);

    // The manifest is written: hosts that nobody uses may leave memory. Those on the bench stay.
    void after_checkpoint();

    // Runs were merged: where entries are has changed.
    void forget_parts();

    const Totals& totals() const { return totals_; }
    const std::map<std::string, ArchivePlace, std::less<>>& archived() const { return archived_; }
    const std::map<std::string, std::uint64_t, std::less<>>& side_sizes() const {
        return side_sizes_;
    }
    HostTable& hosts() { return hosts_; }

    std::uint64_t waiting_count() const { return totals_.seen - totals_.done; }

    std::size_t memory_bytes() const;

private:
    void enqueue(Host& host, std::uint8_t lane, std::string_view entry, std::string_view referrer);

    std::uint64_t seed_;
    MemoryShares shares_;
    SeenSet seen_;
    HostRuns runs_;
    HostTable hosts_;
    Arena arena_;  // Of the tails.
    std::string_view last_referrer_;
    Totals totals_;
    std::map<std::string, ArchivePlace, std::less<>> archived_;
    std::map<std::string, std::uint64_t, std::less<>> side_sizes_;
};

}  // namespace weft::frontier
