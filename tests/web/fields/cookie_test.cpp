#include "web/fields/cookie.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

const WallTime kNow = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 3 / 1));
const CookieUrl kPage{"www.example.co.uk", "/a/b", true};

CookieJar make_jar() {
    return CookieJar([](std::string_view d) { return d == "uk" || d == "co.uk" || d == "com"; });
}

}  // namespace

TEST(Cookie, DomainOfManyOwnersIsRefused_H38) {
    CookieJar jar = make_jar();

    for (std::string_view domain : {"co.uk", ".co.uk", "CO.UK", "uk"}) {
        EXPECT_EQ(jar.set(kPage, fmt::format("a=b; domain={}", domain), kNow).error(),
                  CookieError::public_suffix)
            << domain;
    }
    EXPECT_EQ(jar.set(kPage, "a=b; domain=co.uk.", kNow).error(), CookieError::public_suffix);
    EXPECT_EQ(jar.set(kPage, "a=b; domain=example.co.uk.", kNow).error(),
              CookieError::foreign_domain);
    EXPECT_EQ(jar.set(kPage, "a=b; domain=other.co.uk", kNow).error(), CookieError::foreign_domain);
    EXPECT_EQ(jar.set(kPage, "a=b; domain=ample.co.uk", kNow).error(), CookieError::foreign_domain);
    EXPECT_EQ(jar.size(), 0u);
}

TEST(Cookie, HostThatIsAPublicSuffixKeepsItsOwn) {
    CookieJar jar = make_jar();
    const CookieUrl suffix{"co.uk", "/", true};

    ASSERT_TRUE(jar.set(suffix, "a=b; domain=co.uk", kNow));

    EXPECT_EQ(jar.header(suffix, kNow), "a=b");
    EXPECT_EQ(jar.header(kPage, kNow), "");
}

TEST(Cookie, AddressMatchesOnlyItself_H38) {
    CookieJar jar = make_jar();
    const CookieUrl address{"10.0.0.1", "/", true};

    EXPECT_EQ(jar.set(address, "a=b; domain=0.0.1", kNow).error(), CookieError::foreign_domain);
    EXPECT_EQ(jar.set(address, "a=b; domain=1", kNow).error(), CookieError::foreign_domain);
    ASSERT_TRUE(jar.set(address, "a=b; domain=10.0.0.1", kNow));

    EXPECT_EQ(jar.header(address, kNow), "a=b");
    EXPECT_EQ(jar.header({"9.10.0.0.1", "/", true}, kNow), "");
}

TEST(Cookie, CountsAndSizesAreBounded_H38) {
    CookieJar jar = make_jar();
    const std::vector<std::string_view> flood(10'000, "a=b");
    std::vector<std::string> names;
    for (int i = 0; i < 1'000; ++i) names.push_back(fmt::format("n{}=v", i));
    const std::vector<std::string_view> many(names.begin(), names.end());

    jar.set_all(kPage, flood, kNow);
    EXPECT_EQ(jar.size(), 1u);
    jar.set_all(kPage, many, kNow);
    EXPECT_EQ(jar.size(), 1 + limits::kCookiesPerResponseMax);
    for (std::string_view field : many) ASSERT_TRUE(jar.set(kPage, field, kNow));
    EXPECT_EQ(jar.size(), limits::kCookiesPerDomainMax);

    EXPECT_EQ(jar.set(kPage, "a=" + std::string(1 << 20, 'x'), kNow).error(),
              CookieError::too_long);
    EXPECT_TRUE(jar.set(kPage, "a=" + std::string(limits::kCookieBytesMax - 1, 'x'), kNow));
    EXPECT_FALSE(jar.set(kPage, "a=" + std::string(limits::kCookieBytesMax, 'x'), kNow));
}

TEST(Cookie, FullJarForgetsThoseLongestUnused) {
    CookieJar jar = make_jar();
    const auto host = [](std::size_t i) { return fmt::format("h{}.com", i); };
    for (std::size_t i = 0; i < limits::kCookieJarCountMax; ++i) {
        ASSERT_TRUE(jar.set({host(i), "/", false}, "a=b", kNow));
    }
    EXPECT_EQ(jar.header({host(0), "/", false}, kNow), "a=b");

    ASSERT_TRUE(jar.set({"new.com", "/", false}, "a=b", kNow));

    EXPECT_LT(jar.size(), limits::kCookieJarCountMax);
    EXPECT_EQ(jar.header({host(0), "/", false}, kNow), "a=b");
    EXPECT_EQ(jar.header({host(1), "/", false}, kNow), "");
    EXPECT_EQ(jar.header({"new.com", "/", false}, kNow), "a=b");
}

TEST(Cookie, AJarOfLargeCookiesIsBoundedByItsBytes_H38) {
    CookieJar jar = make_jar();
    const std::string large = "a=" + std::string(4'000, 'x');
    const std::string path = "/" + std::string(8'000, 'p') + "/";
    const auto host = [](std::size_t i) { return fmt::format("h{}.com", i); };
    for (std::size_t i = 0; i < 3'000; ++i) {
        ASSERT_TRUE(jar.set({host(i), path, false}, large, kNow));
        ASSERT_TRUE(jar.set({host(i), path, false}, large, kNow));  // In place of the first.
        ASSERT_LE(jar.memory_bytes(), limits::kCookieJarBytesMax);
    }
    EXPECT_LT(jar.size(), 1'500u);
    EXPECT_GT(jar.size(), 1'000u);
    EXPECT_EQ(jar.header({host(2'999), path, false}, kNow), large);

    for (std::size_t i = 0; i < 3'000; ++i) {
        ASSERT_TRUE(jar.set({host(i), path, false}, "a=; Max-Age=0", kNow));
    }
    EXPECT_EQ(jar.size(), 0u);
    EXPECT_EQ(jar.memory_bytes(), 0u);
}

TEST(Cookie, ControlBytesAreRefused_H38) {
    CookieJar jar = make_jar();

    EXPECT_EQ(jar.set(kPage, "a=b\r\nX: y", kNow).error(), CookieError::control_character);
    EXPECT_EQ(jar.set(kPage, std::string_view("a=b\0c", 5), kNow).error(),
              CookieError::control_character);
    EXPECT_TRUE(jar.set(kPage, "a=b\tc", kNow));
}

TEST(Cookie, ExpiresWithTime) {
    CookieJar jar = make_jar();
    ASSERT_TRUE(jar.set(kPage, "a=1; max-age=60; expires=Thu, 01 Jan 1970 00:00:00 GMT", kNow));
    ASSERT_TRUE(jar.set(kPage, "b=2; max-age=99999999999999999999", kNow));

    EXPECT_EQ(jar.header(kPage, kNow + 59s), "a=1; b=2");
    EXPECT_EQ(jar.header(kPage, kNow + 60s), "b=2");
    EXPECT_EQ(jar.header(kPage, kNow + limits::kCookieAgeMax), "");

    ASSERT_TRUE(jar.set(kPage, "b=; max-age=0", kNow));
    EXPECT_EQ(jar.header(kPage, kNow), "a=1");
}

TEST(Cookie, InsecureResponseCannotHideASecureCookie) {
    CookieJar jar = make_jar();
    ASSERT_TRUE(jar.set(kPage, "a=1; secure; path=/a", kNow));
    const CookieUrl insecure{"www.example.co.uk", "/a/b", false};

    EXPECT_EQ(jar.set(insecure, "a=2; path=/a/b", kNow).error(), CookieError::hides_secure_cookie);
    EXPECT_EQ(jar.set(insecure, "a=2; domain=example.co.uk; path=/a", kNow).error(),
              CookieError::hides_secure_cookie);
    EXPECT_TRUE(jar.set(insecure, "a=2; path=/", kNow));
    EXPECT_EQ(jar.header(insecure, kNow), "a=2");
    EXPECT_EQ(jar.header(kPage, kNow), "a=1; a=2");
}

TEST(Cookie, SameSiteIsKept) {
    EXPECT_EQ(SetCookie::parse("a=b; SameSite=LAX")->same_site, SameSite::lax);
    EXPECT_EQ(SetCookie::parse("a=b; samesite=none")->same_site, SameSite::none);
    EXPECT_EQ(SetCookie::parse("a=b; samesite=strict; samesite=x")->same_site, SameSite::unset);
}

}  // namespace weft::web
