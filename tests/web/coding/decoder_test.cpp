#include "web/coding/decoder.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/units.h"
#include "support/packing.h"

namespace weft::web {
namespace {

using tests::gzip;
using tests::raw_deflate;
using tests::zlib;

Codings codings(std::string_view list) {
    return parse_codings(list).value();
}

std::string noise(std::size_t bytes) {
    Random random(1);
    std::string text(bytes, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
}

}  // namespace

TEST(Codings, ReadListsInAnyCaseWithAliases) {
    EXPECT_EQ(codings("GZIP").list[0], Coding::gzip);
    EXPECT_EQ(codings(" x-gzip ").list[0], Coding::gzip);
    EXPECT_EQ(codings("identity, br").list[0], Coding::brotli);
    EXPECT_EQ(codings("deflate,zstd").count, 2u);
    EXPECT_TRUE(codings("").empty());
    EXPECT_TRUE(codings("none").empty());
    EXPECT_TRUE(codings("identity,,identity").empty());
}

TEST(Codings, UnknownOnesAreNamedSo) {
    EXPECT_EQ(parse_codings("compress").error(), DecodeError::unknown_coding);
    EXPECT_EQ(parse_codings("gzip;q=1").error(), DecodeError::unknown_coding);
    EXPECT_EQ(parse_codings("utf-8").error(), DecodeError::unknown_coding);
}

TEST(Codings, MoreThanTwoAreRefusedH42) {
    EXPECT_EQ(codings("gzip, gzip").count, 2u);
    EXPECT_EQ(parse_codings("gzip, gzip, gzip").error(), DecodeError::too_many_codings);
}

TEST(Decoder, GzipMembersAreJoinedH43) {
    const std::string body = gzip("hello ") + gzip("") + gzip("world");

    const Decoded decoded = decode(body, codings("gzip"));

    EXPECT_EQ(decoded.bytes, "hello world");
    EXPECT_FALSE(decoded.error);
}

TEST(Decoder, DeflateComesWrappedOrBareH43) {
    EXPECT_EQ(decode(zlib("zlib"), codings("deflate")).bytes, "zlib");
    EXPECT_EQ(decode(raw_deflate("bare"), codings("deflate")).bytes, "bare");
    EXPECT_FALSE(decode(raw_deflate("bare"), codings("deflate")).error);
}

TEST(Decoder, EveryCutOfGzipGivesTheSameH43) {
    const std::string text = noise(300) + std::string(2'000, 'a');
    const std::string body = gzip(text);
    for (std::size_t cut = 0; cut <= body.size(); ++cut) {
        Decoder decoder(codings("gzip"));
        std::string out;
        std::string scratch(100, '\0');
        const auto sink = [&](std::string_view piece) { out += piece; };
        ASSERT_TRUE(decoder.feed(body.substr(0, cut), scratch, sink));
        ASSERT_TRUE(decoder.feed(body.substr(cut), scratch, sink));
        ASSERT_TRUE(decoder.finish());
        ASSERT_EQ(out, text);
    }
}

TEST(Decoder, EveryShortenedGzipIsTruncatedH43) {
    const std::string body = gzip("a stream cut short is never a success");
    for (std::size_t length = 1; length < body.size(); ++length) {
        ASSERT_EQ(decode(body.substr(0, length), codings("gzip")).error, DecodeError::truncated);
    }
    EXPECT_FALSE(decode("", codings("gzip")).error) << "nothing at all is an empty body";
}

TEST(Decoder, WrongChecksumAndLengthAreCorruptH43) {
    std::string body = gzip("checked");
    body[body.size() - 8] ^= 1;
    EXPECT_EQ(decode(body, codings("gzip")).error, DecodeError::corrupt);

    body = gzip("checked");
    body[body.size() - 1] ^= 1;
    EXPECT_EQ(decode(body, codings("gzip")).error, DecodeError::corrupt);
    EXPECT_EQ(decode(body, codings("gzip")).bytes, "checked");
}

TEST(Decoder, BytesBehindTheEndAreTrailingDataH43) {
    for (std::string_view junk : {"x", "\x1f", "\x1fx", "\r\n"}) {
        const Decoded decoded = decode(gzip("body") + std::string(junk), codings("gzip"));
        EXPECT_EQ(decoded.bytes, "body");
        EXPECT_EQ(decoded.error, DecodeError::trailing_data);
    }
    EXPECT_EQ(decode(zlib("b") + "x", codings("deflate")).error, DecodeError::trailing_data);
    EXPECT_EQ(decode(raw_deflate("b") + "x", codings("deflate")).error, DecodeError::trailing_data);
}

TEST(Decoder, TheBoundIsExactH41) {
    const std::string body = gzip(std::string(1'000, 'x'));

    const Decoded at_bound = decode(body, codings("gzip"), {.decoded_bytes_max = 1'000});
    const Decoded past_bound = decode(body, codings("gzip"), {.decoded_bytes_max = 999});

    EXPECT_FALSE(at_bound.error);
    EXPECT_EQ(at_bound.bytes.size(), 1'000u);
    EXPECT_EQ(past_bound.error, DecodeError::too_large);
    EXPECT_EQ(past_bound.bytes.size(), 999u);
}

TEST(Decoder, ABombStopsAtTheBoundInSmallStepsH41) {
    std::string body = gzip(std::string(64_MiB, '\0'));
    Decoder decoder(codings("gzip"), {.decoded_bytes_max = 1_MiB});
    std::string scratch(1_MiB, '\0');
    std::string_view input = body;
    std::uint64_t total = 0;

    std::expected<Decoder::Step, DecodeError> step;
    while ((step = decoder.next(input, scratch))) {
        ASSERT_LE(step->produced, limits::kDecodeStepBytes);
        ASSERT_FALSE(step->is_hungry);
        total += step->produced;
        input.remove_prefix(step->consumed);
    }

    EXPECT_EQ(step.error(), DecodeError::too_large);
    EXPECT_EQ(total, 1_MiB);
    EXPECT_EQ(decoder.next(input, scratch).error(), DecodeError::too_large);
    EXPECT_EQ(decoder.finish().error(), DecodeError::too_large);
}

TEST(Decoder, TwoCodingsAreUndoneInReverseOrderH42) {
    const std::string text = noise(50'000) + std::string(300'000, 'z');
    const std::string body = gzip(zlib(text));

    const Decoded decoded = decode(body, codings("deflate, gzip"));

    EXPECT_FALSE(decoded.error);
    EXPECT_EQ(decoded.bytes, text);
}

TEST(Decoder, ABombInsideABombStopsInTheMiddleToo) {
    const std::string bomb = gzip(gzip(std::string(20_MiB, '\0')));
    const Decoded decoded = decode(bomb, codings("gzip, gzip"), {.decoded_bytes_max = 100'000});
    EXPECT_EQ(decoded.error, DecodeError::too_large);
    EXPECT_EQ(decoded.bytes.size(), 100'000u);

    // Empty members for ever: nothing comes out, and yet it ends.
    std::string members;
    for (int i = 0; i < 20'000; ++i) members += gzip("");
    EXPECT_EQ(decode(gzip(members), codings("gzip, gzip"), {.decoded_bytes_max = 100'000}).error,
              DecodeError::too_large);
}

TEST(Decoder, AFaultOfTheFirstStageComesAfterAllBytesBeforeIt) {
    const std::string text = noise(200'000);
    const Decoded decoded = decode(gzip(gzip(text)) + "junk", codings("gzip, gzip"));

    EXPECT_EQ(decoded.error, DecodeError::trailing_data);
    EXPECT_EQ(decoded.bytes, text);
}

// A fault of the second stage in the last bytes was lost behind the truncation of the first.
TEST(Decoder, TheFaultThatComesFirstIsTold) {
    const std::string inner = raw_deflate(std::string(100, 'x'));
    std::string outer = raw_deflate(inner.substr(0, inner.size() - 1) + "\xff\xff\xff");
    outer.pop_back();

    const Decoded whole = decode(outer, codings("deflate, deflate"));
    Decoder decoder(codings("deflate, deflate"));
    std::string scratch(1, '\0');
    std::expected<void, DecodeError> in_bytes;
    for (const char& c : outer) {
        if (in_bytes) in_bytes = decoder.feed({&c, 1}, scratch, [](std::string_view) {});
    }
    if (in_bytes) in_bytes = decoder.finish();

    EXPECT_EQ(whole.error, in_bytes.error());
}

TEST(Decoder, PlainBodyUnderAGzipHeaderIsFlaggedH44) {
    const std::string html = "<!doctype html><p>not compressed at all";

    const Decoded decoded = decode(html, codings("gzip"), {.allow_plain = true});
    EXPECT_EQ(decoded.bytes, html);
    EXPECT_FALSE(decoded.error);
    EXPECT_TRUE(decoded.was_plain);

    EXPECT_EQ(decode(html, codings("gzip")).error, DecodeError::corrupt);
    EXPECT_FALSE(decode(gzip(html), codings("gzip"), {.allow_plain = true}).was_plain);
}

TEST(Decoder, PlainBodyMayStartLikeTheMagicNumberH44) {
    const std::string body = "\x1fhello";
    for (std::size_t cut = 0; cut <= body.size(); ++cut) {
        Decoder decoder(codings("gzip"), {.allow_plain = true});
        std::string out;
        std::string scratch(1, '\0');
        const auto sink = [&](std::string_view piece) { out += piece; };
        ASSERT_TRUE(decoder.feed(body.substr(0, cut), scratch, sink));
        ASSERT_TRUE(decoder.feed(body.substr(cut), scratch, sink));
        EXPECT_TRUE(decoder.finish());
        EXPECT_EQ(out, body);
    }
}

TEST(Decoder, TheSameHeaderTwiceOverOneCodingIsFlaggedH44) {
    const Decoded decoded = decode(gzip("once"), codings("gzip, gzip"), {.allow_plain = true});
    EXPECT_EQ(decoded.bytes, "once");
    EXPECT_TRUE(decoded.was_plain);
}

TEST(Decoder, WithoutCodingsBytesPassUnderTheBound) {
    EXPECT_EQ(decode("abc", {}).bytes, "abc");
    EXPECT_EQ(decode("abc", {}, {.decoded_bytes_max = 2}).bytes, "ab");
    EXPECT_EQ(decode("abc", {}, {.decoded_bytes_max = 2}).error, DecodeError::too_large);
    EXPECT_FALSE(decode("abc", {}, {.decoded_bytes_max = 3}).error);
}

}  // namespace weft::web
