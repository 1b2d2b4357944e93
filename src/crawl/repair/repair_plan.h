#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"

// How a repair is one step. It writes all that is new into repair/work, beside what is there, and
// changes nothing else. Then it writes repair/plan: from that moment the repair has happened. What
// the plan says is done by moving files, at once or, after a kill, by the next repair or resume; to
// do it twice is to do it once. Without a plan repair/work is rubbish.
namespace weft::crawl {

inline constexpr const char* kRepairWorkName = "repair/work";
inline constexpr const char* kRepairPlanName = "repair/plan";

struct RepairPlan {
    struct Entry {
        std::string path;  // In the folder: a file, or a folder with all in it.
        std::string kept;  // The name that the old one gets in `aside`.
    };

    std::string aside;           // In the folder: where what is replaced goes.
    std::vector<Entry> entries;  // Each is replaced by repair/work/<path>.
};

// From here on the repair has happened, as far as files are synced. Throws IoError.
void write_plan(aio::FileSystem& files, const std::filesystem::path& folder,
                const RepairPlan& plan);

// Does what a plan says if there is one, and removes it. Gives where it has put what it replaced.
// Throws IoError, StoreError if the plan cannot be read, LockedError if another process is at it.
std::optional<std::filesystem::path> finish_repair(aio::FileSystem& files,
                                                   const std::filesystem::path& folder);

// Whether a repair was cut off in the middle of its moves.
bool is_repair_under_way(aio::FileSystem& files, const std::filesystem::path& folder);

// Removes a folder with all in it, following no link; no error if it is not there. Throws IoError.
void remove_tree(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::crawl
