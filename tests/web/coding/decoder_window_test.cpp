// What brotli and zstd may ask for: memory, output, frames.
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/units.h"
#include "support/packing.h"
#include "web/coding/decoder.h"

namespace weft::web {
namespace {

constexpr Codings kZstd{.list = {Coding::zstd}, .count = 1};
constexpr Codings kBrotli{.list = {Coding::brotli}, .count = 1};

using tests::brotli;
using tests::zstd;

std::string letters(std::size_t bytes) {
    Random random(3);
    std::string text(bytes, '\0');
    for (char& c : text) c = static_cast<char>('a' + random.below(20));
    return text;
}

}  // namespace

TEST(Decoder, ZstdWindowsEndAtEightMiBH41) {
    const std::string text = letters(100'000);

    EXPECT_EQ(decode(zstd(text, 23), kZstd).bytes, text);
    EXPECT_FALSE(decode(zstd(text, 23), kZstd).error);
    EXPECT_EQ(decode(zstd(text, 24), kZstd).error, DecodeError::window_too_large);
    EXPECT_EQ(decode(zstd(text, 31), kZstd).error, DecodeError::window_too_large);
}

// A frame in one segment states no window: its content is the window (RFC 8878, 3.1.1.1.2), and the
// bound of RFC 9659 holds for it. So does Chromium.
TEST(Decoder, ZstdFramesInOneSegmentHaveTheSameBoundH41) {
    const std::string_view head("\x28\xb5\x2f\xfd\xa0", 5);  // One segment, four bytes of size.
    const std::string bound = std::string(head) + std::string("\x00\x00\x80\x00", 4);
    const std::string beyond = std::string(head) + std::string("\x01\x00\x80\x00", 4);
    EXPECT_EQ(decode(bound, kZstd).error, DecodeError::truncated);
    EXPECT_EQ(decode(beyond, kZstd).error, DecodeError::window_too_large);
}

// 8 MiB and an eighth: the least window beyond the bound that a frame can state.
TEST(Decoder, ZstdWindowsEndAtTheirVeryBoundH41) {
    const auto with_window = [](char descriptor) {
        std::string frame("\x28\xb5\x2f\xfd\x00", 5);
        frame += descriptor;
        return frame + std::string("\x19\x00\x00hey", 6);
    };
    EXPECT_EQ(decode(with_window('\x68'), kZstd).bytes, "hey");
    EXPECT_EQ(decode(with_window('\x69'), kZstd).error, DecodeError::window_too_large);
}

// A small frame given whole would be decoded by a short cut of zstd that ignores the window.
TEST(Decoder, ZstdWindowIsCheckedOnSmallFramesTooH41) {
    const std::string frame("\x28\xb5\x2f\xfd\x40\xa8\x01\x00\x19\x00\x00hey", 14);
    EXPECT_EQ(decode(frame, kZstd).error, DecodeError::window_too_large);
}

TEST(Decoder, BrotliLargeWindowsAreRefusedH41) {
    const std::string text = letters(100'000);

    EXPECT_EQ(decode(brotli(text, 24), kBrotli).bytes, text);
    EXPECT_EQ(decode(brotli(text, 25), kBrotli).error, DecodeError::corrupt);
    EXPECT_EQ(decode(brotli(text, 30), kBrotli).error, DecodeError::corrupt);
}

TEST(Decoder, BombsOfEveryCodingStopAtTheBoundH41) {
    const std::string zeros(32_MiB, '\0');
    for (const Codings& codings : {kZstd, kBrotli}) {
        const std::string bomb = codings.list[0] == Coding::zstd ? zstd(zeros) : brotli(zeros);
        ASSERT_LT(bomb.size(), 10_KiB);
        const Decoded decoded = decode(bomb, codings, {.decoded_bytes_max = 1_MiB});
        EXPECT_EQ(decoded.error, DecodeError::too_large);
        EXPECT_EQ(decoded.bytes.size(), 1_MiB);
    }
}

TEST(Decoder, ZstdFramesAreJoinedAndSkippableOnesSkippedH43) {
    const std::string skippable("\x5e\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    const Decoded decoded = decode(skippable + zstd("hello ") + skippable + zstd("world"), kZstd);

    EXPECT_EQ(decoded.bytes, "hello world");
    EXPECT_FALSE(decoded.error);
}

TEST(Decoder, EveryShortenedStreamIsTruncatedH43) {
    const std::string text = letters(300);
    for (const Codings& codings : {kZstd, kBrotli}) {
        const std::string body = codings.list[0] == Coding::zstd ? zstd(text) : brotli(text);
        for (std::size_t length = 1; length < body.size(); ++length) {
            ASSERT_EQ(decode(body.substr(0, length), codings).error, DecodeError::truncated);
        }
        EXPECT_EQ(decode(body + "\x28", codings).error, DecodeError::trailing_data);
        EXPECT_EQ(decode(body + "x", codings).bytes, text);
    }
}

TEST(Decoder, PlainBodyUnderAZstdHeaderIsFlaggedH44) {
    const Decoded decoded = decode("(plain", kZstd, {.allow_plain = true});
    EXPECT_EQ(decoded.bytes, "(plain");
    EXPECT_TRUE(decoded.was_plain);
}

TEST(Decoder, DifferentCodingsChainH42) {
    const std::string text = letters(200'000);
    const Codings codings{.list = {Coding::brotli, Coding::zstd}, .count = 2};
    EXPECT_EQ(decode(zstd(brotli(text)), codings).bytes, text);
}

}  // namespace weft::web
