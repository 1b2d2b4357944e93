#include "extract/fields/microdata.h"

#include <string>

#include <gtest/gtest.h>

#include "extract/extractor.h"
#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

std::string microdata(const std::string& html, std::string_view url = "") {
    web::HtmlTreeBuilder builder;
    const auto base = web::Url::parse(url);
    return microdata_json(builder.parse(html), base ? &*base : nullptr);
}

TEST(Microdata, OfAPageWithoutItemsIsEmpty) {
    EXPECT_EQ(microdata("<p itemprop=name>x"), "");
}

TEST(Microdata, AnItemHasTypesAnIdAndProperties) {
    EXPECT_EQ(microdata("<div itemscope itemtype='http://a/T http://a/U' itemid=urn:x>"
                        "<p itemprop='name title'>Ann</p><b itemprop=name>Bea</b></div>"),
              R"([{"type":["http://a/T","http://a/U"],"id":"urn:x",)"
              R"("properties":{"name":["Ann","Bea"],"title":["Ann"]}}])");
}

TEST(Microdata, ItemsAreInsideOfItems) {
    EXPECT_EQ(microdata("<div itemscope><div itemprop=a itemscope><i itemprop=b>1</i></div>"
                        "<i itemprop=b>2</i></div>"),
              R"([{"properties":{"a":[{"properties":{"b":["1"]}}],"b":["2"]}}])");
}

TEST(Microdata, TheValueDependsOnTheElement) {
    EXPECT_EQ(microdata("<div itemscope><meta itemprop=m content=c><img itemprop=i src=s>"
                        "<a itemprop=a href=h>text</a><object itemprop=o data=d></object>"
                        "<data itemprop=v value=1>one</data>"
                        "<time itemprop=t datetime=2026-01-02>x</time><time itemprop=t>2027</time>"
                        "</div>",
                        "https://example.com/dir/"),
              R"([{"properties":{"m":["c"],"i":["https://example.com/dir/s"],)"
              R"("a":["https://example.com/dir/h"],"o":["https://example.com/dir/d"],)"
              R"("v":["1"],"t":["2026-01-02","2027"]}}])");
}

TEST(Microdata, ItemrefAddsPropertiesFromElsewhereInTheOrderOfThePage) {
    EXPECT_EQ(microdata("<p id=x>a <b itemprop=name>first</b></p>"
                        "<div itemscope itemref='y x none'><i itemprop=name>second</i></div>"
                        "<p id=y itemprop=name>third</p>"),
              R"([{"properties":{"name":["first","second","third"]}}])");
}

TEST(Microdata, CyclesEnd) {
    EXPECT_EQ(microdata("<div itemscope itemref=a></div>"
                        "<div id=a itemprop=p itemscope itemref=b></div>"
                        "<div id=b itemprop=q itemscope itemref=a></div>"),
              R"([{"properties":{"p":[{"properties":{"q":[{"properties":{"p":["ERROR"]}}]}}]}}])");
    EXPECT_EQ(microdata("<div itemscope id=a itemref=a><i itemprop=b>c</i></div>"),
              R"([{"properties":{"b":["c"]}}])");
}

TEST(Microdata, LevelsAreBounded) {
    std::string page = "<div itemscope>";
    for (std::size_t i = 0; i < kMicrodataDepthMax; ++i) page += "<div itemprop=a itemscope>";
    const std::string json = microdata(page);
    EXPECT_TRUE(json.contains("ERROR"));
    page.replace(0, 15,
                 "");  // One level less: the first item has a name, so it is none at the top.
    EXPECT_EQ(microdata(page), "");
    EXPECT_FALSE(microdata("<div itemscope>" + page.substr(26)).contains("ERROR"));
}

TEST(Microdata, BytesAreBounded) {
    const std::string item = "<p itemscope><b itemprop=a>" + std::string(100'000, 'x') + "</b></p>";
    std::string page;
    for (int i = 0; i < 20; ++i) page += item;
    const std::string json = microdata(page);
    EXPECT_LE(json.size(), kMicrodataBytesMax);
    EXPECT_GE(json.size(), kMicrodataBytesMax / 2);
    EXPECT_TRUE(json.ends_with("]}}]"));
}

TEST(Microdata, ReferencesThatMultiplyEnd) {
    std::string page;
    for (int i = 0; i < 40; ++i) {
        const std::string next = std::to_string(i + 1);
        page += "<div itemscope itemprop=a id=n" + std::to_string(i) + " itemref='n" + next +
                "'><i itemprop=b itemscope itemref='n" + next + "'></i></div>";
    }
    EXPECT_LE(microdata("<div itemscope itemref=n0></div>" + page).size(), kMicrodataBytesMax);
}

TEST(Structured, IsGivenIfWished) {
    const std::string html =
        "<script type=application/ld+json>[{\"@type\":\"A\"},{\"b\":\"1\n2\"}]</script>"
        "<script type=application/ld+json>// why\n{\"c\":3}</script><script>1</script>"
        "<script type=application/ld+json><!-- who --> {\"d\":\"-->\"}</script>"
        "<div itemscope><i itemprop=d>e</i></div>";
    Extractor extractor({.structured = true});
    EXPECT_EQ(extractor.read({.html = html}).structured,
              R"({"jsonld":[{"@type":"A"},{"b":"1\n2"},{"c":3},{"d":"-->"}],)"
              R"("microdata":[{"properties":{"d":["e"]}}]})");
    EXPECT_EQ(extractor.read({.html = "<p>x"}).structured, "");
    EXPECT_EQ(Extractor().read({.html = html}).structured, "");
    EXPECT_EQ(extractor.read({.html = "<meta name=robots content=noai>" + html}).structured, "");
}

}  // namespace
}  // namespace weft::extract
