#include "crawl/repair/repair_plan.h"

#include <set>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "archive/index/lines.h"
#include "base/hash.h"
#include "base/units.h"
#include "frontier/store/store_error.h"

namespace weft::crawl {

using archive::take_line;

namespace {

constexpr std::size_t kPlanBytesMax = 64_MiB;
constexpr std::string_view kFirstLine = "weft-repair 1";
constexpr const char* kRepairLockName = "repair/lock";

// A name in `aside` for what somebody put in the place of what was moved away: for instance an
// empty frontier, made by a process that waited for the old one.
std::filesystem::path name_in_the_way(aio::FileSystem& files, const std::filesystem::path& kept) {
    std::filesystem::path name = kept;
    do name += ".in-the-way";
    while (files.exists(name));
    return name;
}

std::string plan_checksum(std::string_view text) {
    return fmt::format("{:016x}\n", hash64(text));
}

RepairPlan read_plan(aio::FileSystem& files, const std::filesystem::path& path) {
    const std::string text = files.read_all(path, kPlanBytesMax);
    const std::size_t size = text.size() - std::min(text.size(), plan_checksum("").size());
    std::string_view rest = std::string_view(text).substr(0, size);
    if (std::string_view(text).substr(size) != plan_checksum(rest) ||
        take_line(rest) != kFirstLine) {
        throw frontier::StoreError(fmt::format(
            "{} is damaged: it says how a repair that was cut off is to be finished; put it back "
            "from a copy. Without it, put the files of the folder back from a copy and remove "
            "repair/work and repair/plan",
            path.string()));
    }
    RepairPlan plan;
    plan.aside = take_line(rest);
    while (!rest.empty()) {
        const std::string_view line = take_line(rest);
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) continue;
        plan.entries.push_back(
            {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
    }
    return plan;
}

}  // namespace

bool is_repair_under_way(aio::FileSystem& files, const std::filesystem::path& folder) {
    return files.exists(folder / kRepairPlanName);
}

void write_plan(aio::FileSystem& files, const std::filesystem::path& folder,
                const RepairPlan& plan) {
    std::string text = fmt::format("{}\n{}\n", kFirstLine, plan.aside);
    for (const RepairPlan::Replacement& entry : plan.entries) {
        text += fmt::format("{}\t{}\n", entry.path, entry.kept);
    }
    files.write_all(folder / kRepairPlanName, text + plan_checksum(text));
}

std::optional<std::filesystem::path> finish_repair(aio::FileSystem& files,
                                                   const std::filesystem::path& folder) {
    if (!is_repair_under_way(files, folder)) return std::nullopt;
    // Two at once would move each other's files. The frontier's own lock moves with the frontier.
    const std::unique_ptr<aio::FileLock> lock = files.try_lock(folder / kRepairLockName);
    if (!lock) {
        throw frontier::LockedError(fmt::format(
            "{} is being repaired by another process; wait for it to end", folder.string()));
    }
    if (!is_repair_under_way(files, folder)) return std::nullopt;  // The other one has ended.
    const RepairPlan plan = read_plan(files, folder / kRepairPlanName);
    const std::filesystem::path work = folder / kRepairWorkName;
    const std::filesystem::path aside = folder / plan.aside;
    files.create_directories(aside);
    std::set<std::filesystem::path> touched{folder / "repair", aside};
    for (const auto& [path, kept] : plan.entries) {
        const std::filesystem::path place = folder / path;
        touched.insert(place.parent_path());
        touched.insert((work / path).parent_path());
        if (!files.exists(work / path)) continue;  // Done before.
        if (files.exists(place)) {
            const bool is_kept = files.exists(aside / kept);
            files.rename(place, is_kept ? name_in_the_way(files, aside / kept) : aside / kept);
        }
        files.create_directories(place.parent_path());
        files.sync_directory(folder);
        // The move of the old file is on disk before the new file can take its place.
        files.sync_directory(aside);
        files.rename(work / path, place);
    }
    for (const std::filesystem::path& each : touched) {
        if (files.exists(each)) files.sync_directory(each);
    }
    files.remove(folder / kRepairPlanName);
    files.remove(folder / kRepairLockName);
    files.sync_directory(folder / "repair");
    remove_tree(files, work);
    return aside;
}

void remove_tree(aio::FileSystem& files, const std::filesystem::path& path) {
    if (!files.exists(path)) return;
    std::vector<std::string> names;
    try {
        names = files.list(path);
    } catch (const aio::IoError&) {
        // It is a file or a link, which has no entries.
    }
    for (const std::string& name : names) remove_tree(files, path / name);
    files.remove(path);
}

}  // namespace weft::crawl
