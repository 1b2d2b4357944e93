#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Compresses records, each into a zstd frame of its own, so that a reader can start at the offset
// of any record. A frame contains the length of its content and ends with a checksum.
//
// Keeps its tables and buffers between records. Not thread-safe: use one per thread.
class ZstdPacker {
public:
    static constexpr std::size_t kSingleShotBytesMax = 1 << 20;

    // Most request and metadata records are shorter than this. For them building the tables of a
    // Huffman code takes longer than everything else, and saves 70 bytes.
    static constexpr std::size_t kShortBytesMax = 1'000;

    ZstdPacker();
    ~ZstdPacker();
    ZstdPacker(const ZstdPacker&) = delete;
    ZstdPacker& operator=(const ZstdPacker&) = delete;

    // Appends the concatenation of the pieces to `out` as one frame.
    void append_frame(std::span<const std::string_view> pieces, std::string& out);

private:
    struct Free {
        void operator()(void* context) const;
    };
    using Context = std::unique_ptr<void, Free>;

    static Context make_context(int level);
    void append_at_once(void* context, std::span<const std::string_view> pieces, std::string& out);
    void append_large(std::span<const std::string_view> pieces, std::size_t size, std::string& out);

    Context context_;
    Context short_context_;
    std::string joined_;
};

}  // namespace weft::archive
