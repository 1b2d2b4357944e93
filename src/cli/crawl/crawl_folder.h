#pragma once

#include <filesystem>
#include <memory>

#include "aio/files/files.h"

namespace weft::cli {

// The files of a crawl's folder, for reading. Nothing outside the folder can be reached, whatever
// links are in it (aio::FileSystem::inside()). Throws UsageError if there is no such folder, and
// StoreError if a repair of it was interrupted.
std::unique_ptr<aio::FileSystem> open_crawl_folder(const std::filesystem::path& folder);

}  // namespace weft::cli
