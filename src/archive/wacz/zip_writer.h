#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::archive {

// Instead of a size or place that stands in ZIP64's fields.
inline constexpr std::uint32_t kSeeZip64 = 0xFFFF'FFFF;

// A file of a ZIP, as others verify it.
struct ZipMember {
    std::uint64_t bytes = 0;
    std::string sha256;  // "sha256:" and hexadecimal.
};

// Writes a ZIP file front to back, its files stored as they are, so that a replay tool can read any
// range of them. Sizes and places are those of ZIP64 where they need to be. Blocking; throws
// IoError.
class ZipWriter {
public:
    // Sizes, places and counts from this on are written in ZIP64's fields; less only in tests.
    struct Limits {
        std::uint64_t bytes = 0xFFFF'FFFF;
        std::uint64_t count = 0xFFFF;
    };

    // Writes into `out`, which is empty and outlives the writer. `date` is that of all files.
    ZipWriter(aio::File& out, WallTime date) : ZipWriter(out, date, Limits()) {}
    ZipWriter(aio::File& out, WallTime date, Limits limits);

    ZipMember add(const std::string& name, std::string_view bytes);

    // A whole file, read twice in pieces: its checksum stands before its bytes. REQUIRES: the file
    // does not change meanwhile.
    ZipMember add(const std::string& name, aio::File& file);

    // The directory at the end; nothing may be added after.
    void finish();

private:
    struct Entry {
        std::string name;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        std::uint32_t crc = 0;
    };

    void begin(Entry entry);
    void put(std::string_view bytes);
    std::string directory_entry(const Entry& entry) const;

    aio::File& out_;
    std::uint16_t time_;
    std::uint16_t date_;
    Limits limits_;
    std::uint64_t offset_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace weft::archive
