#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "aio/files/files.h"
#include "archive/index/cdxj.h"
#include "archive/index/page_entry.h"

namespace weft::archive {

// Where the index lies in the folder of a crawl.
inline constexpr const char* kIndexName = "indexes/index.cdxj";

// What the index says of a page; nothing if it is not archived.
std::optional<CdxEntry> to_cdx_entry(const PageEntry& entry);

// Writes the index of a crawl's archive from its logs of pages and of robots.txt files, which know
// where each is: so the archive need not be read again. The old index is replaced in one step.
// Returns the count of its lines. Throws IoError.
std::uint64_t write_crawl_index(aio::FileSystem& files, const std::filesystem::path& folder);

}  // namespace weft::archive
