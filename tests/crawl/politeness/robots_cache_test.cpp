#include "crawl/politeness/robots_cache.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/limits.h"
#include "http/server/server.h"

namespace weft::crawl {
namespace {

using aio::Co;

constexpr const char* kTdmFile = "/.well-known/tdmrep.json";

// A host whose robots.txt is what the test says, in virtual time.
class RobotsHost {
public:
    explicit RobotsHost(aio::SimulatedLoop& loop) : loop_(loop) {}

    http::Reply reply = {.body = "User-agent: *\nDisallow: /no\n"};
    std::map<std::string, http::Reply> others;  // By path.
    int request_count = 0;
    std::vector<std::string> requests;
    Duration tdm_delay{};  // Before tdmrep.json is answered.

    // Runs `body(cache, url)` with the host there.
    template <class Body>
    void run(Body body, RobotsOptions options = {}) {
        loop_.run([](RobotsHost& self, Body test, RobotsOptions read_options) -> Co<> {
            http::Client client;
            RobotsCache cache(client, read_options);
            const web::Url url = web::Url::parse("http://a.test/no/page").value();
            co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                http::Handler handler = [&self](const http::ServerRequest& request,
                                                http::Responder& responder) -> Co<> {
                    ++self.request_count;
                    self.requests.push_back(request.target);
                    if (request.target == kTdmFile) co_await aio::sleep(self.tdm_delay);
                    const auto other = self.others.find(request.target);
                    co_await responder.reply(other == self.others.end() ? self.reply
                                                                        : other->second);
                };
                group.create_task(
                    http::serve(self.loop_.network().listen("a.test", 80), std::move(handler)));
                co_await aio::yield_now();
                co_await test(cache, url);
                group.cancel();
            });
        }(*this, std::move(body), options));
    }

private:
    aio::SimulatedLoop& loop_;
};

Co<bool> allows(RobotsCache& cache, const web::Url& url) {
    const RobotsCache::Answer answer = co_await cache.get(url);
    co_return answer.rules->allows("weft", url.path_and_query());
}

// The reservation of tdmrep.json for the URL; empty if there is none.
Co<std::string> tdm_of(RobotsCache& cache, const web::Url& url) {
    const RobotsCache::Answer answer = co_await cache.get(url);
    const extract::TdmRule* rule =
        answer.terms ? answer.terms->tdm.find(url.path_and_query()) : nullptr;
    co_return rule ? rule->reservation : "";
}

Co<bool> is_unavailable(RobotsCache& cache, const web::Url& url) {
    try {
        co_await cache.get(url);
    } catch (const RobotsUnavailable&) {
        co_return true;
    }
    co_return false;
}

}  // namespace

TEST(RobotsCache, IsFetchedOnceHoweverManyAskAtOnce) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
        const auto [first, second, third] =
            co_await aio::gather(cache.get(url), cache.get(url), cache.get(url));
        EXPECT_EQ(first.is_new + second.is_new + third.is_new, 1);
        EXPECT_NE(cache.find(url, aio::EventLoop::running().time()), nullptr);
    });

    EXPECT_EQ(host.request_count, 1);
}

TEST(RobotsCache, H81IsFetchedAnewAfterADay) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
        const bool before = co_await allows(cache, url);
        host.reply.body = "";
        co_await aio::sleep(23h);
        const bool within = co_await allows(cache, url);
        co_await aio::sleep(2h);
        const bool after = co_await allows(cache, url);
        EXPECT_FALSE(before);
        EXPECT_FALSE(within);
        EXPECT_TRUE(after);
    });

    EXPECT_EQ(host.request_count, 2);
}

TEST(RobotsCache, H77ServerErrorsCloseTheHostAndAreAskedAgainLaterAndLater) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply = {.status = 500};
    host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
        const bool first = co_await is_unavailable(cache, url);
        const bool again = co_await is_unavailable(cache, url);
        EXPECT_TRUE(first && again);
        EXPECT_EQ(host.request_count, 1) << "no hammering";
        co_await aio::sleep(11s);
        const bool later = co_await is_unavailable(cache, url);
        EXPECT_TRUE(later);
        co_await aio::sleep(30s);
        const bool still = co_await is_unavailable(cache, url);
        EXPECT_TRUE(still);
        EXPECT_EQ(host.request_count, 2) << "forty seconds by now";
        host.reply = {.status = 429};
        co_await aio::sleep(2h);
        const bool busy = co_await is_unavailable(cache, url);
        EXPECT_TRUE(busy);
    });
}

TEST(RobotsCache, H77AServerThatSaysWhenToComeAgainIsHeard) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply = {.status = 503, .headers = {{"Retry-After", "120"}}};
    host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
        for (const Duration wait : {0s, 119s, 2s}) {
            co_await aio::sleep(wait);
            const bool is_closed = co_await is_unavailable(cache, url);
            EXPECT_TRUE(is_closed);
        }
        EXPECT_EQ(host.request_count, 2);
    });
}

TEST(RobotsCache, H77AnOldCopyIsBetterThanNoneFor30Days) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
        const bool fresh = co_await allows(cache, url);
        host.reply = {.status = 503};
        co_await aio::sleep(25h);
        const bool stale = co_await allows(cache, url);
        co_await aio::sleep(31 * 24h);
        const bool closed = co_await is_unavailable(cache, url);
        EXPECT_FALSE(fresh);
        EXPECT_FALSE(stale);
        EXPECT_TRUE(closed);
    });
}

TEST(RobotsCache, H78FourHundredsOpenTheHostUnlessToldOtherwise) {
    for (const int status : {400, 401, 403, 404, 410, 451}) {
        aio::SimulatedLoop loop;
        RobotsHost host(loop);
        host.reply = {.status = status, .body = "User-agent: *\nDisallow: /\n"};
        host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
            const bool is_allowed = co_await allows(cache, url);
            EXPECT_TRUE(is_allowed);
        });
    }
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply = {.status = 403};
    host.run(
        [](RobotsCache& cache, const web::Url& url) -> Co<> {
            const bool is_closed = co_await is_unavailable(cache, url);
            EXPECT_TRUE(is_closed);
        },
        {.forbidden_denies = true});
}

TEST(RobotsCache, H76FiveRedirectsAreFollowedMoreAreNoRules) {
    for (const int hops : {5, 6}) {
        aio::SimulatedLoop loop;
        RobotsHost host(loop);
        for (int i = 0; i < hops; ++i) {
            host.others[i == 0 ? "/robots.txt" : fmt::format("/{}", i)] = {
                .status = 302, .headers = {{"Location", fmt::format("/{}", i + 1)}}};
        }
        host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
            const bool is_allowed = co_await allows(cache, url);
            EXPECT_EQ(is_allowed, hops > 5) << hops;
        });
    }
}

TEST(RobotsCache, H76ALoopOrALoginPageHasNoRules) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.others["/robots.txt"] = {.status = 302, .headers = {{"Location", "/robots.txt"}}};
    host.run([&](RobotsCache& cache, const web::Url& url) -> Co<> {
        const bool in_loop = co_await allows(cache, url);
        host.others.clear();
        host.reply = {.headers = {{"Content-Type", "text/html"}},
                      .body = "<html><pre>User-agent: *\nDisallow: /\n</pre>"};
        co_await aio::sleep(25h);
        const bool at_login = co_await allows(cache, url);
        EXPECT_TRUE(in_loop);
        EXPECT_TRUE(at_login);
    });
}

TEST(RobotsCache, H75OnlyTheStartOfAHugeFileCounts) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply.body =
        "User-agent: *\nDisallow: /no\n" + std::string(3 << 20, '#') + "\nAllow: /no\n";
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
        const bool is_allowed = co_await allows(cache, url);
        EXPECT_FALSE(is_allowed);
        EXPECT_LE(cache.bytes(), limits::kRobotsBytesMax);
    });
}

TEST(RobotsCache, GivesEachStepOfItsFetchToWhoArchivesIt) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.others["/robots.txt"] = {.status = 302, .headers = {{"Location", "/rules"}}};
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
        RobotsCache::Captures captures;
        RobotsCache::Captures others;

        co_await cache.get(url, &captures);
        co_await cache.get(url, &others);

        EXPECT_EQ(captures.size(), 2u);
        if (captures.size() != 2) co_return;
        EXPECT_EQ(captures[0].target_uri, "http://a.test/robots.txt");
        EXPECT_TRUE(captures[0].request.starts_with("GET /robots.txt HTTP/1.1\r\n"));
        EXPECT_TRUE(captures[0].response.starts_with("HTTP/1.1 302 "));
        EXPECT_EQ(captures[1].target_uri, "http://a.test/rules");
        EXPECT_EQ(captures[1].response.substr(captures[1].response_body),
                  "User-agent: *\nDisallow: /no\n");
        EXPECT_EQ(captures[1].truncated, archive::Truncated::no);
        EXPECT_TRUE(captures[1].stands_alone);
        EXPECT_TRUE(others.empty()) << "they were not fetched again";
    });
}

TEST(RobotsCache, H77AnAnswerThatClosesTheHostIsArchivedToo) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply = {.status = 503, .body = "later"};
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
        RobotsCache::Captures captures;
        bool is_closed = false;

        try {
            co_await cache.get(url, &captures);
        } catch (const RobotsUnavailable&) {
            is_closed = true;
        }

        EXPECT_TRUE(is_closed);
        EXPECT_EQ(captures.size(), 1u);
        if (!captures.empty()) EXPECT_TRUE(captures[0].response.ends_with("\r\n\r\nlater"));
    });
}

TEST(RobotsCache, H75OfAHugeFileNoMoreIsArchivedThanIsRead) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply.body = std::string(3 << 20, '#');
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> {
        RobotsCache::Captures captures;
        co_await cache.get(url, &captures);
        EXPECT_EQ(captures.size(), 1u);
        if (captures.empty()) co_return;
        EXPECT_GE(captures[0].response.size(), limits::kRobotsBytesMax);
        EXPECT_LE(captures[0].response.size(), 2 * limits::kRobotsBytesMax);
        EXPECT_EQ(captures[0].truncated, archive::Truncated::length);
    });
}

TEST(RobotsCache, IsBoundedInEntriesAndBytes) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply.body = "#" + std::string(1'000, 'x');
    for (int i = 0; i < 40; ++i) {
        loop.network()
            .name(fmt::format("n{}.test", i))
            .addresses({loop.network().host("a.test").address()});
    }
    host.run(
        [](RobotsCache& cache, const web::Url&) -> Co<> {
            for (int i = 0; i < 40; ++i) {
                const auto other = web::Url::parse(fmt::format("http://n{}.test/", i)).value();
                co_await cache.get(other);
                EXPECT_LE(cache.size(), 10u);
                EXPECT_LE(cache.bytes(), 5'000u);
            }
            EXPECT_GE(cache.size(), 4u);
        },
        {.count_max = 10, .bytes_max = 5'000});
}

TEST(RobotsCache, TermsAreReadOnceWithRobotsTxtIfTheyAreWanted) {
    for (const bool is_wanted : {true, false}) {
        aio::SimulatedLoop loop;
        RobotsHost host(loop);
        host.reply.body = "User-agent: *\nContent-Usage: train-ai=n\n";
        host.others[kTdmFile] = {.body = R"([{"location": "/no", "tdm-reservation": 1}])"};
        RobotsCache::Captures captures;
        host.run(
            [&](RobotsCache& cache, const web::Url& url) -> Co<> {
                const RobotsCache::Answer answer = co_await cache.get(url, &captures);
                EXPECT_EQ(answer.terms != nullptr, is_wanted);
                EXPECT_EQ(cache.find_terms(url), answer.terms);
                if (answer.terms) EXPECT_EQ(answer.terms->robots.size(), 1u);
                const std::string reserved = co_await tdm_of(cache, url);
                EXPECT_EQ(reserved, is_wanted ? "1" : "");
                const web::Url other = url.resolve("/other").value();
                const std::string free = co_await tdm_of(cache, other);
                EXPECT_EQ(free, "");
                co_await aio::sleep(25h);
                co_await cache.get(url);
            },
            {.agent = is_wanted ? "weft" : ""});
        std::vector<std::string> once = {"/robots.txt"};
        if (is_wanted) once.emplace_back(kTdmFile);
        EXPECT_EQ(captures.size(), once.size());
        std::vector<std::string> twice = once;
        twice.insert(twice.end(), once.begin(), once.end());
        EXPECT_EQ(host.requests, twice) << "once a day";
    }
}

TEST(RobotsCache, NothingThatTdmrepDoesClosesTheHost) {
    const auto redirect = [](std::string where) {
        return http::Reply{.status = 302, .headers = {{"Location", std::move(where)}}};
    };
    const std::string rule = R"([{"location": "/", "tdm-reservation": 1}])";
    const std::vector<std::pair<http::Reply, Duration>> answers = {
        {{.status = 404}, 0s},
        {{.status = 403, .body = rule}, 0s},
        {{.status = 429, .body = rule}, 0s},
        {{.status = 500, .headers = {{"Retry-After", "7200"}}, .body = rule}, 0s},
        {redirect("http://10.0.0.1/private"), 0s},
        {redirect("http://[::1]/private"), 0s},
        {redirect(kTdmFile), 0s},
        {redirect("mailto:a@b.test"), 0s},
        {{.body = "[" + std::string(3 * limits::kRobotsBytesMax, ' ') + rule + "]"}, 0s},
        {{.body = "<html>front page"}, 0s},
        {{.body = rule}, 100h},
    };
    for (std::size_t i = 0; i < answers.size(); ++i) {
        aio::SimulatedLoop loop;
        RobotsHost host(loop);
        host.others[kTdmFile] = answers[i].first;
        host.tdm_delay = answers[i].second;
        host.run(
            [&](RobotsCache& cache, const web::Url& url) -> Co<> {
                const std::string reserved = co_await tdm_of(cache, url);
                EXPECT_EQ(reserved, "") << i;
                const bool is_allowed = co_await allows(cache, url);
                EXPECT_FALSE(is_allowed) << i << ": robots.txt counts";
            },
            {.forbidden_denies = true, .agent = "weft"});
        EXPECT_EQ(std::ranges::count(host.requests, "/robots.txt"), 1) << i;
        EXPECT_LE(std::ranges::count(host.requests, kTdmFile), 6) << i;
    }
}

TEST(RobotsCache, ATdmrepThatRobotsTxtDisallowsIsNotAskedFor) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.reply.body = "User-agent: weft\nDisallow: /.well-known/\n";
    host.run([](RobotsCache& cache, const web::Url& url) -> Co<> { co_await cache.get(url); },
             {.agent = "weft"});
    EXPECT_EQ(host.requests, std::vector<std::string>{"/robots.txt"});
}

TEST(RobotsCache, TermsFollowRedirectsAndFitIntoTheCredit) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.others[kTdmFile] = {.status = 301, .headers = {{"Location", "/terms.json"}}};
    // More than a loan of the usual size holds.
    host.others["/terms.json"] = {.body = R"([{"location": "/", "tdm-reservation": 1}])" +
                                          std::string(300'000, ' ')};
    BodyCredit credit(32_MiB);
    RobotsCache::Captures captures;
    BodyCredit::Loan held;
    host.run(
        [&](RobotsCache& cache, const web::Url& url) -> Co<> {
            const RobotsCache::Answer answer = co_await cache.get(url, &captures, &held);
            EXPECT_TRUE(answer.terms && answer.terms->tdm.size() == 1);
        },
        {.credit = &credit, .agent = "weft"});
    EXPECT_EQ(captures.size(), 3u);
    EXPECT_GE(held.bytes(), 300'000u);
    held = {};
    EXPECT_EQ(credit.held_bytes(), 0u);
}

TEST(RobotsCache, TermsWaitForMemoryAndAreLeftOutIfThereIsNeverEnough) {
    for (const bool is_enough : {true, false}) {
        aio::SimulatedLoop loop;
        RobotsHost host(loop);
        host.others[kTdmFile] = {.body = R"([{"location": "/", "tdm-reservation": 1}])" +
                                         std::string(300'000, ' ')};
        BodyCredit credit(is_enough ? 8_MiB : 200_KiB);
        RobotsCache::Captures captures;
        BodyCredit::Loan held;
        host.run(
            [&](RobotsCache& cache, const web::Url& url) -> Co<> {
                co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                    BodyCredit::Loan others = co_await credit.borrow(credit.bytes_max() - 64_KiB);
                    auto asked = group.create_task(cache.get(url, &captures, &held));
                    co_await aio::sleep(10s);
                    EXPECT_FALSE(asked.done());
                    others = {};
                    const RobotsCache::Answer answer = co_await std::move(asked);
                    EXPECT_EQ(answer.terms != nullptr, is_enough);
                    EXPECT_FALSE(answer.rules->allows("weft", "/no"));
                });
            },
            {.credit = &credit, .agent = "weft"});
        EXPECT_EQ(host.requests,
                  (std::vector<std::string>{"/robots.txt", kTdmFile, "/robots.txt", kTdmFile}));
        EXPECT_EQ(captures.size(), is_enough ? 2u : 1u);
        held = {};
        EXPECT_EQ(credit.held_bytes(), 0u);
    }
}

// Rules of tdmrep.json count to the memory of the cache.
TEST(RobotsCache, TermsAreBoundedWithTheRules) {
    aio::SimulatedLoop loop;
    RobotsHost host(loop);
    host.others[kTdmFile] = {.body = R"([{"location": "/)" + std::string(100'000, 'a') +
                                     R"(", "tdm-reservation": 1}])"};
    host.run(
        [](RobotsCache& cache, const web::Url& url) -> Co<> {
            co_await cache.get(url);
            EXPECT_GE(cache.bytes(), 100'000u);
        },
        {.agent = "weft"});
}

}  // namespace weft::crawl
