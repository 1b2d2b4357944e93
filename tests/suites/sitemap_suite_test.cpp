#include <gtest/gtest.h>
#include <zlib.h>

#include "base/bytes.h"
#include "conformance.h"
#include "web/robots.h"
#include "web/sitemap.h"

namespace weft::suites {
namespace {

// What the fetcher does before a sitemap is parsed.
std::string without_gzip(const std::string& bytes) {
    if (!bytes.starts_with("\x1F\x8B")) return bytes;
    std::string out(1 << 20, '\0');
    z_stream stream{};
    inflateInit2(&stream, 16 + MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

// The sitemap fed whole and byte by byte; both must be the same.
std::expected<web::Sitemap, web::SitemapError> parse(const std::string& body,
                                                     const web::SitemapOptions& options) {
    const std::string bytes = without_gzip(body);
    auto whole = web::parse_sitemap(bytes, options);
    web::Sitemap pieces;
    web::SitemapParser parser(
        options, [&](web::SitemapEntry entry) { pieces.entries.push_back(std::move(entry)); });
    for (const char& c : bytes) parser.feed({&c, 1});
    const auto summary = parser.finish();
    EXPECT_EQ(summary.has_value(), whole.has_value());
    if (summary) EXPECT_EQ(pieces.entries.size(), whole->entries.size());
    return whole;
}

Json lastmod_of(const web::SitemapEntry& entry) {
    return entry.modified ? Json(entry.modified->time_since_epoch().count()) : Json();
}

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
    for (const Json& row : read_json("sitemaps/crawler_commons.json")) {
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

TEST(SitemapSuite, Scrapy) {
    WEFT_NEED_SUITE("sitemaps");
    for (const Json& row : read_json("sitemaps/scrapy.json")) {
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
    for (const Json& row : read_json("sitemaps/files.expected.json")) {
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
