#include "web/host/idna.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "web/host/punycode.h"
#include "web/host/unicode.h"
#include "web/url/url.h"

namespace weft::web {
namespace {

std::string ascii(std::string_view domain) {
    return domain_to_ascii(domain).value_or("invalid");
}

TEST(Idna, H67SharpSIsALetterOfItsOwn) {
    EXPECT_EQ(ascii("faß.de"), "xn--fa-hia.de");
    EXPECT_EQ(ascii("FAẞ.de"), "xn--fa-hia.de");
}

TEST(Idna, H67DotsOfOtherScriptsSeparateLabels) {
    EXPECT_EQ(ascii("日本。jp．x｡y"), "xn--wgv71a.jp.x.y");
}

TEST(Idna, H67MixedScriptsKeepTheirOwnName) {
    EXPECT_EQ(ascii("pаypal.com"), "xn--pypal-4ve.com");  // With a Cyrillic a.
    EXPECT_EQ(ascii("ＥＸＡＭＰＬＥ.com"), "example.com");
}

TEST(Idna, H67BrokenAceLabelsAreInvalidAmongInternationalOnes) {
    EXPECT_EQ(ascii("xn--a.ß"), "invalid");   // Decodes to a control.
    EXPECT_EQ(ascii("xn--a-.ß"), "invalid");  // Nothing international in it.
    EXPECT_EQ(ascii("xn--.ß"), "invalid");    // Nothing in it.
    EXPECT_EQ(ascii("xn--ＦＡ-hia.ß"), "xn--fa-hia.xn--zca");
    EXPECT_EQ(Url::parse("http://xn--a/").value().hostname(), "xn--a");
}

TEST(Idna, H67LongLabelsAreParsedButBounded) {
    std::string label;
    for (std::size_t i = 0; i < limits::kDomainLabelMax; ++i) label += "ü";

    EXPECT_TRUE(domain_to_ascii(label).has_value());
    EXPECT_FALSE(domain_to_ascii(label + "ü").has_value());
}

TEST(Idna, LabelsMustNotStartWithAMark) {
    EXPECT_EQ(ascii("\u0308a"), "invalid");
    EXPECT_EQ(ascii("a\u0308"), "xn--4ca");
}

TEST(Idna, JoinersStandOnlyWhereScriptsNeedThem) {
    EXPECT_EQ(ascii("a\u200Cb"), "invalid");
    EXPECT_EQ(ascii("क्\u200Dष"), "xn--11b2ezcw70k");
    EXPECT_EQ(ascii("نامه\u200Cای"), "xn--mgba3gch31f060k");
}

TEST(Idna, RightToLeftLabelsDoNotMixDirections) {
    EXPECT_EQ(ascii("אב.com"), "xn--4dbc.com");
    EXPECT_EQ(ascii("אa.com"), "invalid");
    EXPECT_EQ(ascii("א.1x"), "invalid");  // A neighbour that starts with a digit.
}

TEST(Idna, TextMustBeUtf8) {
    EXPECT_EQ(ascii("\xE9"), "invalid");
    EXPECT_EQ(ascii("\xED\xA0\x80"), "invalid");
}

// The samples of RFC 3492, section 7.1.
TEST(Punycode, EncodesAndDecodesTheSamples) {
    const std::pair<std::u32string_view, std::string_view> samples[] = {
        {U"他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"},
        {U"למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"},
        {U"Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"},
        {U"3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"},
        {U"パフィーdeルンバ", "de-jg4avhby1noc0d"},
        {U"-> $1.00 <-", "-> $1.00 <--"},
    };
    for (const auto& [text, code] : samples) {
        EXPECT_EQ(punycode_encode(text), code);
        EXPECT_EQ(punycode_decode(code), text);
    }
}

TEST(Punycode, RefusesWhatIsNoCode) {
    EXPECT_EQ(punycode_decode("99999999"), std::nullopt);  // Past the last code point.
    EXPECT_EQ(punycode_decode("a-b_c"), std::nullopt);
    EXPECT_EQ(punycode_decode("-tda"), std::nullopt);
    EXPECT_EQ(punycode_decode("zz"), std::nullopt);  // Ends inside a number.
    EXPECT_EQ(punycode_decode(std::string(limits::kDomainLabelMax + 1, 'a')), std::nullopt);
}

TEST(Nfc, ComposesAndReorders) {
    EXPECT_EQ(to_nfc(U"a\u0308"), U"ä");
    EXPECT_EQ(to_nfc(U"a\u0307\u0323"), U"\u1EA1\u0307");
    EXPECT_EQ(to_nfc(U"\u1100\u1161\u11A8"), U"각");
    EXPECT_EQ(to_nfc(U"\u0958"), U"\u0915\u093C");  // Excluded from composition.
    EXPECT_EQ(to_nfc(U"\u212B"), U"\u00C5");
}

TEST(Nfc, ManyMarksTakeNoQuadraticTime) {
    std::u32string text = U"a";
    for (int i = 0; i < 50'000; ++i) text += i % 2 == 0 ? U'\u0301' : U'\u0316';

    EXPECT_EQ(to_nfc(text).size(), 50'000u);  // One acute composes with the letter.
}

}  // namespace
}  // namespace weft::web
