#include "web/robots/robots.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

bool allows(std::string_view robots, std::string_view path) {
    return Robots::parse(robots).allows("weft", path);
}

std::string in_utf16(std::string_view text, bool is_big_endian) {
    std::string out;
    for (char c : text) {
        if (is_big_endian) out += '\0';
        out += c;
        if (!is_big_endian) out += '\0';
    }
    return out;
}

}  // namespace

TEST(Robots, DecisionNamesTheRuleAndItsLine) {
    const Robots robots = Robots::parse("User-agent: *\n\nDisallow: /a\nAllow: /a/%62$\n");

    const RobotsDecision denied = robots.decide("weft", "/a/x");
    const RobotsDecision allowed = robots.decide("weft", "/a/b");
    const RobotsDecision unruled = robots.decide("weft", "/c");

    EXPECT_FALSE(denied.allowed);
    EXPECT_EQ(denied.rule, "/a");
    EXPECT_EQ(denied.line, 3u);
    EXPECT_TRUE(allowed.allowed);
    EXPECT_EQ(allowed.rule, "/a/%62$");
    EXPECT_EQ(allowed.line, 4u);
    EXPECT_TRUE(unruled.allowed);
    EXPECT_EQ(unruled.line, 0u);
}

TEST(Robots, AgentWithAVersionIsItsProductToken) {
    const Robots robots = Robots::parse("User-agent: WEFT/9\nDisallow: /\n");

    EXPECT_FALSE(robots.allows("weft/1.0 (+https://example.com/)", "/"));
    EXPECT_FALSE(robots.allows("Weft", "/"));
    EXPECT_TRUE(robots.allows("weftling", "/"));
}

// As Google's parser: a name ends at the first byte that a product token cannot have (RFC 9309,
// 2.2.1: letters, `_` and `-`).
TEST(Robots, NamesOfAgentsEndWhereAProductTokenEnds) {
    for (const std::string_view line : {"weft", "weft Bar", "weft\tBar", "weft/1.0", "weft 1.0 (x)",
                                        "WEFT;x", "weft*", "weft2"}) {
        EXPECT_FALSE(allows(fmt::format("User-agent: {}\nDisallow: /\n", line), "/x")) << line;
    }
    for (const std::string_view line : {"weft-news", "weft_2", "we ft", "web", "*weft", "*/1.0"}) {
        EXPECT_TRUE(allows(fmt::format("User-agent: {}\nDisallow: /\n", line), "/x")) << line;
    }
    EXPECT_FALSE(allows("User-agent: * and all others\nDisallow: /\n", "/x"));
}

TEST(Robots, H79OneSpellingOfEscapesBeforeComparing) {
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /%7Ejoe", "/~joe"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /~joe", "/%7ejoe"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /caf\xE9", "/caf%e9"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /a%2Ab", "/a*b"));
    EXPECT_TRUE(allows("User-agent:*\nDisallow: /a%2Ab", "/axb"));
    EXPECT_TRUE(allows("User-agent:*\nDisallow: /a%2Fb", "/a/b"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /a$b", "/a$bc"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /100%", "/100%"));
    EXPECT_FALSE(allows("User-agent:*\nDisallow: /100%", "/100%25"));
    EXPECT_TRUE(allows("User-agent:*\nDisallow: /w", "/%7%37"));
}

TEST(Robots, H79MarksAndLineEndsOfAllKindsAreUnderstood) {
    const std::string rules = "User-agent: *\rDisallow: /x\r\nDisallow: /y\n";

    EXPECT_FALSE(allows("\xEF\xBB\xBF" + rules, "/x"));
    EXPECT_FALSE(allows(rules, "/y"));
    EXPECT_FALSE(allows(in_utf16(rules, false), "/x"));
    EXPECT_FALSE(allows(in_utf16(rules, true), "/y"));
    EXPECT_FALSE(allows("\xFF\xFE" + in_utf16(rules, false), "/x"));
    EXPECT_FALSE(allows("\xFE\xFF" + in_utf16(rules, true), "/y"));
}

TEST(Robots, H75NoRuleIsSplitAtTheSizeLimit) {
    std::string robots = "User-agent: *\nDisallow: /first\n";
    robots += '#' + std::string(limits::kRobotsBytesMax - robots.size() - 14, '-') + '\n';
    robots += "Allow: /\nDisallow: /";
    ASSERT_EQ(robots.find("Disallow: /", 100) + 3, limits::kRobotsBytesMax);

    EXPECT_FALSE(allows(robots, "/first"));
    EXPECT_TRUE(allows(robots, "/other"));
    EXPECT_EQ(Robots::parse(robots).rule_count(), 2u);
}

TEST(Robots, H75LineOverTheLimitNeverOpensAPath) {
    const std::string big(limits::kRobotsLineBytesMax, 'a');

    EXPECT_FALSE(allows("User-agent: *\nDisallow: /" + big + "bbb\n", "/" + big + "c"));
    EXPECT_TRUE(allows("User-agent: *\nDisallow: /" + big + "bbb\n", "/other"));
    EXPECT_FALSE(allows("User-agent: *\nDisallow: /\nAllow: /" + big + "bbb\n", "/" + big + "c"));
    EXPECT_FALSE(allows("User-agent: *\nDisallow:" + std::string(big.size(), ' ') + "/x\n", "/x"));
    const std::string up_to_dollar = "Disallow: /" + big.substr(12) + "$";
    ASSERT_EQ(up_to_dollar.size(), limits::kRobotsLineBytesMax);
    EXPECT_FALSE(allows("User-agent: *\n" + up_to_dollar + "/x\n", "/" + big.substr(12) + "$/x"));
}

TEST(Robots, H75ManyStarsAndManyGroupsStayLinear) {
    std::string stars = "User-agent: *\nDisallow: /";
    for (int i = 0; i < 5'000; ++i) stars += "*a";
    std::string groups;
    for (int i = 0; i < 30'000; ++i) groups += "User-agent: weft\nCrawl-delay: 1\n";
    groups += "Disallow: /x\n";

    EXPECT_TRUE(allows(stars + "b\n", "/" + std::string(8'000, 'a')));
    EXPECT_FALSE(allows(stars + "\n", "/" + std::string(8'000, 'a')));
    EXPECT_TRUE(allows(groups, "/y"));
}

TEST(Robots, H76HtmlPageHoldsNoRules) {
    EXPECT_TRUE(allows(" <!DOCTYPE html><pre>\nUser-agent: *\nDisallow: /\n</pre>", "/x"));
    EXPECT_TRUE(allows("<!-- x --><HTML>\nUser-agent: *\nDisallow: /\n", "/x"));
    EXPECT_FALSE(allows("User-agent: *\n<br>\nDisallow: /\n", "/x"));
}

TEST(Robots, H80CrawlDelayIsClamped) {
    const auto delay = [](const std::string& value) {
        return Robots::parse("User-agent: *\nCrawl-delay: " + value).crawl_delay("weft");
    };

    EXPECT_EQ(delay("2.5"), 2500ms);
    EXPECT_EQ(delay("0"), 0s);
    EXPECT_EQ(delay("1000000000"), limits::kCrawlDelayMax);
    EXPECT_EQ(delay("1e999"), limits::kCrawlDelayMax);
    EXPECT_EQ(delay("inf"), limits::kCrawlDelayMax);
    EXPECT_EQ(delay("nan"), std::nullopt);
    EXPECT_EQ(delay("-1"), std::nullopt);
    EXPECT_EQ(delay("soon"), std::nullopt);
}

TEST(Robots, CrawlDelayIsForTheAgentsRightAboveIt) {
    const Robots robots = Robots::parse(
        "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /x\n"
        "User-agent: *\nCrawl-delay: 9\n");

    EXPECT_EQ(robots.crawl_delay("a"), 1s);
    EXPECT_EQ(robots.crawl_delay("b"), std::nullopt);
    EXPECT_EQ(robots.crawl_delay("c"), 9s);
    EXPECT_FALSE(robots.allows("a", "/x"));
}

TEST(Robots, UsagePreferencesAreKept) {
    const Robots robots = Robots::parse(
        "Content-Signal: search=yes\nUser-agent: *\nContent-Signal: ai-train=no\n"
        "Content-Usage: /x train-ai=n\nAllow: /\n");

    const std::vector<UsagePreference> preferences = robots.usage_preferences("weft");

    ASSERT_EQ(preferences.size(), 3u);
    EXPECT_EQ(preferences[0].value, "search=yes");
    EXPECT_EQ(preferences[1].value, "ai-train=no");
    EXPECT_EQ(preferences[2].name, "content-usage");
    EXPECT_EQ(preferences[2].line, 4u);
}

TEST(Robots, AgentWithoutRulesMayFetchAnything) {
    const Robots robots = Robots::parse("User-agent: *\nDisallow: /\nUser-agent: weft\n");

    EXPECT_TRUE(robots.allows("weft", "/x"));
    EXPECT_FALSE(robots.allows("other", "/x"));
    EXPECT_TRUE(robots.allows("other", "/robots.txt"));
}

TEST(Robots, SaysWhoseGroupSpeaksToAnAgent) {
    const Robots robots = Robots::parse(
        "User-agent: Weft\nUser-agent: other\nDisallow: /\n\nUser-agent: *\nAllow: /\n");

    EXPECT_EQ(robots.group_for("weft/1.0 (+https://example.com)"), "weft");
    EXPECT_EQ(robots.group_for("OTHER"), "other");
    EXPECT_EQ(robots.group_for("third"), "*");
    EXPECT_EQ(Robots::parse("User-agent: other\nDisallow: /\n").group_for("weft"), "");
}

}  // namespace weft::web
