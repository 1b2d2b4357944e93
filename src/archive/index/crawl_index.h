#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "aio/files/files.h"
#include "archive/index/cdxj.h"
#include "archive/index/outcome.h"

namespace weft::archive {

// The path of the index in the folder of a crawl.
inline constexpr const char* kIndexName = "indexes/index.cdxj";

// The index entry of a page; nothing if the page is not archived.
std::optional<CdxEntry> to_cdx_entry(const Outcome& entry);

// Writes the index of a crawl's archive. Its source are the logs of pages and of robots.txt files,
// which contain the position of each record, so that the archive is not read again. Replaces an old
// index in one step. Returns the number of lines. Blocks; bounded memory. Throws IoError.
std::uint64_t write_crawl_index(aio::FileSystem& files, const std::filesystem::path& folder);

}  // namespace weft::archive
