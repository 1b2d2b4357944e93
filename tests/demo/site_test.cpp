#include "demo/server/site.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace weft::demo {
namespace {

std::string header(const Answer& answer, std::string_view name) {
    const auto found =
        std::ranges::find(answer.headers, name, &std::pair<std::string, std::string>::first);
    return found == answer.headers.end() ? "" : found->second;
}

TEST(Site, SameOptionsGiveSameBytes) {
    const Site site(Options{});
    const Site again(Options{});

    for (const TrueHost& host : site.truth().hosts) {
        for (const TrueUrl& url : host.urls) {
            const std::string target = url.url.substr(host.home.size() - 1);
            EXPECT_EQ(site.answer(host.host, target).body, again.answer(host.host, target).body);
        }
    }
}

TEST(Site, AnotherSeedGivesAnotherText) {
    const Site site(Options{.seed = 1});
    const Site other(Options{.seed = 2});

    EXPECT_NE(site.answer("127.0.0.1", "/looms/").body, other.answer("127.0.0.1", "/looms/").body);
}

TEST(Site, AnswersAMillionPagesWithoutHoldingThem) {
    const Site site(Options{.page_count = 1'000'000});

    EXPECT_EQ(site.answer("127.0.0.2", "/page/999999.html").status, 200);
    EXPECT_EQ(site.answer("127.0.0.2", "/page/1000000.html").status, 404);
    EXPECT_EQ(site.answer("127.0.0.1", "/sitemap-99.xml").status, 200);
    EXPECT_EQ(site.answer("127.0.0.1", "/sitemap-100.xml").status, 404);
}

TEST(Site, RefusesHostsAndTargetsThatAreNone) {
    const Site site(Options{});

    EXPECT_EQ(site.answer("127.0.0.9", "/").status, 421);
    EXPECT_EQ(site.answer("localhost", "/").status, 421);
    EXPECT_EQ(site.answer("127.0.0.1", "").status, 400);
    EXPECT_EQ(site.answer("127.0.0.1", "http://127.0.0.1/").status, 400);
}

TEST(Site, UndoesDotSegmentsAndNeedlessEscapesOfARequest) {
    const Site site(Options{});
    const std::string one = site.answer("127.0.0.1", "/rooms/one.html").body;

    for (const char* target :
         {"/rooms/./one.html", "/rooms/x/../one.html", "/rooms/%6Fne.html", "/../rooms/one.html",
          "/rooms/%2e/one%2Ehtml", "/rooms/one.html#x"}) {
        EXPECT_EQ(site.answer("127.0.0.1", target).body, one) << target;
    }
}

TEST(Site, EveryRedirectKindIsThere) {
    const Site site(Options{});

    for (const int status : {301, 302, 303, 307, 308}) {
        const Answer answer = site.answer("127.0.0.5", fmt::format("/go/{}", status));
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(header(answer, "Location"), fmt::format("/landed/{}.html", status));
    }
}

TEST(Site, RobotsDifferFromHostToHost) {
    const Site site(Options{.port = 81});

    EXPECT_EQ(site.answer("127.0.0.1", "/robots.txt").body,
              "# Rules for everybody.\nUser-agent: *\nDisallow: /private/\nDisallow: /calendar/\n"
              "Allow: /private/open/\n\nSitemap: http://127.0.0.1:81/sitemap.xml\n");
    EXPECT_EQ(site.answer("127.0.0.2", "/robots.txt").status, 404);
    EXPECT_NE(site.answer("127.0.0.3", "/robots.txt").body.find("Crawl-delay: 1\n"),
              std::string::npos);
}

TEST(Site, DelayIsAddedToThatOfSlowPages) {
    const Site site(Options{.delay = 5ms, .slow_delay = 100ms});

    EXPECT_EQ(site.answer("127.0.0.1", "/").delay, 5ms);
    EXPECT_EQ(site.answer("127.0.0.3", "/slow/1.html").delay, 205ms);
}

TEST(Site, HostilePagesAreLinkedOnlyWhenAsked) {
    const Site calm(Options{});
    const Site hostile(Options{.hostile = true});

    EXPECT_EQ(calm.answer("127.0.0.1", "/").body.find("/hostile/"), std::string::npos);
    EXPECT_NE(hostile.answer("127.0.0.1", "/").body.find("/hostile/"), std::string::npos);
    EXPECT_EQ(calm.answer("127.0.0.8", "/hostile/").status, 200);
}

TEST(Site, HasThePagesThatStopTheReferenceW1ToW7) {
    const Site site(Options{.hostile = true});
    const auto get = [&](std::string_view name) {
        return site.answer("127.0.0.8", fmt::format("/hostile/{}", name));
    };

    EXPECT_EQ(get("no-location").status, 302);
    EXPECT_EQ(header(get("no-location"), "Location"), "");
    EXPECT_EQ(get("cut-short.html").behaviour, Behaviour::cut_short);
    EXPECT_EQ(header(get("bad-charset.html"), "Content-Type"), "text/html; charset=utf-8");
    EXPECT_NE(get("bad-charset.html").body.find('\xFF'), std::string::npos);
    EXPECT_NE(get("bad-links.html").body.find("http://[::1/x"), std::string::npos);
    EXPECT_EQ(header(get("bad-gzip.html"), "Content-Encoding"), "gzip");
    EXPECT_EQ(get("silent.html").behaviour, Behaviour::silent);
    EXPECT_EQ(get("drip.html").behaviour, Behaviour::drip);
}

TEST(Site, TheTruthIsServedOnEveryHost) {
    const Site site(Options{});

    const Answer whole = site.answer("127.0.0.3", kTruthPath);
    const Answer one = site.answer("127.0.0.3", fmt::format("{}?host=127.0.0.4", kTruthPath));

    EXPECT_EQ(whole.body, to_json(site.truth()));
    EXPECT_LT(one.body.size(), whole.body.size());
    EXPECT_EQ(site.answer("127.0.0.3", fmt::format("{}?host=a", kTruthPath)).status, 404);
}

}  // namespace
}  // namespace weft::demo
