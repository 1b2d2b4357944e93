#include "demo/server/truth.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "demo/little_walk.h"

namespace weft::demo {
namespace {

const TrueUrl& find(const TrueHost& host, std::string_view path) {
    const std::string url = host.home.substr(0, host.home.size() - 1) + std::string(path);
    const auto found = std::ranges::find(host.urls, url, &TrueUrl::url);
    EXPECT_NE(found, host.urls.end()) << path;
    return *found;
}

std::vector<std::string> missing(const std::set<std::string>& from,
                                 const std::set<std::string>& in) {
    std::vector<std::string> result;
    std::ranges::set_difference(in, from, std::back_inserter(result));
    return result;
}

// The truth and a crawl that reads the pages' bytes with other parsers agree, by every rule of
// reach. Babel is left out: its character sets are beyond the little walk.
class TruthOfHost : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, TruthOfHost, testing::Values(1, 2, 3, 4, 5, 6, 8));

TEST_P(TruthOfHost, IsWhatAWalkFinds) {
    const Site site(Options{.page_count = 300, .hostile = true});
    const std::string host = fmt::format("127.0.0.{}", GetParam());
    const TrueHost truth = find_truth(site.options(), host).hosts.at(0);

    for (const Reach reach : {Reach::link, Reach::asset, Reach::style, Reach::sitemap,
                              Reach::rel_nofollow, Reach::nofollow, Reach::behind_robots}) {
        SCOPED_TRACE(name(reach));
        std::set<std::string> expected;
        for (const TrueUrl& url : truth.urls) {
            if (url.reach <= reach) expected.insert(url.url);
        }
        const Walk walked = walk(site, host, reach);
        EXPECT_EQ(missing(walked.urls, expected), std::vector<std::string>());
        EXPECT_EQ(missing(expected, walked.urls), std::vector<std::string>());
        if (reach == Reach::behind_robots) {
            EXPECT_EQ(std::vector(walked.external.begin(), walked.external.end()), truth.external);
        }
    }
}

TEST(Truth, SaysOfEveryUrlWhatTheSiteAnswers) {
    const Site site(Options{.hostile = true});

    for (const TrueHost& host : site.truth().hosts) {
        for (const TrueUrl& url : host.urls) {
            SCOPED_TRACE(url.url);
            const Answer answer = site.answer(host.host, url.url.substr(host.home.size() - 1));
            if (url.status != 0) EXPECT_EQ(url.status, answer.status);
            EXPECT_EQ(url.type, answer.headers.at(0).second);
            const bool is_packed = std::ranges::any_of(answer.headers, [](const auto& field) {
                return field.first == "Content-Encoding";
            });
            if (!is_packed) EXPECT_EQ(url.size_bytes, answer.body.size());
        }
    }
}

TEST(Truth, NothingInItIsOnAPathThatNoLinkMeans) {
    for (const TrueHost& host : find_truth(Options{.hostile = true}).hosts) {
        for (const TrueUrl& url : host.urls) EXPECT_FALSE(url.url.starts_with(host.never.at(0)));
    }
}

TEST(Truth, FollowsRedirectsToTheirEnd) {
    const TrueHost host = find_truth(Options{}, "127.0.0.1").hosts.at(0);
    const std::string origin = "http://127.0.0.1:8080";

    EXPECT_EQ(find(host, "/go/chain/1").redirect, origin + "/go/chain/2");
    EXPECT_EQ(find(host, "/go/chain/1").final_url, origin + "/landed/chain.html");
    EXPECT_EQ(find(host, "/go/meet/a").final_url, find(host, "/go/meet/b").final_url);
    EXPECT_EQ(find(host, "/go/fragment/1").redirect, find(host, "/go/fragment/2").redirect);
    EXPECT_EQ(find(host, "/go/loop/a").final_url, "");
    EXPECT_EQ(find(host, "/go/loop/a").final_status, 0);
    EXPECT_EQ(find(host, "/go/nowhere").final_status, 404);
    EXPECT_EQ(find(host, "/go/away").final_url, "http://127.0.0.2:8080/");
}

TEST(Truth, NamesThePagesThatLinkToABrokenOne) {
    const TrueHost host = find_truth(Options{}, "127.0.0.1").hosts.at(0);

    EXPECT_EQ(find(host, "/failing/410.html").linked_from,
              (std::vector<std::string>{"http://127.0.0.1:8080/rooms/broken-too.html",
                                        "http://127.0.0.1:8080/rooms/broken.html"}));
    EXPECT_TRUE(find(host, "/").linked_from.empty());
}

TEST(Truth, KnowsWhatRobotsKeepOut) {
    const TrueHost host = find_truth(Options{}, "127.0.0.1").hosts.at(0);

    EXPECT_TRUE(find(host, "/private/diary.html").robots_disallowed);
    EXPECT_FALSE(find(host, "/private/open/letter.html").robots_disallowed);
    EXPECT_EQ(find(host, "/private/drawer.html").reach, Reach::behind_robots);
    EXPECT_TRUE(find(host, "/calendar/2026-01.html").robots_disallowed);
}

TEST(Truth, CountsOnePageForAllItsSpellings) {
    const TrueHost host = find_truth(Options{}, "127.0.0.1").hosts.at(0);
    const Site site(Options{});
    const std::string url = "http://127.0.0.1:8080/rooms/spellings.html";

    unsigned count = 0;
    for (const Found& found :
         read_references(url, site.answer("127.0.0.1", "/rooms/spellings.html"))) {
        if (found.url == "http://127.0.0.1:8080/rooms/one.html") ++count;
    }

    EXPECT_EQ(count, 34u);
    EXPECT_EQ(find(host, "/rooms/one.html").depth, 3u);
}

TEST(Truth, LibraryHasPagesThatOnlySitemapsKnow) {
    const TrueHost host = find_truth(Options{}, "127.0.0.4").hosts.at(0);

    EXPECT_EQ(find(host, "/books/8.html").reach, Reach::link);
    EXPECT_EQ(find(host, "/books/9.html").reach, Reach::sitemap);
    EXPECT_EQ(find(host, "/books/40.html").reach, Reach::sitemap);
}

TEST(Truth, TrapIsNamedAndNotWalkedW19) {
    const TrueHost host = find_truth(Options{}, "127.0.0.6").hosts.at(0);

    EXPECT_EQ(host.endless, std::vector<std::string>{"http://127.0.0.6:8080/calendar/"});
    EXPECT_EQ(
        std::ranges::count_if(
            host.urls, [&](const TrueUrl& url) { return url.url.starts_with(host.endless[0]); }),
        1);
}

TEST(Truth, EveryPageOfALargerSiteIsReached) {
    const TrueHost gazette = find_truth(Options{.page_count = 5'000}, "127.0.0.1").hosts.at(0);
    const TrueHost plain = find_truth(Options{.page_count = 5'000}, "127.0.0.2").hosts.at(0);

    EXPECT_EQ(plain.urls.size(), 5'000u);
    EXPECT_GE(std::ranges::count(gazette.urls, Reach::link, &TrueUrl::reach), 5'000);
    EXPECT_LE(std::ranges::max(gazette.urls, {}, &TrueUrl::depth).depth, 8u);
}

}  // namespace
}  // namespace weft::demo
