#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::archive {

// Written in place of a size or an offset whose value is in the ZIP64 fields.
inline constexpr std::uint32_t kSeeZip64 = 0xFFFF'FFFF;

// What is needed to verify a file in a ZIP.
struct ZipMember {
    std::uint64_t bytes = 0;
    std::string sha256;  // "sha256:" and hexadecimal.
};

// Writes a ZIP file from front to back. Its files are stored without compression, so that a replay
// tool can read any range of them. Uses ZIP64 where sizes or offsets need it. Blocks; throws
// IoError.
class ZipWriter {
public:
    // From these values on, sizes, offsets and counts are written as ZIP64. Tests use lower ones.
    struct Limits {
        std::uint64_t bytes = 0xFFFF'FFFF;
        std::uint64_t count = 0xFFFF;
    };

    // Writes into `out`, which must be empty and outlive the writer. All files get this date.
    ZipWriter(aio::File& out, WallTime date) : ZipWriter(out, date, Limits()) {}
    ZipWriter(aio::File& out, WallTime date, Limits limits);

    ZipMember add(const std::string& name, std::string_view bytes);

    // Adds a whole file, in pieces. It is read twice, because its checksum is written before its
    // bytes. REQUIRES: the file does not change meanwhile.
    ZipMember add(const std::string& name, aio::File& file);

    // Writes the directory at the end. Nothing may be added afterwards.
    void finish();

private:
    // A file that was added; kept for the directory.
    struct ZipEntry {
        std::string name;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;  // Of its local header.
        std::uint32_t crc = 0;
    };

    void begin(ZipEntry entry);
    void put(std::string_view bytes);
    std::string directory_entry(const ZipEntry& entry) const;

    aio::File& out_;
    std::uint16_t time_;  // In the format of MS-DOS.
    std::uint16_t date_;
    Limits limits_;
    std::uint64_t offset_ = 0;
    std::vector<ZipEntry> entries_;
};

}  // namespace weft::archive
