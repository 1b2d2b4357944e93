// What a crawl makes of hosts that fail: each URL ends once, after few tries with growing pauses.
#include <gtest/gtest.h>

#include "aio/loop/loop.h"
#include "hostile/arena.h"

namespace weft::hostile {
namespace {

using Moments = std::shared_ptr<std::vector<Duration>>;

// Notes when a connection comes.
Step note_moment(const Moments& moments) {
    return make_step([moments](Stage&) -> aio::Co<> {
        moments->push_back(aio::EventLoop::running().time().time_since_epoch());
        co_return;
    });
}

}  // namespace

TEST(Hostile, H01H07AFetchThatBreaksIsTriedThriceWithGrowingPauses) {
    struct Row {
        Script script;
        std::string_view failure;
    };
    const std::string half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello";
    const Row rows[] = {
        {{await_request(), send(half)}, "reset"},
        {{read_request(), send(half)}, "truncated"},
        {{read_request()}, "closed_early"},
    };
    for (const Row& row : rows) {
        Arena arena;
        const auto moments = std::make_shared<std::vector<Duration>>();
        Script script{note_moment(moments)};
        script.insert(script.end(), row.script.begin(), row.script.end());
        arena.serve(script);

        const std::vector<crawl::Outcome> outcomes = arena.crawl({});

        ASSERT_EQ(outcomes.size(), 1u);
        EXPECT_EQ(outcomes[0].ending, crawl::Ending::failed);
        EXPECT_EQ(outcomes[0].failure, row.failure);
        EXPECT_EQ(outcomes[0].attempt_count, 3u);
        ASSERT_EQ(moments->size(), 3u);
        EXPECT_GE((*moments)[1] - (*moments)[0], 1s);
        EXPECT_GE((*moments)[2] - (*moments)[1], 4s);
        EXPECT_LE((*moments)[2] - (*moments)[1], 9s);
    }
}

TEST(Hostile, H06AHostThatRefusesIsGivenUp) {
    for (const auto& [reach, failure] : {std::pair(aio::Reach::refusing, "connect_refused"),
                                         std::pair(aio::Reach::unreachable, "connect_unreachable"),
                                         std::pair(aio::Reach::black_hole, "connect_timeout")}) {
        Arena arena;
        arena.network().host("evil.test").reach(reach);

        const std::vector<crawl::Outcome> outcomes = arena.crawl({});

        ASSERT_EQ(outcomes.size(), 1u);
        EXPECT_EQ(outcomes[0].failure, failure);
        EXPECT_EQ(outcomes[0].attempt_count, 3u);
        EXPECT_LE(arena.now(), 90s);  // Three tries of 10 s and the pauses between them.
    }
}

TEST(Hostile, H11ANameThatIsNotThereIsTriedOnce) {
    Arena arena;
    arena.network().name("evil.test").fails(aio::NameFault::no_such_name);

    const std::vector<crawl::Outcome> outcomes = arena.crawl({});

    ASSERT_EQ(outcomes.size(), 1u);
    EXPECT_EQ(outcomes[0].failure, "no_such_host");
    EXPECT_EQ(outcomes[0].attempt_count, 1u);
}

}  // namespace weft::hostile
