#include "web/charset/encode_text.h"

#include <utility>

#include <gtest/gtest.h>

#include "web/charset/decode_text.h"
#include "web/url/page_query_encoder.h"
#include "web/url/url_query.h"

namespace weft::web {

namespace {

std::string utf8_of(char32_t c) {
    std::string units;
    const auto put = [&](char32_t unit) {
        units += static_cast<char>(unit >> 8);
        units += static_cast<char>(unit);
    };
    if (c >= 0x10000) put(0xD800 + ((c - 0x10000) >> 10));
    put(c < 0x10000 ? c : 0xDC00 + ((c - 0x10000) & 0x3FF));
    std::string text;
    TextDecoder decoder(Encoding::utf_16be, {.keep_byte_order_mark = true});
    decoder.feed(units, text);
    return text;
}

// The Basic Multilingual Plane, and samples of the others.
std::vector<std::string> characters() {
    std::vector<std::string> all;
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x10000 ? 1 : 0x101) {
        if (c < 0xD800 || c > 0xDFFF) all.push_back(utf8_of(c));
    }
    return all;
}

}  // namespace

TEST(EncodeText, WritesTheLegacyEncodings) {
    EXPECT_EQ(encode_text(Encoding::windows_1252, "café €"), "caf\xE9 \x80");
    EXPECT_EQ(encode_text(Encoding::shift_jis, "日本 ｶﾅ¥‾"), "\x93\xFA\x96\x7B \xB6\xC5\\~");
    EXPECT_EQ(encode_text(Encoding::euc_jp, "日本ｶ−"), "\xC6\xFC\xCB\xDC\x8E\xB6\xA1\xDD");
    EXPECT_EQ(encode_text(Encoding::gb18030, "中€𠀀"), "\xD6\xD0\xA2\xE3\x95\x32\x82\x36");
    EXPECT_EQ(encode_text(Encoding::gbk, "中€𠀀"), "\xD6\xD0\x80&#131072;");
    EXPECT_EQ(encode_text(Encoding::big5, "中十"), "\xA4\xA4\xA4\x51");
    EXPECT_EQ(encode_text(Encoding::euc_kr, "한글"), "\xC7\xD1\xB1\xDB");
    EXPECT_EQ(encode_text(Encoding::x_user_defined, "a\uF7FF"), "a\xFF");
}

TEST(EncodeText, MissingCharactersBecomeReferences) {
    EXPECT_EQ(encode_text(Encoding::windows_1252, "a☃b💩"), "a&#9731;b&#128169;");
    EXPECT_EQ(encode_text(Encoding::utf_8, "a☃"), "a☃");
}

TEST(EncodeText, Utf16AndReplacementPagesEncodeToUtf8) {
    EXPECT_EQ(encode_text(Encoding::utf_16le, "é"), "é");
    EXPECT_EQ(encode_text(Encoding::replacement, "é"), "é");
}

TEST(EncodeText, H46MalformedTextCountsAsReplacementCharacters) {
    EXPECT_EQ(encode_text(Encoding::utf_8, "a\xFF\xE2\x82"), "a��");
    EXPECT_EQ(encode_text(Encoding::windows_1252, "a\xFF"), "a&#65533;");
    EXPECT_EQ(encode_text(Encoding::windows_1252, "a\xE2\x82"), "a&#65533;");
}

TEST(EncodeText, Iso2022JpSwitchesSetsAndEndsInAscii) {
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "a日本b"), "a\x1B$BF|K\\\x1B(Bb");
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "¥a~"), "\x1B(J\\a\x1B(B~");
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "日¥"), "\x1B$BF|\x1B(J\\\x1B(B");
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "日☃"), "\x1B$BF|\x1B(B&#9731;");
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "¥☃"), "\x1B(J\\&#9731;\x1B(B");
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "ｶ"), "\x1B$B%+\x1B(B");
}

TEST(EncodeText, Iso2022JpNeverWritesAnEscapeOfTheText) {
    EXPECT_EQ(encode_text(Encoding::iso_2022_jp, "\x1B(J\x0E\x0F"), "&#65533;(J&#65533;&#65533;");
}

// What an encoder writes its decoder reads, but for what the standard makes one-way.
TEST(EncodeText, EveryCharacterThatIsEncodedIsReadBack) {
    const std::vector<std::string> all = characters();
    // From the last single-byte encoding on; the others are alike.
    for (int i = std::to_underlying(Encoding::x_mac_cyrillic); i < kEncodingCount; ++i) {
        const auto encoding = static_cast<Encoding>(i);
        int lost_count = 0;
        for (const std::string& character : all) {
            std::string_view rest = character;
            std::string bytes;
            TextEncoder encoder(encoding);
            if (encoder.encode(rest, bytes)) continue;
            encoder.finish(bytes);
            lost_count += decode_text(output_encoding(encoding), bytes) != character;
        }
        const bool is_japanese = encoding == Encoding::euc_jp || encoding == Encoding::shift_jis;
        const bool is_chinese = encoding == Encoding::gbk || encoding == Encoding::gb18030;
        const bool is_stateful = encoding == Encoding::iso_2022_jp;
        // Yen, overline and minus; halfwidth katakana and minus; private use; a byte order mark.
        const int one_way = is_japanese ? 3 : is_stateful ? 64 : is_chinese ? 18 : 0;
        const bool drops_mark = output_encoding(encoding) == Encoding::utf_8;
        EXPECT_EQ(lost_count, drops_mark ? 1 : one_way) << name(encoding);
    }
}

TEST(PageQueryEncoder, OnlyTheBytesOfTheStandardAreEscaped) {
    const auto query = [](Encoding encoding, std::string_view text) {
        const PageQueryEncoder encoder(encoding);
        return detail::encode_query(text, detail::Scheme::https, &encoder);
    };
    EXPECT_EQ(query(Encoding::windows_1252, "a é/☃"), "a%20%E9/%26%239731%3B");
    EXPECT_EQ(query(Encoding::utf_8, "a é"), "a%20%C3%A9");
    EXPECT_EQ(query(Encoding::shift_jis, "表"), "%95\\");
}

}  // namespace weft::web
