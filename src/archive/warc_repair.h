#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "aio/files.h"
#include "archive/page_entry.h"

namespace weft::archive {

// Bytes of a file, from `begin` up to `end`.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
};

// Appends them to another, in pieces. Throws IoError.
void copy_bytes(aio::File& from, ByteRange range, aio::File& to);

// An answer that a file holds, whole and with the digests it says.
struct GoodAnswer {
    std::uint64_t old_offset = 0;  // Where it was before the repair.
    PageEntry entry;               // What the records tell of the page, and where they are now.
};

struct WarcRepair {
    std::uint64_t record_count = 0;  // Good ones, of any type.
    std::uint64_t cut_count = 0;     // Pieces that are no good records,
    std::uint64_t cut_bytes = 0;     // and what they are together.
};

// Reads a WARC file whatever happened to it, gives its good answers to `take` in order, and cuts
// out all that is no whole record with the right digests: a torn tail, garbage, damage in the
// middle, behind which it looks for the next record. What is cut goes to files in `aside`, named
// after the file and the place, before the file is changed: nothing is lost. A file that is good is
// not touched. Throws IoError.
WarcRepair repair_warc(aio::FileSystem& files, const std::filesystem::path& path,
                       const std::filesystem::path& aside,
                       const std::function<void(const GoodAnswer&)>& take);

// Whether there would be nothing to cut.
bool is_warc_whole(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::archive
