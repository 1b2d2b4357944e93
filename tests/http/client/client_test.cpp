#include "http/client/client.h"

#include <gtest/gtest.h>

#include "http/with_site.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestSite;

Co<Failure> failure_of(Client& client, web::Url url) {
    ContentBuffer buffer;
    try {
        const Response response = co_await client.fetch({.url = std::move(url)}, buffer);
        ADD_FAILURE() << "an answer came: " << response.status;
    } catch (const FetchError& error) {
        co_return error.failure();
    }
    co_return Failure::bad_request;
}

}  // namespace

TEST(Client, FetchesAPage) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.page("/", "<title>Home</title>");
        site.delay = 1ms;
        ContentBuffer buffer;

        const Response response = co_await client.fetch({.url = site.url("/")}, buffer);

        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.headers.get("content-type"), "text/html");
        EXPECT_EQ(buffer.content, "<title>Home</title>");
        EXPECT_EQ(response.content_bytes, buffer.content.size());
        EXPECT_EQ(response.timings.total, 1ms);
    });
}

TEST(Client, A51F22KeepsConnectionsForTheNextFetch) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.page("/", "x");
        ContentBuffer buffer;

        const Response first = co_await client.fetch({.url = site.url("/")}, buffer);
        const Response second = co_await client.fetch({.url = site.url("/")}, buffer);

        EXPECT_FALSE(first.reused_connection);
        EXPECT_TRUE(second.reused_connection);
    });
}

TEST(Client, H10DropsAConnectionOnWhichBytesCameUnasked) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.raw("/poison",
                 "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
                 "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
        site.page("/", "clean");
        ContentBuffer poisoned;
        ContentBuffer clean;

        co_await client.fetch({.url = site.url("/poison")}, poisoned);
        const Response response = co_await client.fetch({.url = site.url("/")}, clean);

        EXPECT_EQ(poisoned.content, "x");
        EXPECT_FALSE(response.reused_connection);
        EXPECT_EQ(clean.content, "clean");
    });
}

TEST(Client, W2ABodyCutShortIsTruncated) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.raw("/short", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");

        const Failure failure = co_await failure_of(client, site.url("/short"));

        EXPECT_EQ(failure, Failure::truncated);
    });
}

TEST(Client, W5ABrokenGzipBodyIsBadEncoding) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.raw("/gzip",
                 "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 14\r\n\r\n"
                 "\x1f\x8b\x08gibberish..");

        const Failure failure = co_await failure_of(client, site.url("/gzip"));

        EXPECT_EQ(failure, Failure::bad_encoding);
    });
}

TEST(Client, W6ASilentServerTimesOut) {
    ClientOptions options = local_options();
    options.limits.first_byte_timeout = 50ms;
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.drip("/silent", {.bytes = "", .pause = 1h});
            site.delay = 10s;

            const Failure failure = co_await failure_of(client, site.url("/silent"));

            EXPECT_EQ(failure, Failure::first_byte_timeout);
        },
        options);
}

TEST(Client, W7H03ASlowDripEndsByTheClock) {
    ClientOptions options = local_options();
    options.limits.total_timeout = 100ms;
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.drip("/drip",
                      {.bytes = "HTTP/1.1 200 OK\r\n" + std::string(1000, 'x'), .pause = 5ms});

            const Failure failure = co_await failure_of(client, site.url("/drip"));

            EXPECT_EQ(failure, Failure::total_timeout);
        },
        options);
}

TEST(Client, H24ABodyOverTheLimitIsCutAndSaidSo) {
    ClientOptions options = local_options();
    options.limits.content_bytes_max = 1000;
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.page("/at", std::string(1000, 'x'));
            site.page("/past", std::string(1001, 'x'));
            ContentBuffer at;
            ContentBuffer past;

            const Response whole = co_await client.fetch({.url = site.url("/at")}, at);
            const Response cut = co_await client.fetch({.url = site.url("/past")}, past);

            EXPECT_EQ(whole.cut, Cut::none);
            EXPECT_EQ(cut.cut, Cut::length);
            EXPECT_EQ(past.content.size(), 1000u);
        },
        options);
}

TEST(Client, H116PrivateAddressesAreDenied) {
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            const Failure failure = co_await failure_of(client, site.url("/"));

            EXPECT_EQ(failure, Failure::address_denied);
            EXPECT_TRUE(site.requests().empty());
        },
        {});
}

TEST(Client, A2AClosedPortIsRefused) {
    with_site([](TestSite&, Client& client) -> Co<> {
        std::uint16_t port = 0;
        {
            const auto listener =
                aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
            port = listener->local().port;
        }

        const Failure failure = co_await failure_of(
            client, web::Url::parse(fmt::format("http://127.0.0.1:{}/", port)).value());

        EXPECT_EQ(failure, Failure::connect_refused);
    });
}

TEST(Client, H32TlsToAPlainPortSaysSo) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        const std::string https = "https" + site.origin().substr(4) + "/";

        const Failure failure = co_await failure_of(client, web::Url::parse(https).value());

        EXPECT_EQ(failure, Failure::tls_not_tls);
    });
}

}  // namespace weft::http
