// Hosts that are slow, silent or dead cost a good one next to nothing, however many they are. In
// virtual time.
#include <gtest/gtest.h>

#include "crawl/canary_crawl.h"

namespace weft::crawl {
namespace {

using aio::Co;
using aio::NameFault;
using aio::Reach;

// What the other hosts do.
enum class Ill {
    dripping_page,    // A byte a second,
    dripping_robots,  // of the robots.txt.
    silent_server,
    silent_tls,
    black_hole,
    dead_name,
    failing_name,
};

http::Handler drip(bool drips_robots) {
    return [drips_robots](const http::ServerRequest& request, http::Responder& responder) -> Co<> {
        const bool is_robots = request.target == "/robots.txt";
        if (is_robots != drips_robots) {
            co_await responder.reply({.status = 404});
            co_return;
        }
        co_await responder.start({.headers = {{"Content-Type", "text/html"}}});
        for (;;) {
            co_await responder.write("x");
            co_await aio::sleep(1s);
        }
    };
}

void add_ill(CanaryCrawl& crawl, Ill ill, int count, std::string_view prefix) {
    for (int i = 0; i < count; ++i) {
        const std::string name = fmt::format("{}{}.test", prefix, i);
        switch (ill) {
            case Ill::dripping_page: crawl.add_host(name, drip(false)); break;
            case Ill::dripping_robots: crawl.add_host(name, drip(true)); break;
            case Ill::silent_server: crawl.add_silent_host(name, "http"); break;
            case Ill::silent_tls: crawl.add_silent_host(name, "https"); break;
            case Ill::black_hole:
                crawl.seed(name);
                crawl.loop.network().host(name).reach(Reach::black_hole);
                break;
            case Ill::dead_name:
                crawl.seed(name);
                crawl.loop.network().name(name).fails(NameFault::no_answer);
                break;
            case Ill::failing_name:
                crawl.seed(name);
                crawl.loop.network().name(name).fails(NameFault::server_failure);
                break;
        }
    }
}

// Pages of the canary in 45 seconds beside so many others. It is the first that is asked, or the
// last.
int canary_pages(std::optional<Ill> ill, int count, bool is_first = true) {
    CanaryCrawl crawl;
    if (ill) add_ill(crawl, *ill, count, is_first ? "ill" : "a-ill");
    crawl.run();
    EXPECT_EQ(crawl.stop_reason, StopReason::time);
    return crawl.canary_count;
}

class Fairness : public testing::TestWithParam<Ill> {};

}  // namespace

// A thousand hosts at a byte a second left a good one with no page in 45 seconds; so did others.
TEST_P(Fairness, AThousandIllHostsLeaveAGoodOneNineTenthsOfItsRate) {
    const int alone = canary_pages(std::nullopt, 0);
    EXPECT_GT(alone, 800);
    EXPECT_GE(canary_pages(GetParam(), 1'000), alone * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(All, Fairness,
                         testing::Values(Ill::dripping_page, Ill::dripping_robots,
                                         Ill::silent_server, Ill::silent_tls, Ill::black_hole,
                                         Ill::dead_name, Ill::failing_name));

TEST(Fairness, FiveThousandAreNoWorse) {
    const int alone = canary_pages(std::nullopt, 0);
    EXPECT_GE(canary_pages(Ill::dripping_page, 5'000), alone * 9 / 10);
}

// A host that nothing is known of has to wait until those before it are known to be slow.
TEST(Fairness, AGoodHostThatComesLastIsFoundInSeconds) {
    const int alone = canary_pages(std::nullopt, 0);
    EXPECT_GE(canary_pages(Ill::dripping_page, 1'000, false), alone * 3 / 4);
    EXPECT_GE(canary_pages(Ill::black_hole, 1'000, false), alone * 3 / 4);
}

}  // namespace weft::crawl
