#include "archive/warc/zstd_frame.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include "base/random.h"

namespace weft::archive {
namespace {

// What zstd reads from the one frame that `packed` is, which says its length and has a checksum.
std::string unpack(std::string_view packed) {
    EXPECT_EQ(ZSTD_findFrameCompressedSize(packed.data(), packed.size()), packed.size());
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    EXPECT_LT(size, 1u << 30);
    std::string out(size, '\0');
    EXPECT_EQ(ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()), size);
    return out;
}

std::string five_bits(std::size_t size) {
    Random random(3);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() & 0x1F);
    return bytes;
}

TEST(ZstdPacker, OneFrameHoldsAllPieces) {
    ZstdPacker packer;
    std::string out = "before";

    packer.append_frame(std::vector<std::string_view>{"head\r\n\r\n", "", "body"}, out);

    EXPECT_EQ(out.substr(0, 6), "before");
    EXPECT_EQ(unpack(std::string_view(out).substr(6)), "head\r\n\r\nbody");
}

TEST(ZstdPacker, SmallAndLargeRecordsReadBackTheSame) {
    ZstdPacker packer;

    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, ZstdPacker::kShortBytesMax - 4,
          ZstdPacker::kShortBytesMax - 3, ZstdPacker::kSingleShotBytesMax - 4,
          ZstdPacker::kSingleShotBytesMax - 3, std::size_t{2'000'000}, std::size_t{7}}) {
        const std::string body = five_bits(size);
        std::string out;
        packer.append_frame(std::vector<std::string_view>{"head", body}, out);
        EXPECT_EQ(unpack(out), "head" + body) << size;
    }
}

TEST(ZstdPacker, AFlippedBitOfTheContentIsFound) {
    std::string out;
    ZstdPacker().append_frame(std::vector<std::string_view>{five_bits(100)}, out);
    out[out.size() - 1] ^= 1;  // Of the checksum.

    std::string room(100, '\0');
    EXPECT_TRUE(ZSTD_isError(ZSTD_decompress(room.data(), room.size(), out.data(), out.size())));
}

}  // namespace
}  // namespace weft::archive
