#pragma once

#include <cstdint>

#include "aio/files/files.h"

namespace weft::aio {

// How many bytes may yet be written on the disk that holds `path`, as far as is known: of the
// machine's own files by the system, of MemoryFiles by their set_space(). Throws IoError.
std::uint64_t free_space(FileSystem& files, const FileSystem::Path& path);

}  // namespace weft::aio
