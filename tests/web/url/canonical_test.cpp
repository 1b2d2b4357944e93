#include "web/url/canonical.h"

#include <iterator>

#include <gtest/gtest.h>

#include "base/random.h"

namespace weft::web {
namespace {

std::string key_of(std::string_view text, const CanonicalOptions& options = {}) {
    return canonical_key(Url::parse(text).value(), options);
}

constexpr CanonicalOptions kSessions{.drop_session_ids = true};
constexpr CanonicalOptions kTracking{.drop_tracking = true};
constexpr CanonicalOptions kSorted{.sort_query = true};

TEST(Canonical, SpellingsOfOnePageShareAKey) {
    for (const std::string_view text :
         {"HTTP://Example.com:80/a/../~user/%7ex?q=%e4#f", "http://example.com/%7Euser/~x?q=%E4",
          "http://EXAMPLE.com/./~user/%7Ex?%71=%E4#"}) {
        EXPECT_EQ(key_of(text), "http://example.com/~user/~x?q=%E4");
    }
}

TEST(Canonical, ReservedEscapesStay) {
    EXPECT_EQ(key_of("http://h/a%2fb%3f?x=%26%3d"), "http://h/a%2Fb%3F?x=%26%3D");
    EXPECT_EQ(key_of("http://h/%25%41%zz%4"), "http://h/%25A%zz%4");
    EXPECT_EQ(key_of("http://h/%%41a"), "http://h/%%41a");
}

TEST(Canonical, AnEmptyQueryGoes) {
    EXPECT_EQ(key_of("http://h/?"), "http://h/");
    EXPECT_EQ(key_of("http://h/%41?#x"), "http://h/A");
    EXPECT_EQ(key_of("http://h/??"), "http://h/??");
    EXPECT_EQ(key_of("http://h/?&"), "http://h/?&");
}

TEST(Canonical, OtherSchemesLoseOnlyTheFragment) {
    EXPECT_EQ(key_of("mailto:%41@b.test?#f"), "mailto:%41@b.test?");
    EXPECT_EQ(key_of("file:///%43|/x#f"), "file:///%43|/x");
}

TEST(Canonical, OptionsAreOffByDefault) {
    constexpr std::string_view kText = "http://h/a;jsessionid=1?utm_source=x&PHPSESSID=2&b&a";

    EXPECT_EQ(key_of(kText), kText);
}

TEST(Canonical, H68SessionIdsGoWhereAsked) {
    EXPECT_EQ(key_of("http://h/a;jsessionid=1;v=2/b?PHPSESSID=2&x=1", kSessions),
              "http://h/a;v=2/b?x=1");
    EXPECT_EQ(key_of("http://h/?sid=0123456789abcdef0123456789abcdef", kSessions), "http://h/");
    EXPECT_EQ(key_of("http://h/?sid=42", kSessions), "http://h/?sid=42");
    EXPECT_EQ(key_of("http://h/?ASPSESSIONIDQABC=X&%6asessionid=1", kSessions), "http://h/");
    EXPECT_EQ(key_of("http://h/a/..;jsessionid=1/b", kSessions), "http://h/a/..;jsessionid=1/b");
}

TEST(Canonical, TrackingGoesWhereAsked) {
    EXPECT_EQ(key_of("http://h/?utm_source=x&id=1&fbclid=y&UTM_X", kTracking), "http://h/?id=1");
    EXPECT_EQ(key_of("http://h/?gclid=1", kTracking), "http://h/");
}

TEST(Canonical, SortingKeepsTheOrderOfOneName) {
    EXPECT_EQ(key_of("http://h/?b=2&a=2&b=1&a=1", kSorted), "http://h/?a=2&a=1&b=2&b=1");
}

// Texts of pieces that the rules act on, put together at random.
std::string random_url(Random& random) {
    static constexpr std::string_view kPieces[] = {"/",       ".",      "..",
                                                   "%2e",     "%2E%2e", "%41",
                                                   "%7e",     "%c3%a9", "%",
                                                   "%2",      "?",      "&",
                                                   "=",       "a",      "B=1",
                                                   "sid=",    ";",      ";jsessionid=",
                                                   "x",       "#",      "%3b",
                                                   "%23",     "%3F",    "jsessionid=",
                                                   "utm_a=1", "%75tm_", "fbclid",
                                                   " ",       "\\",     "\t",
                                                   "|",       "'",      "0123456789abcdef01"};
    std::string text = "http://h/";
    const std::size_t count = random.below(14);
    for (std::size_t i = 0; i < count; ++i) text += kPieces[random.below(std::size(kPieces))];
    return text;
}

TEST(Canonical, AKeyIsItsOwnKey) {
    Random random(1);
    for (int round = 0; round < 100'000; ++round) {
        const CanonicalOptions options{.drop_session_ids = random.below(2) == 0,
                                       .drop_tracking = random.below(2) == 0,
                                       .sort_query = random.below(2) == 0};
        const std::string text = random_url(random);

        const std::string key = key_of(text, options);

        ASSERT_EQ(Url::parse(key).value().href(), key) << text;
        ASSERT_EQ(key_of(key, options), key) << text;
    }
}

}  // namespace
}  // namespace weft::web
