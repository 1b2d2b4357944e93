#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Packs records, one zstd frame each, so that a reader can start at any record's offset. A frame
// says how long its content is and ends in a checksum.
//
// Keeps its tables and buffers between records; one per thread.
class ZstdPacker {
public:
    static constexpr std::size_t kSingleShotBytesMax = 1 << 20;

    // Most requests and metadata records are shorter: the tables of a Huffman code for so little
    // take longer to make than all else, and save 70 bytes.
    static constexpr std::size_t kShortBytesMax = 1'000;

    ZstdPacker();
    ~ZstdPacker();
    ZstdPacker(const ZstdPacker&) = delete;
    ZstdPacker& operator=(const ZstdPacker&) = delete;

    // Appends the pieces, put together, as one frame to `out`.
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
