#pragma once

#include <cstdint>

#include "aio/files/files.h"

namespace weft::aio {

// How many bytes can still be written to the disk that holds `path`: for the machine's files as the
// system reports it, for MemoryFiles as set by set_space() (UINT64_MAX without a limit). Throws
// IoError.
std::uint64_t free_space(FileSystem& files, const FileSystem::Path& path);

}  // namespace weft::aio
