#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Compresses records, each into a gzip member of its own, so that a reader can start at the offset
// of any record.
//
// Records up to kSingleShotBytesMax are compressed by libdeflate in one call. Larger ones are
// compressed by zlib piece by piece, so that a large body is not copied. Keeps its tables and
// buffers between records. Not thread-safe: use one per thread.
class GzipPacker {
public:
    static constexpr std::size_t kSingleShotBytesMax = 1 << 20;

    // Most request and metadata records are shorter than this. For them level 1 compresses as well
    // as the other levels except for one byte, in three quarters of the time.
    static constexpr std::size_t kShortBytesMax = 1'000;

    // REQUIRES: level is in 1-9.
    explicit GzipPacker(int level = 6);
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    // Appends the concatenation of the pieces to `out` as one member.
    void append_member(std::span<const std::string_view> pieces, std::string& out);

private:
    struct Free {
        void operator()(void* compressor) const;
    };
    using Compressor = std::unique_ptr<void, Free>;

    static Compressor make_compressor(int level);
    void append_at_once(void* with, std::span<const std::string_view> pieces, std::string& out);
    void append_large(std::span<const std::string_view> pieces, std::string& out) const;

    int level_;
    Compressor compressor_;
    Compressor short_compressor_;
    std::string joined_;  // The pieces of a small record; its memory is kept.
};

}  // namespace weft::archive
