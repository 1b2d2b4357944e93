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

    // Most requests and metadata records are shorter: in them the least level finds all but a byte
    // of what the others do, in three quarters of the time.
    static constexpr std::size_t kShortBytesMax = 1'000;

    // REQUIRES: level is in 1-9.
    explicit GzipPacker(int level = 6);
    GzipPacker(const GzipPacker&) = delete;
    GzipPacker& operator=(const GzipPacker&) = delete;

    // Appends the pieces, put together, as one member to `out`.
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
    std::string joined_;
};

}  // namespace weft::archive
