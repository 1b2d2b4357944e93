#include "web/markup/html_reference.h"

#include <string_view>

namespace weft::web {
namespace {

std::string decoded(std::string_view raw) {
    std::string scratch;
    return std::string(decode_attribute(raw, scratch));
}

TEST(HtmlReference, AnAttributeWithoutReferencesIsNotCopied) {
    const std::string_view raw = "/plain?a=b";
    std::string scratch;

    EXPECT_EQ(decode_attribute(raw, scratch).data(), raw.data());
}

TEST(HtmlReference, NamesWithoutSemicolonRunningOnAreNoReferencesInAttributes) {
    EXPECT_EQ(decoded("?a&copy=1&copyx&copy;&copy"), "?a&copy=1&copyx\xC2\xA9\xC2\xA9");
    EXPECT_EQ(decoded("&notit;&notin;&not "), "&notit;\xE2\x88\x89\xC2\xAC ");
}

TEST(HtmlReference, H64NumbersOutOfRangeAreReplaced) {
    EXPECT_EQ(decoded("&#x110000;&#0;&#xD800;&#99999999999999999999;"),
              "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(decoded("&#x80;&#150&#x1F600;"), "\xE2\x82\xAC\xE2\x80\x93\xF0\x9F\x98\x80");
    EXPECT_EQ(decoded("&#;&#x;&#xg;&"), "&#;&#x;&#xg;&");
}

TEST(HtmlReference, TheLongestNameAndTwoCharacterNamesAreKnown) {
    EXPECT_EQ(decoded("&CounterClockwiseContourIntegral;"), "\xE2\x88\xB3");
    EXPECT_EQ(decoded("&nGt;"), "\xE2\x89\xAB\xE2\x83\x92");
}

}  // namespace
}  // namespace weft::web
