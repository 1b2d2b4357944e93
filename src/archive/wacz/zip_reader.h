#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"

namespace weft::archive {

enum class [[nodiscard]] ZipError {
    no_directory,   // No ZIP file, or its end is missing.
    bad_directory,  // It names what is not there.
    too_large,      // The directory is larger than kZipDirectoryBytesMax.
};
std::string_view describe(ZipError error);

inline constexpr std::uint64_t kZipDirectoryBytesMax = 64 << 20;

// A file in a ZIP.
struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;    // Of its bytes as they are in the ZIP,
    std::uint64_t offset = 0;  // and where they begin there.
    bool is_stored = true;     // As it is. False: packed, by some method.
};

// The files of a ZIP, by the directory at its end; ZIP64 too. Every entry lies inside the file,
// whatever the directory says. Throws IoError.
std::expected<std::vector<ZipEntry>, ZipError> read_zip(aio::File& file);

}  // namespace weft::archive
