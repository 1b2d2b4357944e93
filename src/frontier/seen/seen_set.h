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

// The set of all fingerprints that were ever inserted. It is exact, except for the probabilities in
// docs/decisions/fingerprints.md.
//
// As long as they fit, all are in memory, in a SeenTable; at each checkpoint the new ones are also
// written to disk, as a sorted run. Once they do not fit (is_spilled()), the table holds the
// newest, and the others are packed (PackedPrints). Once the packed ones do not fit either, only
// some of them stay in memory. For the rest memory holds the filters of the runs and a few
// fingerprints that were looked up recently; if a filter lets a fingerprint pass, its run is read.
//
// Runs of the same level are merged into one of the next level, in steps of bounded size.
//
// Owned by the Ledger; used by one thread at a time. The file system outlives it.
class SeenSet {
public:
    SeenSet(aio::FileSystem& files, std::filesystem::path folder, std::size_t memory_max);

    // Opens the runs that the manifest names, and loads what fits into memory.
    void open(std::span<const RunName> runs);

    // These bring the memory that contains() reads into the cache: call prefetch() for all links of
    // a page, then prefetch_place() for all, then contains() for each.
    void prefetch(const Fingerprint& print) const;
    void prefetch_place(const Fingerprint& print) const {
        if (is_spilled_ && packed_.covers(print)) packed_.prefetch_place(print);
    }
    bool contains(const Fingerprint& print);

    // Returns whether it was new. REQUIRES: contains() was false for it, and no checkpoint came in
    // between. Only the table is checked here.
    bool insert(const Fingerprint& print);

    // Writes the fingerprints that are only in memory as run `number`, if there are any.
    void write_run(std::uint64_t number);

    // The manifest with the new run is on disk, so memory may be released.
    void after_checkpoint();

    std::vector<RunName> run_names() const;

    // Continues a merge, or starts one; reads and writes about `bytes`. If it returns true, the
    // runs have changed: write the manifest, then call remove_old(), before the next step.
    bool merge_step(std::size_t bytes, std::uint64_t& next_number);
    void remove_old();

    std::size_t memory_bytes() const;
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
    PackedPrints packed_;           // When spilled; it holds nothing that is in the table.
    std::vector<Fingerprint> new_;  // Inserted since the last checkpoint.
    std::vector<Run> runs_;         // Oldest first; a newer run never has a higher level.
    std::unique_ptr<Merge> merge_;
    std::vector<std::uint64_t> old_numbers_;  // Runs that were merged and are not removed yet.
    std::vector<Fingerprint> recent_;         // A cache, by `low`; used if not all are packed.
    bool is_spilled_ = false;

public:
    ~SeenSet();
};

}  // namespace weft::frontier
