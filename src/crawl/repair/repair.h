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
    bool was_damaged = false;          // Else nothing was changed.
    std::vector<std::string> actions;  // What was done, one sentence each, for people.
    std::filesystem::path aside;       // Where all that was taken out is kept.
    std::uint64_t page_count = 0;      // In the page log now,
    std::uint64_t restored_count = 0;  // of these known from the archive alone,
    std::uint64_t lost_count = 0;      // and those whose records are lost: they wait again.
    std::uint64_t waiting_count = 0;   // URLs that a resumed crawl will ask for.
};

// Makes a crawl's folder whole again, whatever happened to it (H90): the archive is cut down to its
// good records, the page log agrees with it, and the frontier is built anew by walking from the
// seeds through what is archived, as the crawl did. Then the crawl can be resumed, and nothing that
// is kept is asked for again. A folder that is whole is left as it is, but for what a resumed crawl
// would mend too.
//
// Nothing is destroyed: what is replaced is in repair/<time>/ of the folder, whole. A repair
// happens wholly or not at all (repair_plan.h): killed at any moment and run again it comes to the
// same end. Its time is linear in the size of the crawl; it needs room for the files that it makes
// anew.
//
// Throws UsageError if another process works on the crawl (H92), IoError.
aio::Co<RepairReport> repair(const Config& config, FolderOptions options);

}  // namespace weft::crawl
