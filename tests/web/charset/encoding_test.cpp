#include "web/charset/encoding.h"

#include <gtest/gtest.h>

namespace weft::web {

TEST(Encoding, LabelsIgnoreCaseAndSurroundingWhiteSpace) {
    EXPECT_EQ(encoding_for_label("utf-8"), Encoding::utf_8);
    EXPECT_EQ(encoding_for_label("\t\n\f\r Unicode-1-1-UTF-8 "), Encoding::utf_8);
    EXPECT_EQ(encoding_for_label("csISOLatin1"), Encoding::windows_1252);
    EXPECT_EQ(encoding_for_label("SJIS"), Encoding::shift_jis);
}

TEST(Encoding, OnlyAsciiIsLowered) {
    EXPECT_EQ(encoding_for_label("\xE2\x84\xAAoi8-r"), std::nullopt);  // KELVIN SIGN.
    EXPECT_EQ(encoding_for_label(std::string_view("utf-8\0", 6)), std::nullopt);
    EXPECT_EQ(encoding_for_label("\vutf-8"), std::nullopt);
}

TEST(Encoding, H45Utf7AndOtherUnknownLabelsNameNothing) {
    for (const std::string_view label :
         {"", "utf-7", "UTF7", "unicode-1-1-utf-7", "utf-32", "ucs-4", "cesu-8", "ebcdic-us",
          "x-utf-8", "utf-8,", "none"}) {
        EXPECT_EQ(encoding_for_label(label), std::nullopt) << label;
    }
}

TEST(Encoding, H45AMegabyteOfLabelNamesNothing) {
    EXPECT_EQ(encoding_for_label(std::string(1 << 20, 'u')), std::nullopt);
    EXPECT_EQ(encoding_for_label("utf-8" + std::string(1 << 20, '8')), std::nullopt);
    EXPECT_EQ(encoding_for_label(std::string(1 << 20, ' ') + "utf-8"), Encoding::utf_8);
}

TEST(Encoding, LabelsOfDangerousEncodingsMeanReplacement) {
    for (const std::string_view label :
         {"iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "csiso2022kr"}) {
        EXPECT_EQ(encoding_for_label(label), Encoding::replacement) << label;
    }
}

TEST(Encoding, EveryNameIsALabelOfItsEncoding) {
    for (int i = 0; i < kEncodingCount; ++i) {
        const auto encoding = static_cast<Encoding>(i);
        EXPECT_EQ(encoding_for_label(name(encoding)), encoding) << name(encoding);
    }
}

TEST(Encoding, OutputIsUtf8WhereThereIsNoEncoder) {
    EXPECT_EQ(output_encoding(Encoding::utf_16le), Encoding::utf_8);
    EXPECT_EQ(output_encoding(Encoding::replacement), Encoding::utf_8);
    EXPECT_EQ(output_encoding(Encoding::big5), Encoding::big5);
}

}  // namespace weft::web
