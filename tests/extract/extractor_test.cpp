#include "extract/extractor.h"

#include <string>

#include <gtest/gtest.h>

#include "extract/rules/rules.h"

namespace weft::extract {
namespace {

const std::string kText = "<p>" + std::string(300, 'a') + " <a href=b>b</a></p>";

TEST(Extractor, GivesMarkdownWithAbsoluteLinks) {
    Extractor extractor({.text = TextForm::markdown});
    const Extract& page =
        extractor.read({.html = "<h1>Title</h1>" + kText, .url = "https://example.com/dir/page"});

    EXPECT_TRUE(page.text.contains("[b](https://example.com/dir/b)")) << page.text;
}

TEST(Extractor, ResolvesAgainstTheBaseOfThePage) {
    Extractor extractor({.text = TextForm::markdown, .lists_links = true});
    const auto link = [&](std::string_view base) {
        const std::string html = std::string(base) + "<link rel=canonical href=c>" + kText;
        const Extract& page = extractor.read({.html = html, .url = "https://example.com/dir/page"});
        EXPECT_TRUE(page.text.contains(page.links.at(0).url)) << page.text;
        EXPECT_EQ(page.fields.canonical + "|",
                  page.links.at(0).url.substr(0, page.links.at(0).url.size() - 1) + "c|");
        return page.links.at(0).url;
    };

    EXPECT_EQ(link("<base href=/other/><base href=/third/>"), "https://example.com/other/b");
    EXPECT_EQ(link("<base target=x><base href=//host/>"), "https://host/b");
    EXPECT_EQ(link("<base href=javascript:1>"), "https://example.com/dir/b");
    EXPECT_EQ(link("<base href='http://['>"), "https://example.com/dir/b");
}

TEST(Extractor, GivesOpenGraphFirstOfEachName) {
    Extractor extractor;
    const Extract& page = extractor.read(
        {.html = "<meta property=og:image content=1><meta property=og:image content=2>"
                 "<meta property=OG:Type content=article><meta property=og: content=x>"});

    ASSERT_EQ(page.og.size(), 2U);
    EXPECT_EQ(page.og[0].name + "=" + page.og[0].text, "image=1");
    EXPECT_EQ(page.og[1].name + "=" + page.og[1].text, "type=article");
}

TEST(Extractor, TheSimhashIsOfTheContentInAnyForm) {
    const std::string story = [] {
        std::string text = "<p>";
        for (int i = 0; i < 80; ++i) text += "word" + std::to_string(i * i) + " ";
        return text + "<a href=/far/away>link</a>.</p>";
    }();
    Extractor plain({.takes_simhash = true});
    Extractor markdown({.text = TextForm::markdown, .takes_simhash = true});
    const std::uint64_t hash = plain.read({.html = story}).simhash;

    EXPECT_NE(hash, 0U);
    EXPECT_EQ(plain.read({.html = "<nav>menu of a site</nav>" + story}).simhash, hash);
    EXPECT_EQ(markdown.read({.html = story, .url = "https://example.com/"}).simhash, hash);
    EXPECT_EQ(markdown.read({.html = story}).simhash_word_count, 81U);
    EXPECT_EQ(Extractor().read({.html = story}).simhash, 0U);
}

// A text without spaces was taken for none when it was cut.
TEST(Extractor, DetectsTheLanguageOfALongTextWithoutSpaces) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "織物は経糸と緯糸を組み合わせて作られる布である。";
    for (const TextForm form : {TextForm::plain, TextForm::markdown}) {
        Extractor extractor({.text = form});
        EXPECT_EQ(extractor.read({.html = "<p>" + text, .content_type = "text/html; charset=utf-8"})
                      .lang_detected,
                  "ja");
    }
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

TEST(Extractor, WithholdsFieldsAndRowsAsItDoesText) {
    auto rules = std::make_shared<Rules>();
    rules->selected.push_back(parse_typed_field("price=.price").value());
    rules->rules = parse_rules("[[rule]]\neach = \".price\"\n[rule.fields]\nname = \"b\"").value();
    const std::string html = "<p class=price>It costs <b>10</b></p>";
    const std::string reserved = "<meta name=robots content=noai>" + html;
    for (const bool keeps : {false, true}) {
        Extractor extractor({.keeps_reserved = keeps, .rules = rules});
        const Extract& free = extractor.read({.html = html});
        EXPECT_EQ(free.selected.size(), 1u);
        EXPECT_EQ(free.rows.size(), 1u);
        EXPECT_EQ(free.reservation.overruled, "");
        const Extract& page = extractor.read({.html = reserved});
        EXPECT_EQ(page.text.empty(), !keeps);
        EXPECT_EQ(page.selected.empty(), !keeps);
        EXPECT_EQ(page.rows.empty(), !keeps);
        EXPECT_EQ(page.reservation.withheld, keeps ? "" : "noai");
        EXPECT_EQ(page.reservation.overruled, keeps ? "noai" : "");
    }
}

TEST(Extractor, CutsTheTextAtItsBound) {
    Extractor extractor({.detects_language = false});
    const Extract& whole = extractor.read({.html = "<p>" + std::string(kTextBytesMax - 1, 'a')});
    EXPECT_EQ(whole.text.size(), kTextBytesMax);  // With the line feed.
    EXPECT_FALSE(whole.cut.text);

    // A character is not cut in two.
    const Extract& cut = extractor.read({.html = "<p>" + std::string(kTextBytesMax - 1, 'a') + "é",
                                         .content_type = "text/html; charset=utf-8"});
    EXPECT_EQ(cut.text.size(), kTextBytesMax - 1);
    EXPECT_TRUE(cut.cut.text);
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
