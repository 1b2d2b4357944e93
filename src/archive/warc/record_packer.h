#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "archive/warc/gzip_member.h"
#include "archive/warc/zstd_frame.h"

namespace weft::archive {

// How the records of a WARC file are packed, each for itself.
enum class Packing { none, gzip, zstd };
std::string_view name(Packing packing);  // "gzip"
std::optional<Packing> parse_packing(std::string_view name);

// ".warc", ".warc.gz" or ".warc.zst".
std::string_view warc_extension(Packing packing);

// Whether a file is named as a WARC file is, packed or not.
bool is_warc_name(std::string_view file_name);

// Packs records one by one. One per thread.
class RecordPacker {
public:
    explicit RecordPacker(Packing packing);

    // Appends the pieces, put together, as one member of a file to `out`.
    void append(std::span<const std::string_view> pieces, std::string& out);

private:
    // As they are.
    struct Plain {};

    std::variant<Plain, GzipPacker, ZstdPacker> packer_;
};

}  // namespace weft::archive
