#include "web/robots/sitemap.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

std::vector<std::string> locations(std::string_view body, SitemapOptions options = {}) {
    std::vector<std::string> out;
    const auto sitemap = parse_sitemap(body, std::move(options));
    if (!sitemap) return {std::string(describe(sitemap.error()))};
    for (const SitemapEntry& entry : sitemap->entries) out.push_back(entry.location);
    return out;
}

using Locations = std::vector<std::string>;

}  // namespace

TEST(Sitemap, EntityBombIsInert_H82) {
    const std::string bomb =
        "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>"
        "<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        "<urlset><url><loc>http://a.test/&b;</loc></url><url><loc>&x;</loc></url></urlset>";

    EXPECT_EQ(locations(bomb), Locations{"http://a.test/"});
    EXPECT_EQ(locations(bomb, {.allow_dtd = false}), Locations{"it has a DTD"});
}

TEST(Sitemap, DeepNestingCostsNothing_H82) {
    std::string deep = "<urlset><url><loc>http://a.test/</loc>";
    for (int i = 0; i < 100'000; ++i) deep += "<a>";

    EXPECT_EQ(locations(deep), Locations{"http://a.test/"});
}

TEST(Sitemap, CountOfLocationsIsBounded_H84) {
    std::string body = "<urlset>";
    for (std::size_t i = 0; i < limits::kSitemapLocationCountMax + 1; ++i) {
        body += "<url><loc>http://a.test/</loc></url>";
    }

    const auto sitemap = parse_sitemap(body, {});

    ASSERT_TRUE(sitemap);
    EXPECT_EQ(sitemap->entries.size(), limits::kSitemapLocationCountMax);
    EXPECT_EQ(sitemap->summary.fault, SitemapError::too_many_locations);
    EXPECT_EQ(parse_sitemap(body, {.allow_partial = false}).error(),
              SitemapError::too_many_locations);
}

TEST(Sitemap, SizeIsBounded_H83) {
    SitemapParser parser({}, [](const SitemapEntry&) {});
    const std::string piece(1 << 20, ' ');
    parser.feed("<urlset>");
    for (std::size_t i = 0; i < limits::kSitemapBytesMax; i += piece.size()) parser.feed(piece);

    EXPECT_EQ(parser.finish()->fault, SitemapError::too_large);
}

TEST(Sitemap, LocationOverTheLimitIsLeftOut) {
    const std::string most = "http://a.test/" + std::string(limits::kUrlBytesMax - 14, 'a');

    EXPECT_EQ(locations("<urlset><url><loc>\n" + most + "\n</loc></url></urlset>"),
              Locations{most});
    EXPECT_EQ(locations("<urlset><url><loc>" + most + "a</loc></url></urlset>"), Locations());
    EXPECT_EQ(locations(most + "\n" + most + "a\nhttp://b.test/"),
              (Locations{most, "http://b.test/"}));
}

TEST(Sitemap, BrokenXmlIsReadAsFarAsItGoes) {
    const std::string broken =
        "<urlset><url><loc>http://a.test/?x=1&y=2</loc></url></oops><url><loc>http://b.test/</url>"
        "<url><loc>http://c.test/cut";

    EXPECT_EQ(locations(broken), (Locations{"http://a.test/?x=1&y=2", "http://b.test/"}));
    EXPECT_EQ(locations(broken, {.allow_partial = false}), Locations{"broken XML"});
}

TEST(Sitemap, ImageLocationIsNoPage) {
    const auto sitemap = parse_sitemap(
        "<urlset><url><loc>http://a.test/</loc><image:image><image:loc>http://a.test/i.png"
        "</image:loc></image:image><x:loc xmlns:x='y'>http://z.test/</x:loc></url></urlset>",
        {});

    ASSERT_TRUE(sitemap);
    ASSERT_EQ(sitemap->entries.size(), 1u);
    EXPECT_EQ(sitemap->entries[0].location, "http://a.test/");
    EXPECT_EQ(sitemap->entries[0].images, Locations{"http://a.test/i.png"});
}

TEST(Sitemap, FeedsGiveTheirItems) {
    EXPECT_EQ(locations("<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/'>"
                        "<channel><link>http://a.test/</link></channel>"
                        "<item><link>http://a.test/1</link></item></rdf:RDF>"),
              Locations{"http://a.test/1"});
    EXPECT_EQ(
        locations("<feed xmlns='http://www.w3.org/2005/Atom'><link href='/'/><entry>"
                  "<link rel='self' href='/self'/><link href='/1?a=1&amp;b=2'/></entry></feed>"),
        Locations{"/1?a=1&b=2"});
    EXPECT_EQ(locations("<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><item>"
                        "<atom:link href='http://a.test/feed'/><guid>http://a.test/2</guid>"
                        "</item></channel></rss>"),
              Locations{"http://a.test/2"});
}

TEST(Sitemap, OtherDocumentsAreRefused) {
    EXPECT_EQ(locations("<!DOCTYPE html><html><body><a href=x>y</a></body></html>"),
              Locations{"not a sitemap"});
    EXPECT_EQ(locations("Not found"), Locations{"not a sitemap"});
    EXPECT_EQ(locations(""), Locations{"not a sitemap"});
}

TEST(Sitemap, StrictKeepsToTheSitemapsDirectory) {
    const std::string body = "http://a.test/b/c\nhttp://a.test/d\n";

    EXPECT_EQ(locations(body, {.url = "http://a.test/b/s.txt?x=/", .strict = true}),
              Locations{"http://a.test/b/c"});
    EXPECT_EQ(locations(body, {.url = "http://a.test", .strict = true}).size(), 2u);
}

}  // namespace weft::web
