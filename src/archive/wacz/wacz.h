#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "aio/files/files.h"
#include "archive/index/crawl_snapshot.h"
#include "base/clock.h"

namespace weft::archive {

// Takes a record of another crawl along: the one at `offset` of the WARC file.
using TakeOriginal =
    std::function<void(const std::filesystem::path& warc_file, std::uint64_t offset)>;

struct WaczOptions {
    std::string title;     // For people.
    std::string software;  // "weft/1.0"
    WallTime created;

    // Gives the records of other crawls that records of this one stand for, each once. Without them
    // a replay tool shows nothing for what has not changed. Empty: they are left out.
    std::function<void(const TakeOriginal&)> each_original;
};

struct WaczSummary {
    std::uint64_t page_count = 0;      // That a reader can choose from.
    std::uint64_t record_count = 0;    // In the index.
    std::uint64_t original_count = 0;  // Of these, from other crawls.
    std::uint64_t bytes = 0;
};

// Makes one file of a crawl that replay tools open, also from a server that knows ranges (WACZ
// 1.1.1): the WARC files as they are, a packed index of them, the list of pages, and a description
// with the digest of each. A WARC file that is packed by zstd, which no replay tool reads, is
// packed anew by gzip. Written beside its place and then put there in one step, in bounded memory;
// scratch files lie beside it too. Throws IoError, and ArchiveError if a record cannot be packed
// anew.
WaczSummary write_wacz(aio::FileSystem& files, const CrawlSnapshot& crawl,
                       const std::filesystem::path& path, const WaczOptions& options);

}  // namespace weft::archive
