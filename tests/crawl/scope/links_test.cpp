#include "crawl/scope/links.h"

#include <string>
#include <vector>

namespace weft::crawl {
namespace {

std::vector<std::string> hrefs(LinkList& list) {
    std::vector<std::string> all;
    for (const FoundLink& link : list.take()) all.push_back(link.url.href());
    return all;
}

web::Url page_url() {
    return web::Url::parse("http://a.test/d/page?q#top").value();
}

using Hrefs = std::vector<std::string>;

TEST(LinkList, LinksIntoOnePageAreOneLink) {
    LinkList list(page_url());
    for (const char* reference : {"x#1", "x#2", "x", "./x", "#here", "", "http://a.test/d/x#"}) {
        list.add(reference, Via::link);
    }
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x", "http://a.test/d/page?q"}));
}

TEST(LinkList, ASpaceBeforeTheFragmentIsAPartOfThePath) {
    LinkList list(page_url());
    list.add("x #1", Via::link);
    list.add("x\n#1", Via::link);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x%20", "http://a.test/d/x"}));
}

TEST(LinkList, ALinkAndARequisiteOfOneUrlAreTwo) {
    LinkList list(page_url());
    list.add("x", Via::link);
    list.add("x", Via::requisite);
    list.add("x", Via::link);
    EXPECT_EQ(list.size(), 2u);
}

TEST(LinkList, ABaseChangesWhatTheSameTextMeans) {
    LinkList list(page_url());
    list.add("x", Via::link);
    list.add_page(web::read_html("<base href=/other/><a href=x>"), web::Encoding::utf_8);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/x", "http://a.test/other/x"}));
}

TEST(LinkList, TheEncodingOfAPageChangesWhatTheSameTextMeans) {
    LinkList list(page_url());
    list.add("?\xC3\xA4", Via::link);
    list.add_page(web::read_html("<a href='?\xC3\xA4'>"), web::Encoding::windows_1252);
    list.add("?\xC3\xA4", Via::requisite);
    EXPECT_EQ(hrefs(list), (Hrefs{"http://a.test/d/page?%C3%A4", "http://a.test/d/page?%E4",
                                  "http://a.test/d/page?%C3%A4"}));
}

}  // namespace
}  // namespace weft::crawl
