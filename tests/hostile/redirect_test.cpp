// H33 to H40: where answers lead, and what they would have us remember or say again.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "hostile/arena.h"
#include "web/fields/date.h"

namespace weft::hostile {
namespace {

std::string redirect(std::string_view fields) {
    return fmt::format("HTTP/1.1 302 Found\r\n{}Content-Length: 0\r\n\r\n", fields);
}

Script answering(std::string answer) {
    return {read_request(), send(std::move(answer))};
}

// Answers the n-th request of all connections with a redirect to /n.
Script endless_chain() {
    return {make_step([count = 0](Stage& stage) mutable -> aio::Co<> {
        const Step listen = read_request();
        for (;;) {
            co_await (*listen)(stage);
            co_await stage.stream.write(redirect(fmt::format("Location: /{}\r\n", ++count)));
        }
    })};
}

}  // namespace

TEST(Hostile, H33RedirectsEndAfterTwenty) {
    for (const Script& script :
         {answering(redirect("Location: /\r\n")),
          answering(redirect("Location: /\r\nSet-Cookie: a=b\r\n")), endless_chain()}) {
        Arena arena;
        ScriptedServer& server = arena.serve(script);

        const Ending ending = arena.fetch({.follow = true});

        expect_failure(ending, "bad_redirect", {.deadline = 5s});
        const std::string all = fmt::format("{}", fmt::join(server.heard(), ""));
        std::size_t request_count = 0;
        for (std::size_t at = all.find("GET "); at != std::string::npos;
             at = all.find("GET ", at + 1)) {
            ++request_count;
        }
        EXPECT_LE(request_count, 21u);  // Fewer where it goes in circles.
    }
}

TEST(Hostile, H33ARedirectLeadsToOnePlaceOrIsAnAnswer) {
    struct Row {
        std::string fields;
        std::string_view failure;
        int status;
    };
    const std::vector<Row> rows{
        {"", "", 302},
        {"Location:\r\n", "", 302},
        {"Location: " + std::string(10'000, 'x') + "\r\n", "bad_redirect", 0},
        {"Location: " + std::string(100'000, 'x') + "\r\n", "bad_response", 0},
        {"Location: /a\r\nLocation: /b\r\n", "bad_redirect", 0},
        {"Location: http://\r\n", "bad_redirect", 0},
    };
    for (const Row& row : rows) {
        Arena arena;
        arena.serve(answering(redirect(row.fields)));

        const Ending ending = arena.fetch({.follow = true});

        EXPECT_EQ(ending.failure, row.failure) << row.fields.substr(0, 60) << ending.what;
        EXPECT_EQ(ending.response.status, row.status);
    }
}

TEST(Hostile, H33ACrawlFollowsALoopOnceAndAChainToItsLimit) {
    Arena loop;
    ScriptedServer& looping = loop.serve(answering(redirect("Location: /\r\n")));
    const std::vector<crawl::Outcome> once = loop.crawl({});
    EXPECT_EQ(once.size(), 1u);
    EXPECT_EQ(looping.connection_count(), 1u);

    Arena chain;
    chain.serve(endless_chain());
    const std::vector<crawl::Outcome> outcomes = chain.crawl({});
    EXPECT_EQ(outcomes.size(), 1u + limits::kRedirectCountMax);
    EXPECT_EQ(outcomes.back().reason, "redirect limit reached");
}

TEST(Hostile, H34RedirectsLeadOnlyToTheWeb) {
    struct Row {
        std::string_view target;
        std::string_view failure;
    };
    const Row rows[] = {
        {"file:///etc/passwd", "bad_redirect"},
        {"ftp://evil.test/", "bad_redirect"},
        {"gopher://evil.test:6379/_FLUSHALL", "bad_redirect"},
        {"data:text/html,hello", "bad_redirect"},
        {"javascript:alert(1)", "bad_redirect"},
        {"http://evil.test:22/", "bad_redirect"},
        {"http://evil.test:25/", "bad_redirect"},
        {"http://evil.test:6379/", "bad_redirect"},
        {"http://127.0.0.1/", "address_denied"},
        {"http://[::ffff:169.254.169.254]/latest/meta-data", "address_denied"},
    };
    for (const Row& row : rows) {
        Arena arena;
        arena.serve(answering(redirect(fmt::format("Location: {}\r\n", row.target))));
        ScriptedServer& redis = arena.serve("evil.test", 6379, {{read_request()}});

        expect_failure(arena.fetch({.follow = true}), row.failure);
        EXPECT_EQ(redis.connection_count(), 0u);
    }
}

TEST(Hostile, H35NothingOfALocationGetsIntoARequestAsALine) {
    struct Row {
        std::string_view location;
        std::string_view target;
    };
    const Row rows[] = {
        {"/a%0d%0aX-Evil: 1", "/a%0d%0aX-Evil:%201"},
        {"/a b\tc", "/a%20bc"},
        {"/\x01\x7f\xff", "/%01%7F%FF"},
        {"/a\r\n X-Evil: 1", "/a%20X-Evil:%201"},
    };
    for (const Row& row : rows) {
        Arena arena;
        const Script first = answering(redirect(fmt::format("Location: {}\r\n", row.location)));
        const Script second = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        ScriptedServer& server = arena.serve("evil.test", 80, {first, second});

        expect_answer(arena.fetch({.follow = true}), 200);

        ASSERT_EQ(server.heard().size(), 2u);
        EXPECT_EQ(server.heard()[1],
                  fmt::format("GET {} HTTP/1.1\r\nHost: evil.test\r\nUser-Agent: weft/0.1\r\n"
                              "Accept: */*\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n",
                              row.target));
    }
}

TEST(Hostile, H35ARequestWithControlBytesIsNotSent) {
    for (const std::string_view value : {"a\r\nX-Evil: 1", "a\nb", "a\rb"}) {
        Arena arena;
        ScriptedServer& server = arena.serve({read_request()});
        Fetch fetch;
        fetch.headers.add("X-Value", value);

        expect_failure(arena.fetch(fetch), "bad_request");

        EXPECT_EQ(server.heard().empty() ? "" : server.heard()[0], "");
    }
    Arena arena;
    arena.serve({read_request()});
    expect_failure(arena.fetch({.method = "GET / HTTP/1.1\r\nX: "}), "bad_request");
}

TEST(Hostile, H36ARefreshLoopIsVisitedOnce) {
    Arena arena;
    const std::string page = "<meta http-equiv=refresh content='0; url=/'>";
    ScriptedServer& server = arena.serve(
        answering(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nRefresh: 0; url=/\r\n"
                              "Content-Length: {}\r\n\r\n{}",
                              page.size(), page)));

    const std::vector<crawl::Outcome> outcomes = arena.crawl({});

    EXPECT_EQ(outcomes.size(), 1u);
    EXPECT_EQ(server.connection_count(), 1u);
}

TEST(Hostile, H37RetryAfterIsClamped) {
    struct Row {
        std::string_view value;
        Duration least;
        Duration most;
    };
    const Row rows[] = {
        {"0", 1s, 20s},          {"-5", 1s, 20s},
        {"315360000", 24h, 25h}, {"Thu, 01 Jan 1970 00:00:00 GMT", 1s, 20s},
        {"soon", 1s, 20s},       {"7", 7s, 20s},
    };
    for (const Row& row : rows) {
        for (const int status : {429, 503}) {
            Arena arena;
            ScriptedServer& server = arena.serve(
                answering(fmt::format("HTTP/1.1 {} Wait\r\nRetry-After: {}\r\nConnection: close\r\n"
                                      "Content-Length: 0\r\n\r\n",
                                      status, row.value)));
            crawl::Config config;
            config.try_count_max = 2;
            config.retry_after_max = 48h;  // Nothing that is clamped is put aside.

            const std::vector<crawl::Outcome> outcomes = arena.crawl(config);

            ASSERT_EQ(outcomes.size(), 1u);
            EXPECT_EQ(outcomes[0].status, status);
            EXPECT_EQ(server.connection_count(), 2u);
            EXPECT_GE(arena.now(), row.least) << row.value;
            EXPECT_LE(arena.now(), row.most) << row.value;
        }
    }
}

TEST(Hostile, H38TooManyOrTooLargeCookiesAreTooLargeAHead) {
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += fmt::format("Set-Cookie: c{}=x\r\n", i);
    for (const std::string& fields : {many, "Set-Cookie: a=" + std::string(1 << 20, 'x') + "\r\n",
                                      std::string("Set-Cookie: a=\0b\r\n", 19)}) {
        Arena arena;
        arena.serve(answering("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 0\r\n\r\n"));

        expect_failure(arena.fetch(), "bad_response", {.heap_bytes_max = 4_MiB});
    }
}

TEST(Hostile, H39AValidatorCannotSplitARequest) {
    Arena arena;
    arena.serve(answering("HTTP/1.1 200 OK\r\nETag: \"" + std::string(1 << 20, 'x') +
                          "\"\r\nContent-Length: 0\r\n\r\n"));
    expect_failure(arena.fetch(), "bad_response", {.heap_bytes_max = 4_MiB});

    Arena other;
    other.serve({read_request()});
    Fetch echo;
    echo.headers.add("If-None-Match", "\"a\r\nX-Evil: 1\"");
    expect_failure(other.fetch(echo), "bad_request");
}

TEST(Hostile, H40NothingIsAllocatedFromAClaim) {
    for (const std::string_view claim : {"4611686018427387904", "9223372036854775807"}) {
        Arena arena;
        arena.serve(
            answering(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\nhello", claim)));

        const Ending ending = arena.fetch();

        expect_failure(ending, "truncated", {.heap_bytes_max = 256_KiB});
        EXPECT_NE(ending.what.find(fmt::format("5 of {} bytes", claim)), std::string::npos);
    }
    Arena arena;
    const Script lying{read_request(),
                       send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n"
                            "Content-Length: 4\r\n\r\nevil"),
                       sleep(1h)};
    arena.serve("evil.test", 80,
                {lying, answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")});
    const std::vector<Ending> endings = arena.fetch_all({{}, {}});
    EXPECT_EQ(endings[0].content, "");
    EXPECT_EQ(endings[1].content, "good");
}

}  // namespace weft::hostile
