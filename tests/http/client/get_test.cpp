#include "http/client/get.h"

#include <gtest/gtest.h>

#include "http/client/redirect.h"
#include "http/with_site.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestSite;

web::Url parse(std::string_view text) {
    return web::Url::parse(text).value();
}

Response redirect_to(std::string_view location, int status = 302) {
    Response response;
    response.status = status;
    response.headers.add("Location", location);
    return response;
}

std::string target_of(std::string_view from, const Response& response) {
    const auto target = redirect_target(parse(from), response);
    if (!target) return std::string(describe(target.error()));
    return *target ? (*target)->href() : "none";
}

Co<FetchError> failure_of_get(Client& client, web::Url url) {
    try {
        co_await get(client, std::move(url));
    } catch (const FetchError& error) {
        co_return error;
    }
    co_return FetchError(Failure::bad_request, "an answer came");
}

}  // namespace

TEST(Redirect, H33LocationIsResolvedOnceAndOnly) {
    const std::string_view from = "http://a.test/dir/page?q#part";
    EXPECT_EQ(target_of(from, redirect_to("/b")), "http://a.test/b#part");
    EXPECT_EQ(target_of(from, redirect_to("c#new")), "http://a.test/dir/c#new");
    EXPECT_EQ(target_of(from, redirect_to("//b.test/x")), "http://b.test/x#part");
    EXPECT_EQ(target_of(from, redirect_to("  https://b.test/  ")), "https://b.test/#part");
    EXPECT_EQ(target_of(from, redirect_to("")), "none");
    EXPECT_EQ(target_of(from, redirect_to("/b", 304)), "none");
    EXPECT_EQ(target_of(from, redirect_to("/b", 300)), "none");
    EXPECT_EQ(target_of(from, Response{}), "none");
    EXPECT_EQ(target_of(from, redirect_to("/" + std::string(10'000'000, 'x'))), "not a URL");

    Response twice = redirect_to("/b");
    twice.headers.add("Location", "/b");
    EXPECT_EQ(target_of(from, twice), "http://a.test/b#part");
    twice.headers.add("Location", "/c");
    EXPECT_EQ(target_of(from, twice), "several places at once");
}

TEST(Redirect, H34OnlyWebServersAreGoneTo) {
    const std::string_view from = "http://a.test/";
    for (const char* bad : {"file:///etc/passwd", "ftp://a.test/", "gopher://a.test/", "data:,x",
                            "javascript:alert(1)", "ws://a.test/", "about:blank"}) {
        EXPECT_EQ(target_of(from, redirect_to(bad)), "only http and https are followed") << bad;
    }
    for (const int port :
         {0, 1, 22, 25, 110, 143, 465, 587, 3306, 5432, 6379, 6667, 11211, 27017}) {
        EXPECT_EQ(target_of(from, redirect_to(fmt::format("http://a.test:{}/", port))),
                  "its port is not one of web servers")
            << port;
    }
    EXPECT_EQ(target_of(from, redirect_to("http://a.test:8080/")), "http://a.test:8080/");
    // A port that the user typed is meant.
    EXPECT_EQ(target_of("http://a.test:6379/", redirect_to("/b")), "http://a.test:6379/b");
}

TEST(Redirect, MethodsChangeAsFetchSays) {
    struct Row {
        int status;
        const char* method;
        const char* expected;
    };
    for (const Row& row : std::initializer_list<Row>{{301, "POST", "GET"},
                                                     {302, "POST", "GET"},
                                                     {303, "POST", "GET"},
                                                     {303, "PUT", "GET"},
                                                     {301, "PUT", "PUT"},
                                                     {302, "DELETE", "DELETE"},
                                                     {303, "HEAD", "HEAD"},
                                                     {307, "POST", "POST"},
                                                     {308, "PUT", "PUT"},
                                                     {302, "GET", "GET"}}) {
        Request request{.url = parse("http://a.test/"), .method = row.method, .body = "text"};
        request.headers.add("Content-Type", "text/plain");

        redirect_request(request, row.status, parse("http://a.test/b"));

        EXPECT_EQ(request.method, row.expected) << row.status << row.method;
        const bool keeps_body = std::string_view(row.method) == row.expected;
        EXPECT_EQ(request.body.empty(), !keeps_body) << row.status << row.method;
        EXPECT_EQ(request.headers.contains("Content-Type"), keeps_body);
    }
}

TEST(Redirect, H121SecretsStayWithinTheOrigin) {
    const auto after = [](std::string_view to, bool fields_go_on = false) {
        Request request{.url = parse("https://a.test/")};
        for (const char* name : {"Authorization", "Cookie", "Proxy-Authorization", "Accept"}) {
            request.headers.add(name, "secret");
        }
        redirect_request(request, 302, parse(to), fields_go_on);
        return request.headers.size();
    };
    EXPECT_EQ(after("https://a.test/other"), 4u);
    EXPECT_EQ(after("https://a.test:443/other"), 4u);
    for (const char* elsewhere :
         {"https://b.test/", "http://a.test/", "https://a.test:8443/", "https://www.a.test/"}) {
        EXPECT_EQ(after(elsewhere), 0u) << elsewhere;
        EXPECT_EQ(after(elsewhere, true), 1u) << elsewhere;
    }
    EXPECT_EQ(target_of("http://a.test/", redirect_to("http://user:pass@b.test/")),
              "http://b.test/");
}

TEST(Get, FollowsRedirectsUpToTheLimit) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.reply("/a", {.status = 302, .headers = {{"Location", "/b"}}, .body = "moved"});
        site.page("/b", "end");
        for (int i = 0; i < 30; ++i) {
            site.reply(fmt::format("/chain/{}", i),
                       {.status = 301, .headers = {{"Location", fmt::format("{}", i + 1)}}});
        }

        const FetchedPage page = co_await get(client, site.url("/a"));
        const FetchError error = co_await failure_of_get(client, site.url("/chain/0"));

        EXPECT_EQ(page.content, "end");
        EXPECT_EQ(page.url, site.url("/b"));
        EXPECT_EQ(error.failure(), Failure::bad_redirect);
        EXPECT_EQ(error.reason(), "more than 20 redirects");
        EXPECT_EQ(site.requests().back(), "/chain/20");
    });
}

TEST(Get, H33ACircleIsNoticedAtOnce) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.reply("/self", {.status = 302, .headers = {{"Location", "/self"}}});
        site.reply("/a", {.status = 302, .headers = {{"Location", "/b"}}});
        site.reply("/b", {.status = 302, .headers = {{"Location", "/a#x"}}});

        const FetchError self = co_await failure_of_get(client, site.url("/self"));
        const FetchError two = co_await failure_of_get(client, site.url("/a"));

        EXPECT_EQ(self.failure(), Failure::bad_redirect);
        EXPECT_EQ(site.count("/self"), 1u);
        EXPECT_EQ(two.failure(), Failure::bad_redirect);
        EXPECT_EQ(site.count("/a"), 1u);
        EXPECT_EQ(site.count("/b"), 1u);
    });
}

TEST(Get, H33APageThatSetsACookieAndAsksAgainIsNoCircle) {
    ClientOptions options = local_options();
    options.cookies = std::make_shared<ClientCookies>();
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.handle("/door", [](const ServerRequest& request, Responder& responder) -> Co<> {
                if (request.headers.get("Cookie") == "key=1") {
                    co_await responder.reply({.body = "inside"});
                } else {
                    co_await responder.reply(
                        {.status = 302,
                         .headers = {{"Location", "/door"}, {"Set-Cookie", "key=1"}}});
                }
            });

            const FetchedPage page = co_await get(client, site.url("/door"));

            EXPECT_EQ(page.content, "inside");
            EXPECT_EQ(site.count("/door"), 2u);
        },
        options);
}

TEST(Get, TheTimeIsThatOfTheWholeChain) {
    ClientOptions options = local_options();
    options.limits.total_timeout = 200ms;
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.delay = 30ms;
            for (int i = 0; i < 21; ++i) {
                site.reply(fmt::format("/{}", i),
                           {.status = 301, .headers = {{"Location", fmt::format("{}", i + 1)}}});
            }

            const FetchError error = co_await failure_of_get(client, site.url("/0"));

            EXPECT_EQ(error.failure(), Failure::total_timeout);
        },
        options);
}

}  // namespace weft::http
