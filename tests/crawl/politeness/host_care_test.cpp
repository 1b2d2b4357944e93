#include "crawl/politeness/host_care.h"

#include <gtest/gtest.h>

#include "crawl/visit/active_visit.h"

namespace weft::crawl {
namespace {

// A try at a host that ended now. The test says how, and settles it.
struct EndedTry {
    Config config{.wait = 1s, .try_count_max = 3};
    HostState host{.name = "a.test"};
    Random random{1};
    TimePoint now{1h};

    ActiveVisit visit() {
        ActiveVisit visit{.id = 1,
                          .url = web::Url::parse("http://a.test/").value(),
                          .trail = {},
                          .host = host,
                          .is_last_try = false,
                          .was_asked = true};
        visit.outcome.elapsed = 100ms;
        return visit;
    }
    NextTry settle(ActiveVisit& visit) { return settle_host(visit, config, now, random); }
};

}  // namespace

TEST(HostCare, AGoodAnswerIsFollowedByThePolitePause) {
    EndedTry ended;
    ActiveVisit visit = ended.visit();
    visit.outcome.status = 200;

    const NextTry next = ended.settle(visit);

    EXPECT_EQ(next.ready, ended.now + 1s);
    EXPECT_FALSE(next.retry_at);
    EXPECT_EQ(ended.host.standing, Standing::good);
    EXPECT_EQ(ended.host.wait, HostWait::pause);
}

TEST(HostCare, WhatWasNotAskedNeedsNoPause) {
    EndedTry ended;
    ActiveVisit visit = ended.visit();
    visit.was_asked = false;

    EXPECT_EQ(ended.settle(visit).ready, ended.now);
}

TEST(HostCare, ARetryComesNoSoonerThanTheRetryAfter) {
    EndedTry ended;
    ActiveVisit visit = ended.visit();
    visit.outcome.status = 503;
    visit.trouble = Trouble::overload;
    visit.is_overloaded = true;
    visit.retry_after = 5min;

    const NextTry next = ended.settle(visit);

    EXPECT_EQ(next.ready, ended.now + 5min);
    EXPECT_EQ(next.retry_at, ended.now + 5min);
    EXPECT_EQ(ended.host.wait, HostWait::retry_after);
}

TEST(HostCare, TheLastTryOfAPageIsNotRepeated) {
    EndedTry ended;
    ActiveVisit visit = ended.visit();
    visit.trouble = Trouble::exchange;
    visit.is_last_try = true;

    EXPECT_FALSE(ended.settle(visit).retry_at);
}

TEST(HostCare, ARobotsTxtThatFailsAtTheLastTryClosesTheHost) {
    EndedTry ended;
    ActiveVisit visit = ended.visit();
    visit.was_asked = false;
    visit.is_last_try = true;
    visit.trouble = Trouble::robots;
    visit.again_at = ended.now + 1min;
    visit.outcome.failure = "robots_unavailable";
    visit.outcome.reason = "status 503";
    ActiveVisit other = ended.visit();

    const NextTry next = ended.settle(visit);

    EXPECT_FALSE(next.retry_at);
    EXPECT_FALSE(may_ask(other, ended.now + 59s));
    EXPECT_EQ(other.outcome.failure, "robots_unavailable");
    EXPECT_EQ(other.outcome.reason, "status 503");
    EXPECT_TRUE(may_ask(other, ended.now + 1min));
}

TEST(HostCare, ANameThatDoesNotExistIsGivenUpWhenTheBreakerWouldOpen) {
    EndedTry ended;
    ended.config.breaker_failure_count = 2;
    ActiveVisit other = ended.visit();

    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(may_ask(other, ended.now));
        ActiveVisit visit = ended.visit();
        visit.is_about_host = true;
        visit.is_hopeless = true;
        visit.outcome.reason = "no such host";
        ended.settle(visit);
    }

    EXPECT_FALSE(may_ask(other, ended.now));
    EXPECT_EQ(other.outcome.failure, "host_down");
    EXPECT_TRUE(other.outcome.reason.ends_with("no such host")) << other.outcome.reason;
}

}  // namespace weft::crawl
