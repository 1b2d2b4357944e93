#include "crawl/scope/traps.h"

#include <gtest/gtest.h>

#include "crawl/crawl_site.h"
#include "crawl/scope/trap_watch.h"

namespace weft::crawl {
namespace {

web::Url trap_url(std::string_view path) {
    return web::Url::parse("http://a.test" + std::string(path)).value();
}

std::string trap(std::string_view path) {
    const auto found = trap_of(trap_url(path), Config(), 2028);
    return found ? std::string(name(*found)) : "";
}

// Visits so many pages of a pattern, each found on the one before; gives how many were let through.
int pages_before_cut(const std::string& pattern, const std::function<std::string(int)>& text,
                     int count, int pages_per_step = 1) {
    const Config config;
    TrapWatch watch(config, 1);
    for (int i = 0; i < count; ++i) {
        const web::Url page = trap_url(fmt::format(fmt::runtime(pattern), i));
        if (watch.refuses(1, page)) return i;
        const TrapWatch::Look look = watch.begin(1, page);
        if (!look.wants_skeleton) continue;
        Skeleton skeleton;
        skeleton.add(text(i));
        watch.note(1, page, look, skeleton.finish(),
                   static_cast<std::uint32_t>(i / pages_per_step));
    }
    return count;
}

}  // namespace

TEST(Traps, H68AreSeenByTheLooksOfAUrl) {
    EXPECT_EQ(trap("/a/b/a/b/a/b/a/b/"), "path_repeats");
    EXPECT_EQ(trap("/a/b/a/b/a/b/"), "");
    EXPECT_EQ(trap("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20"), "");
    EXPECT_EQ(trap("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21"), "path_depth");
    std::string query = "/?";
    for (int i = 0; i < 20; ++i) query += fmt::format("{}p{}=1", i == 0 ? "" : "&", i);
    EXPECT_EQ(trap(query), "");
    EXPECT_EQ(trap(query + "&q=1"), "query_size");
}

TEST(Traps, H68DatesFarOffAreMadeUp) {
    EXPECT_EQ(trap("/calendar/2031/02/17"), "calendar");
    EXPECT_EQ(trap("/events?month=2029-01"), "calendar");
    EXPECT_EQ(trap("/files/ab94031/7f00.html"), "") << "digits of a digest are no date";
    EXPECT_EQ(trap("/files/94031-7f00.html"), "");
    EXPECT_EQ(trap("/events?month=2028-12"), "");
    EXPECT_EQ(trap("/archive/1848/03/"), "");
    EXPECT_EQ(trap("/part/9000/77"), "");
    EXPECT_EQ(trap("/phone-5551-12345"), "");
}

TEST(Traps, UrlsHaveShapes) {
    EXPECT_EQ(url_shape(trap_url("/calendar/2026-01.html?view=week&x=2")),
              "/calendar/{n}-{n}.html?view&x");
    EXPECT_EQ(url_shape(trap_url("/plain/words")), "/plain/words");
}

TEST(Traps, EachKindOfTrapHasItsName) {
    EXPECT_EQ(trap_name(trap_url("/calendar/2026-01.html"), "/calendar/{n}-{n}.html"),
              Refusal::calendar);
    EXPECT_EQ(trap_name(trap_url("/s/0123456789abcdef/x"), "/s/{hex}/x"), Refusal::session_id);
    EXPECT_EQ(trap_name(trap_url("/next/7"), "/next/{n}"), Refusal::url_pattern);
}

TEST(TrapWatch, H68PagesAlikeButForNumbersAreCutOff) {
    const auto month = [](int i) { return fmt::format("<h1>Month {}</h1> Nothing happens", i); };
    const auto seasons = [](int i) { return fmt::format("{} {}", i % 12 == 0 ? "Jan" : "Feb", i); };

    EXPECT_LT(pages_before_cut("/cal/{}", month, 1'000), 100);
    EXPECT_LT(pages_before_cut("/cal/{}", seasons, 1'000), 150);
}

TEST(TrapWatch, PagesWithWordsOfTheirOwnAreNot) {
    const auto article = [](int i) {
        std::string text;
        for (int bit = 0; bit < 12; ++bit) text += (i >> bit & 1) != 0 ? "warp " : "weft ";
        return text;
    };

    EXPECT_EQ(pages_before_cut("/article/{}", article, 3'000), 3'000);
    EXPECT_EQ(pages_before_cut("/no-number", article, 100), 100);
}

TEST(TrapWatch, PagesAlikeButForNumbersOfAWideSiteAreNot) {
    const auto record = [](int i) { return fmt::format("Record {}", i); };

    EXPECT_EQ(pages_before_cut("/record/{}", record, 3'000, 10), 3'000);
}

TEST(TrapWatch, OfAWideSiteOfAlikePagesFewAreLookedAt) {
    const Config config;
    TrapWatch watch(config, 1);
    int looks = 0;
    for (int i = 0; i < 3'000; ++i) {
        const web::Url page = trap_url(fmt::format("/record/{}", i));
        const TrapWatch::Look look = watch.begin(1, page);
        if (!look.wants_skeleton) continue;
        ++looks;
        watch.note(1, page, look, 7, 3);
    }
    EXPECT_LT(looks, 300);
}

TEST(TrapWatch, ThePageThatIsAloneInItsPatternIsNotLookedAt) {
    const Config config;
    TrapWatch watch(config, 1);
    EXPECT_FALSE(watch.begin(1, trap_url("/manual-3.11/one")).wants_skeleton);
    EXPECT_FALSE(watch.begin(1, trap_url("/manual-3.11/two")).wants_skeleton);
    EXPECT_TRUE(watch.begin(1, trap_url("/manual-3.12/two")).wants_skeleton);
}

TEST(TrapWatch, H68OnePageUnderEverNewIdsIsCutOffHoweverWide) {
    const auto page = [](int i) { return fmt::format("The same <a href=/s/{:08x}f>page</a>", i); };

    EXPECT_LT(pages_before_cut("/s/{:08x}f", page, 3'000, 3'000), 100);
}

TEST(TrapWatch, ItsMemoryIsBounded) {
    const Config config;
    TrapWatch watch(config, 1);
    for (int i = 0; i < 200'000; ++i) watch.begin(1, trap_url(fmt::format("/x{:x}y?p{}", i, i)));

    EXPECT_LE(watch.pattern_count(), 1u << 16);
}

TEST(TrapWatch, H68APatternHasABudget) {
    Config config;
    config.pages_per_pattern_max = 10;
    TrapWatch watch(config, 1);

    int begun = 0;
    for (int i = 0; i < 50; ++i)
        begun += watch.begin(1, trap_url(fmt::format("/p/{}", i))).is_spent ? 0 : 1;

    EXPECT_EQ(begun, 10);
}

// 950,000 of a million pages /x/N were skipped: a number decided where their content should.
TEST(TrapWatch, APatternHasNoBudgetUnlessOneIsGiven) {
    const Config config;
    TrapWatch watch(config, 1);

    bool is_spent = false;
    for (int i = 0; i < 60'000; ++i) {
        is_spent |= watch.begin(1, trap_url(fmt::format("/x/{}", i))).is_spent;
    }

    EXPECT_FALSE(is_spent);
}

TEST(Traps, H68AnEndlessChainEndsByItselfAndSaysWhy) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        site.page("/", "<a href=/next/0>go</a>");
        for (int i = 0; i < 400; ++i) {
            site.page(fmt::format("/next/{}", i),
                      fmt::format("Number {} <a href=/next/{}>on</a>", i, i + 1));
        }
    });

    EXPECT_LT(result.outcome_count, 120u);
    EXPECT_EQ(result.statistics.refused.at(Refusal::url_pattern), 1u);
}

TEST(Traps, H68SessionIdsMakeNoNewPages) {
    const CrawlResult result = crawl_site([](TestSite& site) {
        std::string links;
        for (int i = 0; i < 20; ++i) {
            links +=
                fmt::format("<a href='/a?PHPSESSID={0}'>x</a><a href='/b;jsessionid={0}'>y</a>", i);
        }
        site.page("/", links);
    });

    EXPECT_EQ(result.outcome_count, 3u);
}

TEST(Traps, H69ATarpitCostsNoMoreThanTheBudgetOfItsHost) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            site.page("/", "<a href=/maze/word-a>go</a>");
            for (char c = 'a'; c < 'z'; ++c) {
                site.page(fmt::format("/maze/word-{}", c),
                          fmt::format("{} of {} <a href=/maze/word-{}>on</a>", c, std::string(9, c),
                                      static_cast<char>(c + 1)));
            }
            site.delay = 20ms;
        },
        [](Config& config) { config.host_budget.time_max = 100ms; });

    EXPECT_LT(result.requests.size(), 10u);
    EXPECT_EQ(result.statistics.skipped_count, 1u);
    EXPECT_EQ(result.statistics.by_failure.at("host_time"), 1u);
}

TEST(Traps, H70ManyLinksOnAPageCountOnceEach) {
    const CrawlResult result = crawl_site(
        [](TestSite& site) {
            std::string links;
            for (int i = 0; i < 12'000; ++i) links += fmt::format("<a href=w{}>x</a>", i);
            for (int i = 0; i < 100'000; ++i) links += "<a href=same>x</a>";
            site.page("/", links + "<a href='/" + std::string(1'000'000, 'a') + "'>long</a>");
        },
        [](Config& config) { config.crawl_budget.page_count_max = 1; });

    EXPECT_EQ(result.at("/").link_count, 12'001u);
    EXPECT_FALSE(result.at("/").is_truncated);
}

}  // namespace weft::crawl
