#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sitemap_reading.h"

namespace weft::suites {
namespace {

Json frequency_of(const web::SitemapEntry& entry) {
    static constexpr std::array kNames = {"ALWAYS",  "HOURLY", "DAILY", "WEEKLY",
                                          "MONTHLY", "YEARLY", "NEVER"};
    if (!entry.change_frequency) return nullptr;
    return kNames[static_cast<std::size_t>(*entry.change_frequency)];
}

// The URLs and texts that we keep of the extensions, in the suite's own words.
Json extras_of(const web::SitemapEntry& entry) {
    Json out = Json::object();
    for (const std::string& image : entry.images) out["IMAGE"].push_back(image);
    for (const auto& video : entry.videos) {
        out["VIDEO"].push_back({video.content, video.player, video.thumbnail, video.title});
    }
    for (const auto& link : entry.alternates) out["LINKS"].push_back({link.language, link.url});
    if (entry.news) out["NEWS"].push_back(entry.news->title);
    return out;
}

Json expected_extras(const Json& row) {
    const auto text = [](const Json& item, const char* name) {
        return item.contains(name) ? item[name][0] : Json("");
    };
    const Json extensions = row.value("ext", Json::object());
    Json out = Json::object();
    for (const Json& item : extensions.value("IMAGE", Json::array())) {
        out["IMAGE"].push_back(text(item, "loc"));
    }
    for (const Json& item : extensions.value("VIDEO", Json::array())) {
        out["VIDEO"].push_back({text(item, "content_loc"), text(item, "player_loc"),
                                text(item, "thumbnail_loc"), text(item, "title")});
    }
    for (const Json& item : extensions.value("LINKS", Json::array())) {
        out["LINKS"].push_back({text(item, "params.hreflang"), text(item, "href")});
    }
    for (const Json& item : extensions.value("NEWS", Json::array())) {
        out["NEWS"].push_back(text(item, "title"));
    }
    return out;
}

}  // namespace

TEST(SitemapSuite, CrawlerCommons) {
    WEFT_NEED_SUITE("sitemaps");
    const std::map<web::SitemapKind, std::string> kKinds = {{web::SitemapKind::urlset, "XML"},
                                                            {web::SitemapKind::index, "INDEX"},
                                                            {web::SitemapKind::text, "TEXT"},
                                                            {web::SitemapKind::rss, "RSS"},
                                                            {web::SitemapKind::atom, "ATOM"}};
    for (const Json& row : suites::rows("sitemaps/crawler_commons.json")) {
        const std::string id = row["test"];
        const Json& options = row["options"];
        if (options["url_filter"]) continue;  // Another project's normalizer, not the format.
        const auto sitemap =
            parse(bytes_of(row, "body"), {.url = row["url"],
                                          .strict = options["strict"],
                                          .allow_partial = options["allow_partial"],
                                          .strict_namespace = options["strict_namespace"],
                                          .allow_dtd = options["allow_dtd"]});
        ASSERT_EQ(sitemap.has_value(), !row.contains("error")) << id;
        if (!sitemap) continue;
        EXPECT_EQ(Json(kKinds.at(sitemap->summary.kind)), row["type"]) << id;
        const Json& expected = row.contains("urls") ? row["urls"] : row["sitemaps"];
        Json found = Json::array(), wanted = Json::array();
        for (const auto& entry : sitemap->entries) {
            found.push_back({entry.location, lastmod_of(entry), frequency_of(entry),
                             entry.priority.value_or(0.5), extras_of(entry)});
        }
        for (const Json& entry : expected) {
            wanted.push_back({entry["loc"], entry["lastmod_ms"], entry.value("changefreq", Json()),
                              entry.value("priority", 0.5), expected_extras(entry)});
        }
        EXPECT_EQ(std::set<Json>(found.begin(), found.end()),
                  std::set<Json>(wanted.begin(), wanted.end()))
            << id;
    }
}

}  // namespace weft::suites
