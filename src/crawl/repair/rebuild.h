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

// Builds the frontier and the page log of a crawl again from its archive. `folder` has an empty
// frontier and page log. `known` holds the page log lines whose records are in the archive.
//
// It walks from the seeds through the stored responses as the crawl did. Links are judged by the
// same rules; a known URL is completed as done, any other URL waits. `config` and `folder` outlive
// the call. Throws IoError, StoreError.
aio::Co<RebuildCounts> rebuild(const Config& config, CrawlFolder& folder,
                               const std::filesystem::path& known);

}  // namespace weft::crawl
