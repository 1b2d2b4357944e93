#include "extract/fields/tdm_rules.h"

#include <string>

#include <gtest/gtest.h>

namespace weft::extract {
namespace {

std::string reservation_of(const TdmRules& rules, std::string_view path) {
    const TdmRule* rule = rules.find(path);
    return rule ? rule->reservation : "none";
}

TEST(TdmRules, OneRuleForTheWholeSite) {
    const TdmRules rules = TdmRules::parse(R"([
        {"location": "/", "tdm-reservation": 1, "tdm-policy": "https://example.com/tdm.json"}])");

    EXPECT_EQ(reservation_of(rules, "/a/b?c"), "1");
    EXPECT_EQ(rules.find("/")->policy, "https://example.com/tdm.json");
}

TEST(TdmRules, TheFirstRuleThatMatchesDecides) {
    const TdmRules rules = TdmRules::parse(R"([
        {"location": "/open/*", "tdm-reservation": 0},
        {"location": "/*.pdf$", "tdm-reservation": 1},
        {"location": "/open/closed/", "tdm-reservation": 1}])");

    EXPECT_EQ(reservation_of(rules, "/open/closed/x.pdf"), "0");
    EXPECT_EQ(reservation_of(rules, "/x.pdf"), "1");
    EXPECT_EQ(reservation_of(rules, "/x.pdf.html"), "none");
    EXPECT_EQ(reservation_of(rules, "/other"), "none");
}

TEST(TdmRules, AcceptsTheSpellingsOfRealFiles) {
    const TdmRules rules = TdmRules::parse(
        "\xEF\xBB\xBF[{\"location\": \"https://example.com/a\", \"tdm-reservation\": \"1\"},"
        "{\"location\": \"/b\", \"tdm-reservation\": true, \"tdm-policy\": null}]");

    EXPECT_EQ(reservation_of(rules, "/a/x"), "1");
    EXPECT_EQ(reservation_of(rules, "/b"), "1");
    EXPECT_EQ(reservation_of(TdmRules::parse(R"({"location": "*", "tdm-reservation": 1})"), "/"),
              "1");
}

TEST(TdmRules, WhatIsNoRuleIsIgnored) {
    for (const char* const json :
         {"", "<!doctype html>", "[", "1", "[[]]", "[{}]", "[{\"location\": \"/\"}]",
          "[{\"tdm-reservation\": 1}]", "[{\"location\": 1, \"tdm-reservation\": [1]}]"}) {
        EXPECT_EQ(TdmRules::parse(json).size(), 0) << json;
    }
}

TEST(TdmRules, CountBytesAndDepthAreBounded) {
    const std::string rule = R"({"location": "/", "tdm-reservation": 1})";
    std::string many = "[" + rule;
    for (std::size_t i = 1; i < kTdmRulesMax; ++i) many += "," + rule;
    EXPECT_EQ(TdmRules::parse(many + "]").size(), kTdmRulesMax);
    EXPECT_EQ(TdmRules::parse(many + "," + rule + "]").size(), kTdmRulesMax);

    const std::string list = "[" + rule + "]";
    const std::string spaces(kTdmBytesMax - list.size(), ' ');
    EXPECT_EQ(TdmRules::parse(list + spaces).size(), 1);
    EXPECT_EQ(TdmRules::parse(list + spaces + " ").size(), 0);

    const auto with_depth = [&](std::size_t levels) {
        return "[" + rule + "," + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "]";
    };
    EXPECT_EQ(TdmRules::parse(with_depth(kTdmDepthMax)).size(), 1);
    EXPECT_EQ(TdmRules::parse(with_depth(kTdmDepthMax + 1)).size(), 0);
}

}  // namespace
}  // namespace weft::extract
