#include "archive/warc/record_packer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::archive {

namespace {
constexpr std::array kPackings = {Packing::none, Packing::gzip, Packing::zstd};
}

std::string_view warc_extension(Packing packing) {
    switch (packing) {
        case Packing::none: return ".warc";
        case Packing::gzip: return ".warc.gz";
        case Packing::zstd: return ".warc.zst";
    }
    std::unreachable();
}

// No extension is a suffix of another, so the order does not matter.
bool is_warc_name(std::string_view file_name) {
    return std::ranges::any_of(
        kPackings, [&](Packing each) { return file_name.ends_with(warc_extension(each)); });
}

// The variant begins as Plain, which is right for Packing::none.
RecordPacker::RecordPacker(Compression compression) {
    const Packing packing = compression.packing;
    if (packing == Packing::gzip) packer_.emplace<GzipPacker>(compression.gzip_level);
    if (packing == Packing::zstd) packer_.emplace<ZstdPacker>();
}

void RecordPacker::append(std::span<const std::string_view> pieces, std::string& out) {
    if (auto* gzip = std::get_if<GzipPacker>(&packer_)) {
        gzip->append_member(pieces, out);
    } else if (auto* zstd = std::get_if<ZstdPacker>(&packer_)) {
        zstd->append_frame(pieces, out);
    } else {
        for (const std::string_view piece : pieces) out += piece;
    }
}

}  // namespace weft::archive
