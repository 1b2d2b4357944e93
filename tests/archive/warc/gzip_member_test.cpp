#include "archive/warc/gzip_member.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/random.h"

namespace weft::archive {
namespace {

// What zlib reads from the one member that `packed` is.
std::string unpack(std::string_view packed, std::size_t size) {
    std::string out(size + 1, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0u);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

std::string noise(std::size_t size) {
    Random random(3);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() & 0x1F);
    return bytes;
}

TEST(GzipPacker, OneMemberHoldsAllPieces) {
    GzipPacker packer;
    std::string out = "before";

    packer.append_member(std::vector<std::string_view>{"head\r\n\r\n", "", "body"}, out);

    EXPECT_EQ(out.substr(0, 6), "before");
    EXPECT_EQ(unpack(out.substr(6), 12), "head\r\n\r\nbody");
}

TEST(GzipPacker, SmallAndLargeRecordsReadBackTheSameAtEveryLevel) {
    for (int level = GzipPacker::kFastLevel; level <= GzipPacker::kLevelMax; ++level) {
        GzipPacker packer(level);
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{1}, GzipPacker::kShortBytesMax - 5,
              GzipPacker::kShortBytesMax - 4, GzipPacker::kSingleShotBytesMax - 5,
              GzipPacker::kSingleShotBytesMax - 4, std::size_t{2'000'000}}) {
            const std::string body = noise(size);
            std::string out;
            packer.append_member(std::vector<std::string_view>{"head", body}, out);
            EXPECT_EQ(unpack(out, body.size() + 4), "head" + body) << size << " at " << level;
        }
    }
}

TEST(GzipPacker, AShortRecordOfAnyBytesReadsBackTheSame) {
    GzipPacker packer;
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    for (std::string body : {all, std::string(GzipPacker::kShortBytesMax, '\xF7')}) {
        while (body.size() < GzipPacker::kShortBytesMax) body += all.substr(body.size() / 256, 200);
        body.resize(GzipPacker::kShortBytesMax);
        std::string out;
        packer.append_member(std::vector<std::string_view>{body}, out);
        EXPECT_EQ(unpack(out, body.size()), body);
    }
}

TEST(GzipPacker, AShortRecordDoesNotDependOnThoseBefore) {
    GzipPacker used;
    std::string before;
    used.append_member(std::vector<std::string_view>{noise(800)}, before);
    std::string once;
    std::string twice;

    used.append_member(std::vector<std::string_view>{"WARC/1.1\r\nWARC-Type: request"}, once);
    GzipPacker().append_member(std::vector<std::string_view>{"WARC/1.1\r\nWARC-Type: request"},
                               twice);

    EXPECT_EQ(once, twice);
}

TEST(GzipPacker, TheSameBytesGiveTheSameMember) {
    std::string once;
    std::string twice;

    GzipPacker().append_member(std::vector<std::string_view>{noise(5'000)}, once);
    GzipPacker().append_member(std::vector<std::string_view>{noise(5'000)}, twice);

    EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace weft::archive
