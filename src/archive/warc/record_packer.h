#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "archive/warc/gzip_member.h"
#include "archive/warc/zstd_frame.h"

namespace weft::archive {

// How the records of a WARC file are compressed. Each record is compressed separately.
enum class Packing { none, gzip, zstd };

// ".warc", ".warc.gz" or ".warc.zst".
std::string_view warc_extension(Packing packing);

// Whether the name of a file ends like that of a WARC file, compressed or not.
bool is_warc_name(std::string_view file_name);

struct Compression {
    Packing packing = Packing::gzip;
    int gzip_level = GzipPacker::kFastLevel;  // See GzipPacker.

    bool operator==(const Compression&) const = default;
};

// Compresses records one by one. Not thread-safe: use one per thread.
class RecordPacker {
public:
    explicit RecordPacker(Compression compression);

    // Appends the concatenation of the pieces to `out` as one member of a file.
    void append(std::span<const std::string_view> pieces, std::string& out);

private:
    // Packing::none: the bytes stay as they are.
    struct Plain {};

    std::variant<Plain, GzipPacker, ZstdPacker> packer_;
};

}  // namespace weft::archive
