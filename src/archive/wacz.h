#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "aio/files.h"
#include "base/clock.h"

namespace weft::archive {

struct WaczOptions {
    std::string title;     // For people.
    std::string software;  // "weft/1.0"
    WallTime created;
};

struct WaczSummary {
    std::uint64_t page_count = 0;    // That a reader can choose from.
    std::uint64_t record_count = 0;  // In the index.
    std::uint64_t bytes = 0;
};

// Makes one file of a crawl's folder that replay tools open, also from a server that knows ranges
// (WACZ 1.1.1): the WARC files as they are, a packed index of them, the list of pages, and a
// description with the digest of each. Written beside its place and then put there in one step, in
// bounded memory. Throws IoError; UsageError if a WARC file is packed by zstd, which no replay tool
// reads.
WaczSummary write_wacz(aio::FileSystem& files, const std::filesystem::path& folder,
                       const std::filesystem::path& path, const WaczOptions& options);

}  // namespace weft::archive
