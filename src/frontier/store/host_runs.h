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

// The hosts and queues that are on disk: one run for each checkpoint, with the hosts that had
// changed and the entries that had come since the one before.
//
// Of a host the newest run that has it tells the state; of a lane the runs hold consecutive
// pieces, oldest first, of which what lies before Lane::taken is dead. Merging neighbours drops
// dead entries and old states; when most of everything is dead, all runs are merged.
class HostRuns {
public:
    HostRuns(aio::FileSystem& files, std::filesystem::path folder)
        : files_(files), folder_(std::move(folder)) {}

    void open(std::span<const RunName> runs);

    // The host as it was when last written, without parts; null if it never was.
    std::unique_ptr<Host> load(std::uint64_t id);

    // Finds where the lanes' entries are on disk.
    void find_parts(Host& host);

    // The entry of the lane at `taken`. REQUIRES: it is on disk, and found; none before it was
    // read twice.
    static Pending read_entry(Lane& lane);

    // Writes the hosts as run `number`; their tails are on disk then. REQUIRES: ascending ids.
    void write_run(std::uint64_t number, std::span<Host* const> hosts);

    // Which host is due first of those whose time was not taken since the runs were opened or
    // merged. Its state is nowhere newer than in the run that says so, unless it is in memory.
    std::optional<Due> first_due();
    void take_first_due();

    std::vector<RunName> run_names() const;

    // As SeenSet's. When it is true, parts that were found are to be found anew.
    bool merge_step(std::size_t bytes, std::uint64_t waiting_count, std::uint64_t& next_number);
    void remove_old();

    std::size_t memory_bytes() const;

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
    std::vector<Run> runs_;              // Oldest first; levels never rise.
    DueList* first_due_list_ = nullptr;  // Null if it is to be looked for.
    std::unique_ptr<HostMerge> merge_;
    std::size_t merge_first_ = 0;
    std::size_t merge_count_ = 0;
    RunName merge_target_;
    std::uint64_t count_after_full_merge_ = 0;
    std::vector<std::uint64_t> old_numbers_;
};

}  // namespace weft::frontier
