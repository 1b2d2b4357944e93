#include "web/charset/decode_text.h"

#include <gtest/gtest.h>

#include "web/charset/utf8.h"

namespace weft::web {

namespace {

bool is_utf8(std::string_view text) {
    return detail::valid_utf8_prefix(text) == text.size();
}

std::string decode_in_pieces(Encoding encoding, std::string_view bytes, std::size_t piece_bytes) {
    TextDecoder decoder(encoding);
    std::string text;
    std::string scratch;
    for (std::size_t i = 0; i < bytes.size(); i += piece_bytes) {
        text += decoder.feed_view(bytes.substr(i, piece_bytes), scratch);
    }
    decoder.finish(text);
    return text;
}

}  // namespace

TEST(DecodeText, H46OverlongUtf8AndSurrogatesBecomeReplacements) {
    struct Case {
        std::string_view bytes;
        std::string_view text;
    };
    for (const auto& [bytes, text] : {
             Case{"\xC0\xAF", "��"},                           // An overlong '/'.
             Case{"\xE0\x80\xAF", "���"},                      // And a longer one.
             Case{"\xF0\x80\x80\xAF", "����"},                 // And a longer one.
             Case{"\xED\xA0\x80", "���"},                      // A lone surrogate,
             Case{"\xED\xA0\xBD\xED\xB2\xA9", "������"},       // a pair (CESU-8).
             Case{"\xF4\x90\x80\x80", "����"},                 // Past U+10FFFF.
             Case{"\xF8\x88\x80\x80\x80", "�����"},            // Five bytes.
             Case{"\xFE\xFF", "��"}, Case{"a\xE2\x82", "a�"},  // Cut at the end,
             Case{"\xE2\x82<b>", "�<b>"},                      // or before markup.
             Case{"\xE2\x80\xAEgpj.exe", "\u202Egpj.exe"},     // Text as such is not touched.
         }) {
        EXPECT_EQ(decode_text(Encoding::utf_8, bytes), text);
        EXPECT_EQ(decode_in_pieces(Encoding::utf_8, bytes, 1), text);
    }
}

TEST(DecodeText, H46NoEncodingsTextIsEverInvalidUtf8) {
    for (int i = 0; i < kEncodingCount; ++i) {
        const auto encoding = static_cast<Encoding>(i);
        for (unsigned pair = 0; pair < 0x10000; pair += 7) {
            const char bytes[] = {static_cast<char>(pair >> 8), static_cast<char>(pair), '\xDC',
                                  'x'};
            const std::string text = decode_text(encoding, {bytes, 4});
            ASSERT_TRUE(is_utf8(text)) << name(encoding) << " " << pair;
            ASSERT_EQ(decode_in_pieces(encoding, {bytes, 4}, 1), text)
                << name(encoding) << " " << pair;
        }
    }
}

TEST(DecodeText, H46ACutCharacterDoesNotSwallowMarkup) {
    for (const Encoding encoding : {Encoding::utf_8, Encoding::gbk, Encoding::big5,
                                    Encoding::euc_jp, Encoding::shift_jis, Encoding::euc_kr}) {
        EXPECT_EQ(decode_text(encoding, "<a title=\"\xE0\" href=x>"), "<a title=\"�\" href=x>")
            << name(encoding);
    }
}

TEST(DecodeText, H45TextOfDangerousEncodingsIsOneReplacement) {
    EXPECT_EQ(decode_text(Encoding::replacement, "<script>"), "�");
    EXPECT_EQ(decode_in_pieces(Encoding::replacement, "<script>", 3), "�");
    EXPECT_EQ(decode_text(Encoding::replacement, ""), "");
}

TEST(DecodeText, ReadsTheLegacyEncodings) {
    EXPECT_EQ(decode_text(Encoding::windows_1252, "caf\xE9 \x80"), "café €");
    EXPECT_EQ(decode_text(Encoding::windows_1251, "\xC6\xF3\xEA"), "Жук");
    EXPECT_EQ(decode_text(Encoding::shift_jis, "\x93\xFA\x96\x7B \xB6\xC5"), "日本 ｶﾅ");
    EXPECT_EQ(decode_text(Encoding::euc_jp, "\xC6\xFC\xCB\xDC\x8F\xB0\xA1"), "日本丂");
    EXPECT_EQ(decode_text(Encoding::iso_2022_jp, "\x1B$BF|K\\\x1B(B."), "日本.");
    EXPECT_EQ(decode_text(Encoding::gb18030, "\xD6\xD0\x84\x31\xA4\x37\x95\x32\x82\x36"), "中�𠀀");
    EXPECT_EQ(decode_text(Encoding::big5, "\xA4\xA4\x88\x62\x87\x45"), "中Ê̄𧉧");
    EXPECT_EQ(decode_text(Encoding::euc_kr, "\xC7\xD1\xB1\xDB"), "한글");
    EXPECT_EQ(decode_text(Encoding::utf_16le, std::string_view("a\0\x3D\xD8\xA9\xDC", 6)), "a💩");
    EXPECT_EQ(decode_text(Encoding::x_user_defined, "a\xFF"), "a\uF7FF");
}

// Whatever state a stream ends in, its end says one replacement for what is cut and the next stream
// starts in ASCII (Encoding standard, 12.2.1: at end-of-queue).
TEST(DecodeText, Iso2022JpEndsInAnyState) {
    struct Case {
        std::string_view bytes;
        std::string_view text;
    };
    for (const auto& [bytes, text] : {
             Case{"\x1B$BF|", "日"},                   // In kanji, between two characters,
             Case{"\x1B$BF|K", "日\uFFFD"},            // or in the middle of one.
             Case{"a\x1B", "a\uFFFD"},                 // An escape that is cut at its first byte,
             Case{"a\x1B$", "a\uFFFD$"},               // at its second, which is text,
             Case{"\x1B$BF|\x1B", "日\uFFFD"},         // likewise in kanji,
             Case{"\x1B$BF|\x1B$", "日\uFFFD\uFFFD"},  // where the second is half a character.
             Case{"\x1B$B", ""},                       // A switch without text behind it.
             Case{"\x1B(I6", "ｶ"},                     // Katakana and
             Case{"\x1B(J\\", "¥"},                    // roman text to the end.
         }) {
        for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, bytes.size()}) {
            TextDecoder decoder(Encoding::iso_2022_jp);
            for (int round = 0; round < 2; ++round) {
                std::string out;
                for (std::size_t i = 0; i < bytes.size(); i += piece) {
                    decoder.feed(bytes.substr(i, piece), out);
                }
                decoder.finish(out);
                EXPECT_EQ(out, text) << testing::PrintToString(bytes) << " by " << piece;
            }
        }
    }
}

TEST(DecodeText, ByteOrderMarkIsDroppedOnceAndOnlyAtTheStart) {
    EXPECT_EQ(decode_text(Encoding::utf_8, "\xEF\xBB\xBF\xEF\xBB\xBFx"), "\uFEFFx");
    EXPECT_EQ(decode_in_pieces(Encoding::utf_8, "\xEF\xBB\xBF\xEF\xBB\xBFx", 3), "\uFEFFx");
    EXPECT_EQ(decode_in_pieces(Encoding::utf_8, "\xEF\xBB\xBF\xEF\xBB\xBFx", 2), "\uFEFFx");
    EXPECT_EQ(decode_text(Encoding::utf_16be, "\xFE\xFFxy"), "硹");
    EXPECT_EQ(decode_text(Encoding::gb18030, "\x84\x31\x95\x33x"), "\uFEFFx");

    TextDecoder keeping(Encoding::utf_8, {.keep_byte_order_mark = true});
    std::string scratch;
    EXPECT_EQ(keeping.feed_view("\xEF\xBB\xBFx", scratch), "\uFEFFx");
}

TEST(DecodeText, Utf8IsNotCopied) {
    const std::string_view page = "<p>日本</p>";
    TextDecoder decoder(Encoding::utf_8);
    std::string scratch;

    const std::string_view all = decoder.feed_view(page, scratch);
    const std::string_view front = decoder.feed_view(page.substr(0, 5), scratch);

    EXPECT_EQ(all.data(), page.data());
    EXPECT_EQ(all, page);
    EXPECT_EQ(front.data(), page.data());
    EXPECT_EQ(front, "<p>");
    EXPECT_EQ(decoder.feed_view(page.substr(5), scratch), page.substr(3));
}

TEST(DecodeText, AsciiOfALegacyPageIsNotCopied) {
    const std::string_view page = "<p>plain</p>";
    TextDecoder decoder(Encoding::shift_jis);
    std::string scratch;

    EXPECT_EQ(decoder.feed_view(page, scratch).data(), page.data());
    EXPECT_EQ(decoder.feed_view("\x93", scratch), "");
    EXPECT_EQ(decoder.feed_view("\xFA", scratch), "日");
}

TEST(DecodeText, StrictDecoderFailsUntilFinished) {
    StrictTextDecoder decoder(Encoding::utf_8);
    std::string text;

    EXPECT_TRUE(decoder.feed("ok", text));
    EXPECT_EQ(decoder.feed("\xFF", text).error(), TextError::malformed);
    EXPECT_FALSE(decoder.feed("x", text));
    EXPECT_FALSE(decoder.finish(text));
    EXPECT_TRUE(decoder.feed("again", text));
    EXPECT_EQ(text, "okagain");
    EXPECT_EQ(describe(TextError::malformed), "the bytes are not text of this encoding");
}

TEST(DecodeText, LongInputIsTheSameInAnyPieces) {
    std::string bytes;
    for (int i = 0; i < 20'000; ++i) bytes += "\x93\xFA<b>\x96\x7B\xFF\x81\x39 plain text";
    const std::string text = decode_text(Encoding::shift_jis, bytes);
    for (const std::size_t piece : {1u, 7u, 4096u, 16384u, 16385u}) {
        EXPECT_TRUE(decode_in_pieces(Encoding::shift_jis, bytes, piece) == text) << piece;
    }
}

}  // namespace weft::web
