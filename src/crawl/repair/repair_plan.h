#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"

// What makes a repair one step. It writes all new files into repair/work and changes nothing else.
// Then it writes repair/plan: from that moment the repair counts as done. The plan is carried out
// by moving files, right away or, after a kill, by the next repair or resume. Carrying it out twice
// has the same result as once. Without a plan repair/work is worthless and may be removed.
namespace weft::crawl {

inline constexpr const char* kRepairWorkName = "repair/work";
inline constexpr const char* kRepairPlanName = "repair/plan";

struct RepairPlan {
    struct Replacement {
        std::string path;  // Relative to the folder: a file, or a folder with all its files.
        std::string kept;  // The name of the old one in `aside`.
    };

    std::string aside;                 // Relative to the folder: where the old files go.
    std::vector<Replacement> entries;  // Each is replaced by repair/work/<path>.
};

// Writes the plan. Once it is on disk the repair counts as done: finish_repair() carries it out,
// now or after a crash. REQUIRES: the files in repair/work are synced. Throws IoError.
void write_plan(aio::FileSystem& files, const std::filesystem::path& folder,
                const RepairPlan& plan);

// Does what a plan says if there is one, and removes it. Gives where it has put what it replaced.
// Throws IoError, StoreError if the plan cannot be read, LockedError if another process is at it.
std::optional<std::filesystem::path> finish_repair(aio::FileSystem& files,
                                                   const std::filesystem::path& folder);

// Whether there is a plan: a repair was interrupted while it moved files.
bool is_repair_under_way(aio::FileSystem& files, const std::filesystem::path& folder);

// Removes a folder with everything in it, without following links. Does nothing if it does not
// exist. Throws IoError.
void remove_tree(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::crawl
