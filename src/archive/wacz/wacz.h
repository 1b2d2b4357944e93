#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "aio/files/files.h"
#include "archive/index/crawl_snapshot.h"
#include "base/clock.h"

namespace weft::archive {

// Adds a record of another crawl: the one at `offset` of the WARC file.
using TakeOriginal =
    std::function<void(const std::filesystem::path& warc_file, std::uint64_t offset)>;

struct WaczOptions {
    std::string title;     // For people.
    std::string software;  // "weft/1.0"
    WallTime created;

    // Calls its argument for each record of another crawl that revisits of this crawl refer to,
    // once each. Without those records a replay tool shows nothing for unchanged pages. Empty: they
    // are left out.
    std::function<void(const TakeOriginal&)> each_original;
};

// What write_wacz() has written.
struct WaczSummary {
    std::uint64_t page_count = 0;      // Entries in the list of pages.
    std::uint64_t record_count = 0;    // Records in the index.
    std::uint64_t original_count = 0;  // Records that come from other crawls.
    std::uint64_t bytes = 0;
};

// Writes a crawl into one file (WACZ 1.1.1) that replay tools open, also over HTTP with range
// requests. It contains the WARC files as they are, a compressed index of them, the list of pages,
// and a description with the digest of each file. WARC files packed by zstd are repacked by gzip,
// because no replay tool reads zstd.
//
// The file is written next to `path` and then renamed, so that `path` is replaced in one step.
// Scratch files are next to it too. Bounded memory. Blocks: for use on an executor thread. Throws
// IoError, and ArchiveError if a record cannot be repacked.
WaczSummary write_wacz(aio::FileSystem& files, const CrawlSnapshot& crawl,
                       const std::filesystem::path& path, const WaczOptions& options);

}  // namespace weft::archive
