#include "extract/fields/language.h"

#include <string>

#include <gtest/gtest.h>

#include "extract/fields/language_codes.h"

namespace weft::extract {
namespace {

const std::string kEnglish =
    "The weaver sat down at the loom and began to work, as she had done on every day of her life. ";
const std::string kGerman =
    "Die Weberin setzte sich an den Webstuhl und begann zu arbeiten, wie an jedem Tag ihres "
    "Lebens. ";

TEST(Language, LanguagesAreIso6393Codes) {
    EXPECT_EQ(detect_languages(kEnglish + kEnglish), std::vector<std::string>{"eng"});
    EXPECT_EQ(detect_languages(kGerman + kGerman + kGerman + kEnglish + kEnglish),
              (std::vector<std::string>{"deu", "eng"}));
    EXPECT_TRUE(detect_languages("").empty());
    EXPECT_TRUE(detect_languages("123 456").empty());
}

TEST(Language, CodesAreTranslated) {
    EXPECT_EQ(iso_639_3("en"), "eng");
    EXPECT_EQ(iso_639_3("iw"), "heb");
    EXPECT_EQ(iso_639_3("zh-Hant"), "zho");
    EXPECT_EQ(iso_639_3("zu"), "zul");
    EXPECT_EQ(iso_639_3("aa"), "aar");
    EXPECT_EQ(iso_639_3("xx-Zyyy"), "");
    EXPECT_EQ(iso_639_3(""), "");
}

}  // namespace
}  // namespace weft::extract
