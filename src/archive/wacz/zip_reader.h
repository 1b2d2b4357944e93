#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"

namespace weft::archive {

// Why a file cannot be read as a ZIP.
enum class [[nodiscard]] ZipError {
    no_directory,   // Not a ZIP file, or its end is missing.
    bad_directory,  // The directory is malformed or points outside the file.
    too_large,      // The directory is larger than kZipDirectoryBytesMax.
};
std::string_view describe(ZipError error);

inline constexpr std::uint64_t kZipDirectoryBytesMax = 64 << 20;

// A file in a ZIP. Its name is not checked: it may come from a stranger.
struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;    // Of its bytes in the ZIP.
    std::uint64_t offset = 0;  // Where in the ZIP its bytes begin.
    bool is_stored = true;     // Not compressed. False: compressed by some method.
};

// The entries of the directory at the end of a ZIP file, ZIP64 included. Every returned entry is
// inside the file, whatever the directory says. Blocks. Throws IoError.
std::expected<std::vector<ZipEntry>, ZipError> read_zip(aio::File& file);

}  // namespace weft::archive
