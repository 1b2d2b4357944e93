#pragma once

#include <cstdint>
#include <string>

namespace weft {

// Where records are in the archive: the name of their file, and where in it they begin and how long
// they are. Of a packed record this counts its gzip member or zstd frame, of a plain one its header
// and block.
struct ArchivePlace {
    std::string file;  // Empty: not archived.
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

}  // namespace weft
