#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "aio/files/files.h"
#include "frontier/bench/host.h"
#include "frontier/store/host_merge.h"
#include "frontier/store/host_run.h"
#include "frontier/store/manifest.h"

namespace weft::frontier {

// The hosts and queues on disk. Each checkpoint adds a run with the hosts that had changed since
// the one before, and the entries that had come.
//
// The newest run that has a host holds its state. The entries of a lane are spread over the runs in
// order, oldest first; those before Lane::taken are dead. Merging neighbours drops dead entries and
// outdated states. If more than half of all entries are dead, all runs are merged.
//
// Owned by the Ledger; used by one thread at a time. The file system outlives it.
class HostRuns {
public:
    HostRuns(aio::FileSystem& files, std::filesystem::path folder)
        : files_(files), folder_(std::move(folder)) {}

    void open(std::span<const RunName> runs);

    // The host as it was last written, without the parts of its lanes; null if it was never
    // written.
    std::unique_ptr<Host> load(std::uint64_t id);

    // Finds where the entries of the lanes are on disk, and sets Host::has_parts.
    void find_parts(Host& host);

    // Reads the lane's entry at `taken`. REQUIRES: the entry is on disk, find_parts() was called,
    // and entries are read in ascending order.
    static Pending read_entry(Lane& lane);

    // Writes the hosts as run `number`. After that their tails are on disk and empty in memory.
    // REQUIRES: ascending ids.
    void write_run(std::uint64_t number, std::span<Host* const> hosts);

    // The host that is due first, of those whose due was not taken since the runs were opened or
    // merged. Unless the host is in memory, its newest state is in the run that holds this due.
    std::optional<Due> first_due();

    // REQUIRES: first_due() has a value and was called last.
    void take_first_due();

    std::vector<RunName> run_names() const;

    // As SeenSet::merge_step(). If it returns true, the parts of all lanes are invalid and must be
    // found again.
    bool merge_step(std::size_t bytes, std::uint64_t waiting_count, std::uint64_t& next_number);
    void remove_old();

private:
    struct Run {
        RunName name;
        std::shared_ptr<HostRun> file;
    };

    std::filesystem::path path_of(std::uint64_t number) const;
    static ChunkReader read_chunk(Lane& lane);
    DueList* list_of_first_due();
    void start_merge(std::uint64_t number, std::uint64_t waiting_count);
    bool is_mostly_dead(std::uint64_t waiting_count) const;
    void finish_merge();

    aio::FileSystem& files_;
    std::filesystem::path folder_;
    std::vector<Run> runs_;              // Oldest first; a newer run never has a higher level.
    DueList* first_due_list_ = nullptr;  // The list of first_due(); null: look again.
    std::unique_ptr<HostMerge> merge_;
    std::size_t merge_first_ = 0;
    std::size_t merge_count_ = 0;
    RunName merge_target_;
    std::uint64_t count_after_full_merge_ = 0;
    std::vector<std::uint64_t> old_numbers_;
};

}  // namespace weft::frontier
