#include "extract/line/line_links.h"

#include <string>

#include <gtest/gtest.h>

#include "extract/extractor.h"

namespace weft::extract {
namespace {

const std::string kProse = "<p>" + std::string(300, 'a') + "</p>";

Extract read(const std::string& html, std::string_view url = "https://example.com/dir/page") {
    return Extractor({.detects_language = false, .lists_links = true})
        .read({.html = html, .url = url});
}

std::string urls(const Extract& page) {
    std::string out;
    for (const PageLink& link : page.links) out += link.url + (link.is_main ? "* " : " ");
    return out;
}

TEST(LineLinks, ThoseOfTheContentAreMarked) {
    const Extract page =
        read("<nav><a href=/menu>m</a></nav><article>" + kProse + "<p>" + std::string(100, 'b') +
             " <a href=in>i</a></p></article>"
             "<footer><a href=/imprint>f</a></footer>");

    EXPECT_EQ(urls(page),
              "https://example.com/menu https://example.com/dir/in* https://example.com/imprint ");
}

TEST(LineLinks, HaveTextAndRel) {
    const Extract page = read(
        "<a href=a rel='nofollow  ugc'> two\n<b>wor</b>ds<script>no</script> </a>"
        "<a href=b><img src=x><img alt='a picture'></a>"
        "<map><area href=c alt=part></map><a href=d></a>");

    ASSERT_EQ(page.links.size(), 4U);
    EXPECT_EQ(page.links[0].text, "two words");
    EXPECT_EQ(page.links[0].rel, "nofollow ugc");
    EXPECT_EQ(page.links[1].text, "a picture");
    EXPECT_EQ(page.links[2].text, "part");
    EXPECT_EQ(page.links[3].text, "");
}

TEST(LineLinks, ThoseThatLeadNowhereAreLeftOut) {
    EXPECT_EQ(urls(read("<a href='#top'>t</a><a>n</a><a href='javascript:1'>j</a>"
                        "<a href='data:,x'>d</a><a href='http://['>b</a>"
                        "<template><a href=t>t</a></template><a href='mailto:a@b.example'>m</a>")),
              "mailto:a@b.example* ");
    EXPECT_EQ(urls(read("<a href=' x/y '>", "")), "x/y* ");
}

TEST(LineLinks, AreCutAtTheirCount) {
    std::string html;
    for (std::size_t i = 0; i < kLineLinksMax; ++i) html += "<a href=x>x</a>";
    const Extract whole = read(html);
    EXPECT_EQ(whole.links.size(), kLineLinksMax);
    EXPECT_FALSE(whole.cut.any());

    const Extract cut = read(html + "<a href=x>x</a>");
    EXPECT_EQ(cut.links.size(), kLineLinksMax);
    EXPECT_TRUE(cut.cut.links);
    EXPECT_FALSE(cut.cut.page || cut.cut.text);
}

TEST(LineLinks, AreCutAtTheirBytes) {
    constexpr std::size_t kUrlBytes = 4096;
    const std::string base = "https://example.com/" + std::string(kUrlBytes - 21, 'p') + "/";
    std::string html = "<base href='" + base + "'>";
    for (std::size_t i = 0; i < kLineLinkBytesMax / kUrlBytes; ++i) html += "<a href=.></a>";
    const Extract whole = read(html);
    EXPECT_EQ(whole.links.size(), kLineLinkBytesMax / kUrlBytes);
    EXPECT_FALSE(whole.cut.links);
    EXPECT_TRUE(read(html + "<a href='/'></a>").cut.links);
}

TEST(LineLinks, NestedLinksTakeLinearTime) {
    std::string html;
    for (int i = 0; i < 400; ++i) html += "<a href=x><object>";
    for (int i = 0; i < 100'000; ++i) html += "<i></i>";
    EXPECT_EQ(read(html).links.size(), 400U);
}

}  // namespace
}  // namespace weft::extract
