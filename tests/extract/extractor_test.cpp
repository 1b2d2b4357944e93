#include "extract/extractor.h"

#include <string>

#include <gtest/gtest.h>

namespace weft::extract {
namespace {

const std::string kText = "<p>" + std::string(300, 'a') + " <a href=b>b</a></p>";

TEST(Extractor, GivesMarkdownWithAbsoluteLinks) {
    Extractor extractor({.text = TextForm::markdown});
    const Extract& page =
        extractor.read({.html = "<h1>Title</h1>" + kText, .url = "https://example.com/dir/page"});

    EXPECT_TRUE(page.text.contains("[b](https://example.com/dir/b)")) << page.text;
}

TEST(Extractor, GivesTheWholePageIfWished) {
    Extractor extractor({.whole_page = true});
    EXPECT_TRUE(extractor.read({.html = "<nav>menu</nav>" + kText}).text.starts_with("menu\n"));
}

TEST(Extractor, GivesFieldsAloneIfWished) {
    Extractor extractor({.text = TextForm::none});
    const Extract& page = extractor.read({.html = "<title>t t t</title>" + kText});

    EXPECT_EQ(page.fields.title, "t t t");
    EXPECT_EQ(page.text, "");
    EXPECT_EQ(page.word_count, 2);
}

TEST(Extractor, DecodesByHeaderAndByMeta) {
    Extractor extractor;
    EXPECT_EQ(extractor.read({.html = "\xE9", .content_type = "text/html; charset=latin1"}).text,
              "é\n");
    EXPECT_EQ(extractor.read({.html = "<meta charset=windows-1251>\xE9"}).text, "й\n");
    EXPECT_EQ(extractor.read({.html = "é", .content_type = "text/html; charset=utf-8"}).text,
              "é\n");
}

TEST(Extractor, APageDependsOnNoOtherPage) {
    Extractor one;
    one.read({.html = "<title>first</title>" + kText});
    const Extract& page = one.read({.html = "<p>x"});

    EXPECT_EQ(page.fields.title, "");
    EXPECT_EQ(page.text, "x\n");
}

TEST(Extractor, AnyBytesAreAPage) {
    Extractor extractor({.text = TextForm::markdown});
    for (const std::string html : {"", "\xFF\xFE", "<", "<body", "<frameset><frame>", "<svg><p>"})
        extractor.read({.html = html, .url = "no url"});
    EXPECT_EQ(extractor.read({.html = ""}).text, "");
}

TEST(Extractor, SaysThatAPageNeedsScripts) {
    const std::string script = "<script>1</script><p>";
    Extractor extractor;

    EXPECT_TRUE(
        extractor.read({.html = script + std::string(kNeedsScriptCharsMax - 1, 'a')}).needs_script);
    EXPECT_FALSE(
        extractor.read({.html = script + std::string(kNeedsScriptCharsMax, 'a')}).needs_script);
    EXPECT_FALSE(extractor.read({.html = "<p>a"}).needs_script);
}

TEST(Extractor, CutsTheTextAtItsBound) {
    Extractor extractor({.detects_language = false});
    const Extract& whole = extractor.read({.html = "<p>" + std::string(kTextBytesMax - 1, 'a')});
    EXPECT_EQ(whole.text.size(), kTextBytesMax);  // With the line feed.
    EXPECT_FALSE(whole.is_cut);

    // A character is not cut in two.
    const Extract& cut = extractor.read({.html = "<p>" + std::string(kTextBytesMax - 1, 'a') + "é",
                                         .content_type = "text/html; charset=utf-8"});
    EXPECT_EQ(cut.text.size(), kTextBytesMax - 1);
    EXPECT_TRUE(cut.is_cut);
}

TEST(Extractor, HostileShapesEnd) {
    Extractor extractor;
    std::string deep, wide, words;
    for (int i = 0; i < 50'000; ++i) {
        deep += "<aside class=comment>";
        wide += "<article class='entry-content sidebar'>" + std::to_string(i);
        words += "<p class='" + std::string(50, 'a') + " nav sidebar reply'>x</p><h1>";
    }
    for (const std::string& html : {deep + kText, wide, words})
        EXPECT_LE(extractor.read({.html = html}).text.size(), kTextBytesMax);
    extractor.read({.html = "<p>x"});
    EXPECT_LE(extractor.memory_bytes(), kExtractorBytesMax);
}

}  // namespace
}  // namespace weft::extract
