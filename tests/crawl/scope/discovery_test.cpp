// Where links, sitemaps, feeds and hints are found, and what pages say of themselves.
#include <gtest/gtest.h>

#include "crawl/crawl_site.h"
#include "crawl/scope/listing_reader.h"
#include "support/packing.h"

namespace weft::crawl {
namespace {

using tests::gzip;

std::string urlset(const std::vector<std::string>& locations) {
    std::string xml = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
    for (const std::string& location : locations) xml += "<url><loc>" + location + "</loc></url>";
    return xml + "</urlset>";
}

void with_sitemaps(Config& config) {
    config.sitemaps = true;
}

}  // namespace

TEST(Discovery, LinkHeadersStylesFeedsAndRefreshesLeadOn) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.reply("/", {.headers = {{"Content-Type", "text/html"},
                                     {"Link", "</next>; rel=next, </style.css>; rel=stylesheet"},
                                     {"Link", "</nowhere>; rel=preconnect"},
                                     {"Refresh", "5; url=/refreshed"}},
                         .body = "<a href=/feed.xml>feed</a><form action=/form></form>"});
        site.reply("/style.css", {.headers = {{"Content-Type", "text/css"}},
                                  .body = "@import 'more.css'; a { background: url(/b.png) }"});
        site.reply("/feed.xml", {.headers = {{"Content-Type", "application/rss+xml"}},
                                 .body = "<rss><channel><item><link>/item</link></item>"
                                         "</channel></rss>"});
    });

    for (const char* path :
         {"/next", "/style.css", "/more.css", "/b.png", "/refreshed", "/feed.xml", "/item"}) {
        EXPECT_TRUE(result.has(path)) << path;
    }
    EXPECT_EQ(result.outcome_count, 8u);
    EXPECT_EQ(result.at("/item").via, Via::listed);
    EXPECT_EQ(result.at("/b.png").via, Via::requisite);
    EXPECT_EQ(result.at("/refreshed").depth, 0u) << "H36: a refresh is a hop, not a step";
}

// Each link of three bytes is a URL of 8,000: with --links such pages had lines of 235 MiB in the
// log, and one of over 64 MiB is read by nothing any more.
TEST(Discovery, H70TheLinksOfAPageAreLoggedUpToABound) {
    std::string page = "<base href=/" + std::string(7'900, 'b') + "/>";
    for (int i = 0; i < 3'000; ++i) page += fmt::format("<a href=?{}>", i);
    const CrawlResult result = crawl_site(
        [&](TestSite& site) {
            site.reply("/", {.headers = {{"Content-Type", "text/html"}}, .body = page});
        },
        [](Config& config) {
            config.keeps_links = true;
            config.depth_max = 0;
        });

    std::size_t bytes = 0;
    for (const std::string& link : result.at("/").links) bytes += link.size();
    EXPECT_LE(bytes, 16_MiB);
    EXPECT_GT(bytes, 8_MiB);
}

TEST(Discovery, H36ARefreshLoopEndsAtTheRedirectLimit) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            for (int i = 0; i < 30; ++i) {
                site.page(i == 0 ? "/" : fmt::format("/r{}", i),
                          fmt::format("<meta http-equiv=refresh content='0;url=/r{}'>", i + 1));
            }
        },
        [](Config& config) { config.redirect_count_max = 5; });

    EXPECT_EQ(result.outcome_count, 6u);
    EXPECT_EQ(result.at("/r5").reason, "redirect limit reached");
}

TEST(Discovery, MetaAndHeaderNofollowAreObeyedRelNofollowIsRecorded) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/",
                  "<a href=/meta>1</a><a href=/header>2</a>"
                  "<a rel='external nofollow' href=/rel>3</a>");
        site.page("/meta",
                  "<meta name=robots content='nofollow,noindex'><a href=/no1>x</a>"
                  "<img src=/shown.png>");
        site.reply("/header",
                   {.headers = {{"Content-Type", "text/html"}, {"X-Robots-Tag", "weft: nofollow"}},
                    .body = "<a href=/no2>x</a>"});
    });

    EXPECT_FALSE(result.has("/no1"));
    EXPECT_FALSE(result.has("/no2"));
    EXPECT_TRUE(result.has("/shown.png")) << "a page is shown whole all the same";
    EXPECT_TRUE(result.at("/rel").is_nofollow);
    EXPECT_FALSE(result.at("/meta").is_nofollow);
    EXPECT_TRUE(result.at("/meta").says_noindex);
    EXPECT_TRUE(result.at("/header").says_nofollow);
    EXPECT_EQ(result.statistics.refused.at(Refusal::nofollow), 2u);
}

TEST(Discovery, CanonicalAndHreflangAreHints) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/",
                  "<link rel=canonical href=/main><link rel=alternate hreflang=de href=/de>"
                  "<link rel=dns-prefetch href=/never>");
    });

    EXPECT_EQ(result.at("/main").via, Via::hint);
    EXPECT_EQ(result.at("/de").via, Via::hint);
    EXPECT_TRUE(result.at("/").canonical.ends_with("/main"));
    EXPECT_EQ(result.outcome_count, 3u);
}

TEST(Discovery, H121CredentialsInLinksAreNeitherSentNorKept) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        const std::string host = site.origin().substr(7);
        site.page("/", fmt::format("<a href='http://user:secret@{}/a'>x</a>", host));
        site.reply("/a", {.status = 302,
                          .headers = {{"Location", fmt::format("http://u:secret@{}/b", host)}}});
    });

    EXPECT_TRUE(result.has("/a"));
    EXPECT_TRUE(result.has("/b"));
    for (const auto& [path, outcome] : result.outcomes) {
        EXPECT_EQ((outcome.url + outcome.redirect_target + outcome.reason).find("secret"),
                  std::string::npos);
    }
}

TEST(Sitemaps, AreFoundInRobotsTxtAndAtTheUsualPlace) {
    const CrawlResult named = crawl_site(
        [](TestSite& site) {
            site.page("/", "home");
            site.reply("/robots.txt", {.body = "Sitemap: /maps/index.xml\n"});
            site.reply("/maps/index.xml",
                       {.body = "<sitemapindex><sitemap><loc>" + site.origin() +
                                "/maps/1.xml.gz</loc></sitemap></sitemapindex>"});
            site.reply("/maps/1.xml.gz", {.headers = {{"Content-Type", "application/gzip"}},
                                          .body = gzip(urlset({site.origin() + "/orphan"}))});
        },
        with_sitemaps);
    const CrawlResult guessed = crawl_site(
        [](TestSite& site) {
            site.page("/", "home");
            site.reply("/sitemap.xml", {.body = site.origin() + "/orphan\n"});
        },
        with_sitemaps);
    const CrawlResult missing =
        crawl_site([](TestSite& site) { site.page("/", "home"); }, with_sitemaps);

    EXPECT_EQ(named.at("/orphan").via, Via::listed);
    EXPECT_EQ(named.at("/maps/1.xml.gz").via, Via::sitemap);
    EXPECT_FALSE(named.has("/sitemap.xml"));
    EXPECT_TRUE(guessed.has("/orphan"));
    EXPECT_EQ(missing.at("/sitemap.xml").status, 404);
    EXPECT_FALSE(missing.at("/sitemap.xml").is_broken()) << "nobody said that it is there";
}

TEST(Sitemaps, H83LoopsAndIndexesWithoutEndEnd) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            const auto index = [&](const std::string& target) {
                return http::Reply{.body = "<sitemapindex><sitemap><loc>" + site.origin() + target +
                                           "</loc></sitemap></sitemapindex>"};
            };
            site.page("/", "home");
            site.reply("/robots.txt", {.body = "Sitemap: /a.xml\nSitemap: /1.xml\n"});
            site.reply("/a.xml", index("/b.xml"));
            site.reply("/b.xml", index("/a.xml"));
            for (int i = 1; i < 9; ++i) {
                site.reply(fmt::format("/{}.xml", i), index(fmt::format("/{}.xml", i + 1)));
            }
        },
        with_sitemaps);

    EXPECT_EQ(result.count("/a.xml"), 1u);
    EXPECT_EQ(result.count("/b.xml"), 1u);
    EXPECT_TRUE(result.has("/3.xml"));
    EXPECT_FALSE(result.has("/4.xml"));
    EXPECT_EQ(result.statistics.refused.at(Refusal::sitemap_limit), 1u);
}

TEST(Sitemaps, H83AHostHasSoManyFilesAtMost) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "home");
            std::string lines;
            for (int i = 0; i < 50; ++i) lines += fmt::format("Sitemap: /map{}.xml\n", i);
            site.reply("/robots.txt", {.body = lines});
        },
        [](Config& config) {
            config.sitemaps = true;
            config.sitemap_files_per_host_max = 7;
        });

    EXPECT_EQ(result.outcome_count, 8u);
    EXPECT_EQ(result.statistics.refused.at(Refusal::sitemap_limit), 43u);
}

// The robots.txt is read by the first try, and only the last one writes a line.
TEST(Sitemaps, ThoseRefusedAtATryThatFailedCountWithTheUrl) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.raw("/", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx");
            std::string lines = "Sitemap: http://other.example/map.xml\n";
            for (int i = 0; i < 50; ++i) lines += fmt::format("Sitemap: /map{}.xml\n", i);
            site.reply("/robots.txt", {.body = lines});
        },
        [](Config& config) {
            config.sitemaps = true;
            config.sitemap_files_per_host_max = 7;
            config.try_count_max = 2;
        });

    EXPECT_EQ(result.count("/"), 2u);
    EXPECT_EQ(result.outcome_count, 7u);
    const std::map<std::string, std::uint64_t> expected = {{"other_host", 1},
                                                           {"sitemap_limit", 44}};
    EXPECT_EQ(result.at("/").refused, expected);
}

TEST(Sitemaps, H84EntriesAreJudgedLikeAnyLink) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "home");
            site.reply("/robots.txt",
                       {.body = "Sitemap: /map.xml\nUser-agent: *\nDisallow: /no\n"});
            site.reply("/map.xml", {.body = urlset({"http://10.0.0.1/", "http://other.example/x",
                                                    "file:///etc/passwd", site.origin() + "/no",
                                                    site.origin() + "/yes"})});
        },
        with_sitemaps);

    EXPECT_EQ(result.at("/yes").status, 404);
    EXPECT_EQ(result.at("/no").ending, Ending::denied);
    EXPECT_EQ(result.statistics.refused.at(Refusal::other_host), 2u);
    EXPECT_EQ(result.outcome_count, 4u);
}

TEST(ListingReader, H83ABombIsCutAtTheLimit) {
    std::string xml = urlset({"http://a.test/first"});
    xml.insert(xml.size() - std::string_view("</urlset>").size(),
               std::string(limits::kSitemapBytesMax + (10 << 20), ' '));
    const std::string bomb = gzip(xml);
    ASSERT_LT(bomb.size(), 200'000u);
    ListingReader reader("http://a.test/sitemap.xml.gz");

    for (std::size_t i = 0; i < bomb.size(); i += 1'000) reader.feed(bomb.substr(i, 1'000));
    const Listing listing = reader.finish();

    EXPECT_EQ(listing.locations, std::vector<std::string>{"http://a.test/first"});
}

TEST(ListingReader, H82EntitiesAndOtherDocumentsListNothing) {
    for (const std::string_view text :
         {"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&a;</loc></url>"
          "</urlset>",
          "<html><a href=/x>x</a></html>", "", "\x1f", "\x1f\x8b broken", "%PDF-1.4"}) {
        ListingReader reader("http://a.test/s.xml");
        reader.feed(text);
        const Listing listing = reader.finish();
        for (const std::string& location : listing.locations) {
            EXPECT_EQ(location.find("root:"), std::string::npos);
        }
        EXPECT_LE(listing.locations.size(), 1u) << text;
    }
}

TEST(ListingReader, ReadsTheSameHoweverItIsCut) {
    const std::string packed = gzip(urlset({"http://a.test/1", "http://a.test/2"}));
    for (const std::size_t size : {1u, 2u, 3u, 7u, 1'000u}) {
        ListingReader reader("http://a.test/s.xml.gz");
        for (std::size_t i = 0; i < packed.size(); i += size) reader.feed(packed.substr(i, size));
        EXPECT_EQ(reader.finish().locations.size(), 2u) << size;
    }
}

}  // namespace weft::crawl
