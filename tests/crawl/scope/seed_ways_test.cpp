#include "crawl/scope/seed_ways.h"

#include <gtest/gtest.h>

namespace weft::crawl {
namespace {

constexpr const char* kSeed = "http://short.test/abc";
constexpr const char* kEnd = "https://www.long.test/article";

web::Url parsed(std::string_view text) {
    return web::Url::parse(text).value();
}

struct SeedJourney {
    Config config{.seeds = {parsed(kSeed)}};
    Scope scope{config};
    SeedWays ways{scope};

    void redirect(const char* from, const char* to) { ways.follow(parsed(from), make(from, to)); }
    void fetch(const char* url) { ways.follow(parsed(url), make(url, "")); }

    static Outcome make(const char* url, const char* target, Via via = Via::link) {
        Outcome outcome;
        outcome.url = url;
        outcome.via = via;
        outcome.ending = *target ? Ending::redirect : Ending::fetched;
        outcome.redirect_target = target;
        return outcome;
    }
    bool wants(const char* url) const { return scope.is_in_place(parsed(url)); }
};

}  // namespace

TEST(SeedWays, TheScopeMovesToWhereTheRedirectsOfASeedEnd) {
    SeedJourney journey;

    journey.redirect(kSeed, "http://long.test/");
    journey.redirect("http://long.test/", kEnd);
    EXPECT_TRUE(journey.wants(kSeed));
    journey.fetch(kEnd);

    EXPECT_TRUE(journey.wants("https://long.test/other"));
    EXPECT_FALSE(journey.wants(kSeed));
}

TEST(SeedWays, ASeedWhoseRedirectsFailStays) {
    SeedJourney journey;
    Outcome failed = SeedJourney::make(kEnd, "");
    failed.ending = Ending::failed;

    journey.redirect(kSeed, kEnd);
    journey.ways.follow(parsed(kEnd), failed);

    EXPECT_TRUE(journey.wants(kSeed));
    EXPECT_FALSE(journey.wants(kEnd));
}

TEST(SeedWays, OfAnEarlierRunOnlyWhatASeedLedToMovesTheScope) {
    SeedJourney journey;

    journey.ways.remember(SeedJourney::make("http://other.test/", ""));
    EXPECT_TRUE(journey.wants(kSeed));
    journey.ways.remember(SeedJourney::make(kSeed, kEnd, Via::seed));
    journey.ways.remember(SeedJourney::make(kEnd, "", Via::redirect));

    EXPECT_TRUE(journey.wants(kEnd));
    EXPECT_FALSE(journey.wants(kSeed));
}

}  // namespace weft::crawl
