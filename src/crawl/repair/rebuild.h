#pragma once

#include <cstdint>
#include <filesystem>

#include "aio/task/co.h"
#include "crawl/folder/folder.h"
#include "crawl/repair/old_texts.h"
#include "crawl/run/config.h"

namespace weft::crawl {

struct RebuildCounts {
    std::uint64_t page_count = 0;
    std::uint64_t waiting_count = 0;
};

// What a repair has of the crawl's pages.
struct KnownPages {
    std::filesystem::path log;  // The page log lines whose records are in the archive.
    OldTexts& texts;
};

// Builds the frontier and the page log of a crawl again from its archive. `folder` has an empty
// frontier and page log. If it keeps text, each known page gets its old line of text.jsonl again,
// or a new one that is made from its stored response.
//
// It walks from the seeds through the stored responses as the crawl did. Links are judged by the
// same rules; a known URL is completed as done, any other URL waits. `config` and `folder` outlive
// the call. Throws IoError, StoreError.
aio::Co<RebuildCounts> rebuild(const Config& config, CrawlFolder& folder, const KnownPages& known);

}  // namespace weft::crawl
