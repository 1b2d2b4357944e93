#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Packs records, one gzip member each, so that a reader can start at any record's offset.
//
// Small records go through libdeflate at once; those above kSingleShotBytesMax through zlib piece
// by piece, so that no second copy of a large body is made. Keeps its tables and buffers between
// records; one per thread.
class GzipPacker {
public:
    static constexpr std::size_t kSingleShotBytesMax = 1 << 20;

    // REQUIRES: level is in 1-9.
    explicit GzipPacker(int level = 6);
    ~GzipPacker();
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    // Appends the pieces, put together, as one member to `out`.
    void append_member(std::span<const std::string_view> pieces, std::string& out);

private:
    void append_small(std::span<const std::string_view> pieces, std::string& out);
    void append_large(std::span<const std::string_view> pieces, std::string& out) const;

    int level_;
    void* compressor_;
    std::string joined_;
};

}  // namespace weft::archive
