#include "crawl/run/put_backs.h"

#include <gtest/gtest.h>

namespace weft::crawl {

TEST(PutBacks, ALeaseThatWasPutBackIsNoAttempt) {
    PutBacks put_backs;
    put_backs.add("http://a.test/");
    put_backs.add("http://a.test/");

    EXPECT_EQ(put_backs.attempt_of("http://a.test/", 3), 1u);
    EXPECT_EQ(put_backs.attempt_of("http://a.test/", 4), 2u);
    EXPECT_EQ(put_backs.attempt_of("http://b.test/", 3), 3u);
}

TEST(PutBacks, ALeaseIsAtLeastTheFirstAttempt) {
    PutBacks put_backs;
    put_backs.add("http://a.test/");
    put_backs.add("http://a.test/");

    EXPECT_EQ(put_backs.attempt_of("http://a.test/", 1), 1u);
}

TEST(PutBacks, RefusedLinksAreCountedOnceWhenTheUrlEnds) {
    PutBacks put_backs;
    put_backs.add_refused("http://a.test/", {{"sitemap_limit", 2}});
    put_backs.add_refused("http://a.test/", {{"sitemap_limit", 1}, {"other_host", 1}});
    PutBacks::Refusals refused{{"other_host", 4}};
    PutBacks::Refusals none;

    put_backs.take("http://a.test/", refused);
    put_backs.take("http://a.test/", none);

    EXPECT_EQ(refused, (PutBacks::Refusals{{"sitemap_limit", 3}, {"other_host", 5}}));
    EXPECT_TRUE(none.empty());
}

TEST(PutBacks, AUrlThatHasEndedIsForgotten) {
    PutBacks put_backs;
    put_backs.add("http://a.test/");
    PutBacks::Refusals refused;

    put_backs.take("http://a.test/", refused);

    EXPECT_EQ(put_backs.attempt_of("http://a.test/", 2), 2u);
}

}  // namespace weft::crawl
