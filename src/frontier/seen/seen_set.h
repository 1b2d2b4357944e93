#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "aio/files/files.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/seen/packed_prints.h"
#include "frontier/seen/seen_run.h"
#include "frontier/seen/seen_table.h"
#include "frontier/store/manifest.h"

namespace weft::frontier {

// Which fingerprints were ever put in: in memory as long as they fit, and at each checkpoint also
// on disk, in sorted runs. Once they do not fit, memory holds the last ones as they are and the
// others packed. Once these do not fit either, a part of them; and for the rest the runs' filters,
// and a few that were asked for of late: a fingerprint that a filter lets through is looked up in
// its run.
//
// Runs of one size are merged into one of the next, a bounded step at a time.
class SeenSet {
public:
    SeenSet(aio::FileSystem& files, std::filesystem::path folder, std::size_t memory_max);

    // The runs that the manifest names.
    void open(std::span<const RunName> runs);

    // Brings what contains() looks at into the cache: both steps for all links of a page, then
    // contains() for each.
    void prefetch(const Fingerprint& print) const;
    void prefetch_place(const Fingerprint& print) const {
        if (is_spilled_ && packed_.covers(print)) packed_.prefetch_place(print);
    }
    bool contains(const Fingerprint& print);

    // Whether it was new: to be asked only of what contains() did not know when last asked.
    bool insert(const Fingerprint& print);

    // Writes those that are only in memory as run `number`, if there are any.
    void write_run(std::uint64_t number);

    // The files that the manifest is to name are on disk and named: memory may be let go.
    void after_checkpoint();

    std::vector<RunName> run_names() const;

    // Goes on merging; about `bytes` read and written. True: the runs have changed, and the
    // manifest is to be written before another step; then remove_old().
    bool merge_step(std::size_t bytes, std::uint64_t& next_number);
    void remove_old();

    std::size_t memory_bytes() const;
    std::size_t new_count() const { return new_.size(); }
    bool is_spilled() const { return is_spilled_; }

private:
    struct Run {
        RunName name;
        std::unique_ptr<SeenRun> file;
    };
    class AllRuns;
    struct Merge;

    std::filesystem::path path_of(std::uint64_t number) const;
    void load_table();
    void load_packed();
    void pack_table();
    std::size_t fitting_step_count() const;
    std::size_t recent_bytes() const { return memory_max_ / 16; }
    std::size_t filter_bytes_max() const { return memory_max_ / 8 * 5; }
    BloomShape filter_shape(std::uint64_t print_count) const;
    void fit_filters();
    bool find_on_disk(const Fingerprint& print);
    void start_merge(std::uint64_t number);
    void finish_merge();

    aio::FileSystem& files_;
    std::filesystem::path folder_;
    std::size_t memory_max_;
    SeenTable table_;
    PackedPrints packed_;           // When spilled; what is in the table is not in it.
    std::vector<Fingerprint> new_;  // Since the last checkpoint.
    std::vector<Run> runs_;         // Oldest first; levels never rise.
    std::unique_ptr<Merge> merge_;
    std::vector<std::uint64_t> old_numbers_;  // Merged away, not yet removed.
    std::vector<Fingerprint> recent_;         // By their last bits; when not all are packed.
    bool is_spilled_ = false;

public:
    ~SeenSet();
};

}  // namespace weft::frontier
