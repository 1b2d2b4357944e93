#include "web/html/css.h"

#include <initializer_list>
#include <string_view>

namespace weft::web {
namespace {

std::vector<std::string> values(const std::vector<CssUrl>& urls) {
    std::vector<std::string> texts;
    for (const CssUrl& url : urls) texts.push_back((url.is_import ? "@" : "") + url.value);
    return texts;
}

std::vector<CssUrl> read_bytes(std::string_view text) {
    CssReader reader;
    for (const char c : text) reader.feed({&c, 1});
    return reader.finish();
}

struct Case {
    std::string_view css;
    std::vector<std::string> urls;
};

void expect(const std::vector<Case>& cases) {
    for (const auto& [css, urls] : cases) {
        EXPECT_EQ(values(read_css(css)), urls) << css;
        EXPECT_EQ(values(read_bytes(css)), urls) << css << " byte by byte";
    }
}

TEST(Css, UrlsAreFoundQuotedAndUnquoted) {
    expect({
        {"a{background:url(x.png)}", {"x.png"}},
        {"a{background:URL( 'x y.png' )}", {"x y.png"}},
        {"a{background:url(\"x)y.png\"),url(\n\tz.png \n)}", {"x)y.png", "z.png"}},
        {"background:url(x.png);color:red", {"x.png"}},
        {"@font-face{src:url(f.woff2) format(\"woff2\"),local('x')}", {"f.woff2"}},
        {"a{src:src('x')}b{src:src(y)}", {"x"}},
        {"url(  )url('')", {}},
    });
}

TEST(Css, ImportsAreMarked) {
    expect({
        {"@import 'a.css';@import url(b.css) screen;@IMPORT url(\"c.css\");",
         {"@a.css", "@b.css", "@c.css"}},
        {"@import/* x */\n'a.css' layer(x);a{b:url(c)}", {"@a.css", "c"}},
        {"@import a 'b';c{d:'e'}", {}},
        {"@charset 'utf-8';@namespace url(http://x/);@-moz-document url(y){a{b:url(z)}}", {"z"}},
    });
}

TEST(Css, CommentsAndStringsHideUrls) {
    expect({
        {"/* url(a) */b{c:url(d)}/**/", {"d"}},
        {"/* * / **/a{b:url(c)}", {"c"}},
        {"a::before{content:'url(b)'}", {}},
        {"a{content:\"x\\\"url(b)\"}", {}},
        {"a{content:'x\n;b:url(c)}", {"c"}},
        {"a{b:url(/*c*/)}", {"/*c*/"}},
        {"a{b:10url(c) #url(d) -url(e) my-url(f)}", {}},
    });
}

TEST(Css, EscapesAreDecoded) {
    expect({
        {"a{b:url(x\\29 y)}", {"x)y"}},
        {"a{b:u\\72l(x)}", {"x"}},
        {"a{b:\\75 rl(x)}", {"x"}},
        {"a{b:url('\\1F600\\0\\d800')}", {"\xF0\x9F\x98\x80\xEF\xBF\xBD\xEF\xBF\xBD"}},
        {"a{b:url('x\\\r\ny')}", {"xy"}},
        {"a{b:url(x\\\ny) c}d{e:url(f)}", {"f"}},
        {"a{b:url(\\00000041\\(\\))}",
         {"\xEF\xBF\xBD"
          "41()"}},
        {"a{b:url(x\\", {"x\xEF\xBF\xBD"}},
    });
}

TEST(Css, BadUrlsAreSkippedWhole) {
    expect({
        {"a{b:url(x y) url(z)}", {"z"}},
        {"a{b:url(x\"y) url(z)}", {"z"}},
        {"a{b:url(x(y\\)url(w)) url(z)}", {"z"}},
    });
}

TEST(Css, ImageSetsHoldUrlsAsStrings) {
    expect({
        {"a{b:image-set('x' 1x,url('y') 2x,\"z\" type(\"image/png\") 3x) 'w'}", {"x", "y", "z"}},
        {"a{b:-webkit-image-set(url(x) 1x);c:'d'}", {"x"}},
    });
}

TEST(Css, TheEndOfTheSheetClosesEverything) {
    expect({
        {"a{b:url(x", {"x"}},
        {"@import 'x", {"@x"}},
        {"a{b:url('x", {"x"}},
        {"a{b:url(x ", {"x"}},
        {"a{b:'x", {}},
        {"/* url(x)", {}},
    });
}

TEST(Css, OffsetsAreThoseOfTheSheet) {
    const auto urls = read_css("a{b:url(x)}\r\n@import 'y'");

    ASSERT_EQ(urls.size(), 2u);
    EXPECT_EQ(urls[0].offset, 4u);
    EXPECT_EQ(urls[1].offset, 21u);
}

TEST(Css, PlacesAreThoseOfTheStringOrTheWholeUrl) {
    const auto written = [](std::string_view css) {
        std::vector<std::string> texts;
        for (const CssUrl& url : read_css(css)) {
            texts.emplace_back(css.substr(url.begin, url.end - url.begin));
            EXPECT_EQ(url.is_quoted, texts.back().front() == '"' || texts.back().front() == '\'');
        }
        return texts;
    };
    using Texts = std::vector<std::string>;

    EXPECT_EQ(written("a{b:url( x ),u\\72l(y\\)) url( 'z' )}@import\r\n\"w\" screen;"),
              (Texts{"url( x )", "u\\72l(y\\))", "'z'", "\"w\""}));
    EXPECT_EQ(written("a{b:url(x"), Texts{"url(x"});
    EXPECT_EQ(written("a{b:url('x\\"), Texts{"'x\\"});
}

// Names, strings and comments may be cut between two pieces.
TEST(Css, TwoPiecesAreReadLikeOne) {
    const std::string_view sheet =
        "@import 'a.css';/* x * url(b) **/h1#url(c),a:not(d){color:red;--e:#fff}\r\n"
        "p{background:\\75rl(f) no-repeat,URL(g);width:calc(1px + 2px)}"
        "q{content:\"url(h)\";background:image-set('i' 1x,url(j) 2x)}k{l:url( m )}";
    const std::vector<std::string> expected = {"@a.css", "f", "g", "i", "j", "m"};
    for (std::size_t cut = 0; cut <= sheet.size(); ++cut) {
        CssReader reader;
        reader.feed(sheet.substr(0, cut));
        reader.feed(sheet.substr(cut));
        const std::vector<CssUrl> urls = reader.finish();
        EXPECT_EQ(values(urls), expected) << cut;
        EXPECT_EQ(urls.back().begin, sheet.find("url( m )")) << cut;
    }
}

TEST(Css, H73LongUrlsAndManyUrlsAreLeftOut) {
    const std::string longest(limits::kAttributeBytesMax, 'x');
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += "url(x)";

    EXPECT_EQ(read_css("url(" + longest + ")").size(), 1u);
    EXPECT_EQ(read_css("url(" + longest + "x)url(y)").size(), 1u);
    EXPECT_EQ(read_css(many).size(), limits::kLinksPerPageMax);
}

}  // namespace
}  // namespace weft::web
