#include "web/url/url_fast_path.h"

#include <iterator>

#include <gtest/gtest.h>

#include "base/random.h"
#include "web/url/url_parser.h"

namespace weft::web {
namespace {

TEST(UrlFastPath, TakesWhatIsCommon) {
    for (const std::string_view text :
         {"https://example.com/", "http://EXAMPLE.com", "http://example.com?q", " http://h/ ",
          "https://a-b.example.com:8080/a/b.html?x=%41&y=1#f", "http://h/a/../b/./c",
          "http://127.0.0.1:8080/"}) {
        EXPECT_TRUE(UrlFastPath::parse(text).has_value()) << text;
    }
    const Url base = Url::parse("https://example.com/a/b?q#f").value();
    for (const std::string_view text :
         {"c", "../c.html", "/c", "?c", "#c", "//cdn.example.com/x.js", "http://other.test/"}) {
        EXPECT_TRUE(UrlFastPath::resolve(base, text).has_value()) << text;
    }
}

TEST(UrlFastPath, LeavesTheRareToTheStandard) {
    for (const std::string_view text :
         {"http://127.0.0.01/", "http://127.1/",   "http://1.2.3.256/",
          "http://1/",          "http://h./",      "http://[::1]/",
          "http://u@h/",        "http://h:80/",    "http://h:/",
          "http://h:099/",      "http://h:65536/", "http://h/ x",
          "http://h/\xC3\xA9",  "http://h/a\\b",   "http://h/%2e/",
          "http://h/\tx",       "http:h",          "http://",
          "http://a_b%41/",     "ftp://h/",        "HTTP://h/"}) {
        EXPECT_FALSE(UrlFastPath::parse(text).has_value()) << text;
    }
}

std::string random_text(Random& random, std::size_t count_max) {
    static constexpr std::string_view kPieces[] = {
        "/",  "..", ".", "%2e", "%41", "?",    "#",   ":", "8080", "80",  "@",       "a",  "B1",
        "h.", "x",  "-", "_",   "\\",  " ",    "\t",  "'", "|",    "^",   "~",       "//", "/.",
        "é",  "%",  "1", "0x",  "[]",  "http", ":80", "&", "=y",   "../", "1.2.3.4", "25", "0."};
    std::string text;
    const std::size_t count = random.below(count_max);
    for (std::size_t i = 0; i < count; ++i) text += kPieces[random.below(std::size(kPieces))];
    return text;
}

void expect_same(const Url& fast, const Url& slow, const std::string& text) {
    ASSERT_EQ(fast.href(), slow.href()) << text;
    ASSERT_EQ(fast.hostname(), slow.hostname()) << text;
    ASSERT_EQ(fast.host(), slow.host()) << text;
    ASSERT_EQ(fast.username(), slow.username()) << text;
    ASSERT_EQ(fast.password(), slow.password()) << text;
    ASSERT_EQ(fast.port(), slow.port()) << text;
    ASSERT_EQ(fast.pathname(), slow.pathname()) << text;
    ASSERT_EQ(fast.search(), slow.search()) << text;
    ASSERT_EQ(fast.path_and_query(), slow.path_and_query()) << text;
    ASSERT_EQ(fast.hash(), slow.hash()) << text;
    ASSERT_EQ(fast.host_kind(), slow.host_kind()) << text;
}

TEST(UrlFastPath, AgreesWithTheStandardsParser) {
    Random random(1);
    const Url bases[] = {Url::parse("https://example.com/a/b/c?q#f").value(),
                         Url::parse("http://u:p@h:81/?").value()};
    for (int round = 0; round < 100'000; ++round) {
        const std::string text = "http://h" + random_text(random, 8);
        if (const auto fast = UrlFastPath::parse(text)) {
            const auto slow = detail::parse_by_standard(text, nullptr, nullptr);
            ASSERT_TRUE(slow.has_value()) << text;
            expect_same(*fast, *slow, text);
        }
        const std::string reference = random_text(random, 6);
        const Url& base = bases[random.below(2)];
        if (const auto fast = UrlFastPath::resolve(base, reference)) {
            const auto slow = detail::parse_by_standard(reference, &base, nullptr);
            ASSERT_TRUE(slow.has_value()) << reference;
            expect_same(*fast, *slow, reference);
        }
    }
}

}  // namespace
}  // namespace weft::web
