#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "crawl/folder/folder.h"
#include "crawl/run/config.h"

namespace weft::crawl {

// What a repair has found and done.
struct RepairReport {
    bool was_damaged = false;          // If false, nothing was replaced.
    std::vector<std::string> actions;  // What was found and done, one sentence each, for people.
    std::filesystem::path aside;       // The folder with everything that was replaced.
    std::uint64_t page_count = 0;      // Pages in the page log now.
    std::uint64_t restored_count = 0;  // Pages that only the archive knew.
    std::uint64_t lost_count = 0;      // Pages whose records are lost: they wait again.
    std::uint64_t waiting_count = 0;   // URLs that a resumed crawl will fetch.
};

// Repairs the folder of a crawl, whatever happened to it (H90). The archive is reduced to its good
// records, the page log is made to agree with it, and the frontier is built again by walking from
// the seeds through the archived pages, as the crawl did. Then the crawl can be resumed, and no
// page that is kept is fetched again. A folder without damage is left as it is, except for what a
// resumed crawl would mend too.
//
// Nothing is destroyed: what is replaced is moved to repair/<time>/ of the folder. A repair happens
// completely or not at all (repair_plan.h): if it is killed at any moment and run again, the result
// is the same. Its time is linear in the size of the crawl. It needs disk space for the files that
// it writes again.
//
// `config` outlives the call. Throws UsageError if another process uses the folder (H92), IoError.
aio::Co<RepairReport> repair(const Config& config, FolderOptions options);

}  // namespace weft::crawl
