#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Compresses records, each into a gzip member of its own, so that a reader can start at the offset
// of any record.
//
// At kFastLevel ISA-L compresses, six times as fast as libdeflate's level 6; its files are an
// eighth larger. Pieces go to it as they are. At the other levels, records up to
// kSingleShotBytesMax are compressed by libdeflate in one call, and larger ones by zlib piece by
// piece, so that a large body is not copied. Keeps its tables and buffers between records. Not
// thread-safe: use one per thread.
class GzipPacker {
public:
    static constexpr int kFastLevel = 0;
    static constexpr int kSmallLevel = 6;  // For what is packed once and handed around.
    static constexpr int kLevelMax = 9;
    static constexpr std::size_t kSingleShotBytesMax = 1 << 20;

    // Most request and metadata records are shorter than this. At kFastLevel they share one Huffman
    // code, made for a typical record: to make one for each takes five times as long and saves some
    // 40 bytes. At the other levels libdeflate's level 1 compresses them as well as its higher
    // levels except for one byte, and has no large tables to clear.
    static constexpr std::size_t kShortBytesMax = 1'000;

    // REQUIRES: level is in 0-9.
    explicit GzipPacker(int level = kFastLevel);
    ~GzipPacker();
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    // Appends the concatenation of the pieces to `out` as one member.
    void append_member(std::span<const std::string_view> pieces, std::string& out);

private:
    struct Free {
        void operator()(void* compressor) const;
    };
    using Compressor = std::unique_ptr<void, Free>;
    struct Fast;  // ISA-L's state.

    static Compressor make_compressor(int level);
    void append_short(std::span<const std::string_view> pieces, std::string& out);
    void append_fast(std::span<const std::string_view> pieces, std::string& out);
    void append_at_once(void* with, std::span<const std::string_view> pieces, std::string& out);
    void append_large(std::span<const std::string_view> pieces, std::string& out) const;

    int level_;
    std::unique_ptr<Fast> fast_;  // Only at kFastLevel.
    Compressor compressor_;       // Only at the other levels.
    Compressor short_compressor_;
    std::string joined_;  // The pieces of a small record; its memory is kept.
};

}  // namespace weft::archive
