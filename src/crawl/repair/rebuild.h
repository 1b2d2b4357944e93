#pragma once

#include <cstdint>
#include <filesystem>

#include "aio/task/co.h"
#include "crawl/folder/folder.h"
#include "crawl/run/config.h"

namespace weft::crawl {

struct RebuildCounts {
    std::uint64_t page_count = 0;
    std::uint64_t waiting_count = 0;
};

// Fills an empty frontier and page log with what is known of a crawl: `known` holds the lines of
// its page log, whose records stand in the folder's archive. Walks from the seeds through the
// stored answers; links are judged as the crawl judges them, what is known is done, and the rest
// waits.
aio::Co<RebuildCounts> rebuild(const Config& config, Folder& folder,
                               const std::filesystem::path& known);

}  // namespace weft::crawl
