#include <gtest/gtest.h>

#include "sitemap_reading.h"

namespace weft::suites {

TEST(SitemapSuite, Scrapy) {
    WEFT_NEED_SUITE("sitemaps");
    for (const Json& row : suites::rows("sitemaps/scrapy.json")) {
        const auto sitemap = parse(bytes_of(row, "body"), {});
        Json found = Json::array(), wanted = Json::array();
        for (const auto& entry : sitemap ? sitemap->entries : std::vector<web::SitemapEntry>()) {
            Json alternates = Json::array();
            for (const auto& link : entry.alternates) alternates.push_back(link.url);
            found.push_back({entry.location, lastmod_of(entry), alternates});
        }
        for (const Json& entry : row["entries"]) {
            const auto date = web::parse_w3c_date(entry.value("lastmod", ""));
            wanted.push_back({entry["loc"], date ? Json(date->time_since_epoch().count()) : Json(),
                              entry.value("alternate", Json::array())});
        }
        EXPECT_EQ(found, wanted) << row;
    }
}

TEST(SitemapSuite, StormCrawlerFiles) {
    WEFT_NEED_SUITE("sitemaps/files");
    for (const Json& row : suites::rows("sitemaps/files.expected.json")) {
        const std::string body =
            read_file(conformance_folder() / "sitemaps" / row["file"].get<std::string>());
        const auto sitemap = parse(body, {.allow_partial = false});
        ASSERT_TRUE(sitemap) << row["file"];
        Json found = Json::array(), wanted = Json::array();
        for (const auto& entry : sitemap->entries) {
            found.push_back({entry.location, lastmod_of(entry)});
        }
        for (const Json& entry : row["entries"]) {
            const Json text = entry.value("lastmod", Json());
            const auto date = web::parse_w3c_date(text.is_string() ? text.get<std::string>() : "");
            wanted.push_back(
                {entry["loc"], date ? Json(date->time_since_epoch().count()) : Json()});
        }
        EXPECT_EQ(found, wanted) << row["file"];
    }
}

}  // namespace weft::suites
