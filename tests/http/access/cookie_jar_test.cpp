#include "http/access/cookie_jar.h"

#include <gtest/gtest.h>

#include "http/access/netscape_cookies.h"
#include "http/with_site.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestSite;

const WallTime kNow{std::chrono::seconds(1'767'225'600)};

web::Url parsed_url(std::string_view text) {
    return web::Url::parse(text).value();
}

void set(ClientCookies& jar, std::string_view url, std::string_view cookie) {
    Headers headers;
    headers.add("Set-Cookie", cookie);
    jar.take(parsed_url(url), headers, kNow);
}

}  // namespace

TEST(ClientCookies, H38PublicSuffixesSetNothing) {
    ClientCookies jar;
    set(jar, "http://a.co.uk/", "a=1; Domain=co.uk");
    set(jar, "http://a.github.io/", "a=1; Domain=github.io");
    set(jar, "http://a.com/", "a=1; Domain=com.");
    set(jar, "http://127.0.0.1/", "a=1; Domain=0.0.1");
    EXPECT_EQ(jar.size(), 0u);
    set(jar, "http://www.a.co.uk/", "a=1; Domain=.A.co.uk");
    EXPECT_EQ(jar.header(parsed_url("http://other.a.co.uk/"), kNow), "a=1");
}

TEST(ClientCookies, H38AFloodOfCookiesIsBounded) {
    ClientCookies jar;
    Headers headers;
    for (int i = 0; i < 10'000; ++i) headers.add("Set-Cookie", fmt::format("c{}=1", i));
    headers.add("Set-Cookie", "big=" + std::string(1'000'000, 'x'));
    jar.take(parsed_url("http://a.test/"), headers, kNow);
    EXPECT_EQ(jar.size(), limits::kCookiesPerResponseMax);
}

TEST(ClientCookies, H61SecureCookiesNeverGoInTheClear) {
    ClientCookies jar;
    set(jar, "https://a.test/", "s=1; Secure");
    EXPECT_EQ(jar.header(parsed_url("https://a.test/"), kNow), "s=1");
    EXPECT_EQ(jar.header(parsed_url("http://a.test/"), kNow), "");
}

TEST(ClientCookies, WhatIsSavedIsLoaded) {
    ClientCookies jar;
    set(jar, "https://www.a.test/dir/", "host=1; Secure");
    set(jar, "https://www.a.test/dir/", "wide=2; Domain=a.test; Path=/; Max-Age=3600; HttpOnly");
    set(jar, "https://www.a.test/dir/", "gone=3; Max-Age=10");

    const std::string text = jar.save(kNow + 60s);
    ClientCookies other;
    const std::size_t count = other.load(text, kNow + 60s);

    EXPECT_EQ(count, 2u) << text;
    EXPECT_EQ(other.header(parsed_url("https://www.a.test/dir/x"), kNow), "host=1; wide=2");
    EXPECT_EQ(other.header(parsed_url("https://b.a.test/"), kNow), "wide=2");
    EXPECT_EQ(other.save(kNow + 60s), text);
}

TEST(ClientCookies, FilesOfOthersAreRead) {
    ClientCookies jar;
    const std::size_t count = jar.load(
        "# Netscape HTTP Cookie File\r\n"
        ".a.test\tTRUE\t/\tFALSE\t0\tsession\tyes\r\n"
        "#HttpOnly_a.test\tFALSE\t/\tTRUE\t1900000000\tlater\tx=y z\n"
        "a.test\tFALSE\t/\tFALSE\t0\tempty\n"
        "com\tTRUE\t/\tFALSE\t0\tsuper\tcookie\n"
        "a.test\tFALSE\t/\tFALSE\t1\told\tgone\n"
        "a.test\tFALSE\t/\tFALSE\tnever\tbad\tdate\n"
        "not a cookie\n"
        "a.test\tFALSE\t/\tFALSE\t0\tctl\t\x01\n",
        kNow);
    EXPECT_EQ(count, 4u);  // The old one is dropped without complaint.
    EXPECT_EQ(jar.size(), 3u);
    EXPECT_EQ(jar.header(parsed_url("https://a.test/"), kNow), "session=yes; later=x=y z; empty=");
}

TEST(ClientCookies, TheClientTakesAndSends) {
    ClientOptions options = local_options();
    options.cookies = std::make_shared<ClientCookies>();
    with_site(
        [](TestSite& site, Client& client) -> Co<> {
            site.reply("/set", {.headers = {{"Set-Cookie", "a=1"}, {"Set-Cookie", "b=2"}}});
            ResponseSink sink;

            co_await client.fetch({.url = site.url("/set")}, sink);
            co_await client.fetch({.url = site.url("/other")}, sink);

            EXPECT_EQ(site.last().headers.get("Cookie"), "a=1; b=2");
        },
        options);
}

}  // namespace weft::http
