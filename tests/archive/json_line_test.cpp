#include "archive/json_line.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "base/random.h"

namespace weft::archive {
namespace {

TEST(JsonLine, MembersAreReadInAnyOrder) {
    const auto line =
        JsonLine::parse(R"({"a":"x","n":12, "t" : true,"o":{"b":"}"},"l":["p","q"]})");
    ASSERT_TRUE(line);
    std::string text;
    std::uint64_t number = 0;
    bool truth = false;

    EXPECT_TRUE(line->read("t", truth) && truth);
    EXPECT_TRUE(line->read("n", number));
    EXPECT_EQ(number, 12u);
    EXPECT_TRUE(line->read("a", text));
    EXPECT_EQ(text, "x");
    EXPECT_EQ(line->nested("o"), R"({"b":"}"})");
    EXPECT_EQ(read_json_strings(*line->nested("l")), (std::vector<std::string>{"p", "q"}));
    EXPECT_FALSE(line->read("n", text));
    EXPECT_FALSE(line->read("a", number));
    EXPECT_FALSE(line->contains("none"));
    EXPECT_EQ(text, "x");
}

TEST(JsonLine, EscapesAreUndoneAsAnotherReaderDoes) {
    for (const std::string literal :
         {R"("")", R"("a\"b\\c\/d")", R"("\b\f\n\r\t")", R"("\u0041\u00e9\u20ac\ud83d\ude00")"}) {
        EXPECT_EQ(read_json_string(literal), nlohmann::json::parse(literal).get<std::string>());
    }
    EXPECT_EQ(read_json_string(R"("\ud83d")"), "\uFFFD");
    for (const std::string_view bad : {R"("\x")", R"("\u12")", R"("\)", R"(a)", R"(")", ""}) {
        EXPECT_FALSE(read_json_string(bad)) << bad;
    }
}

TEST(JsonLine, WhatIsNoObjectIsNone) {
    for (const std::string_view bad :
         {"", "x", "[]", "{", R"({"a")", R"({"a":)", R"({"a":"b)", R"({"a":1)", R"({"a":1,})",
          R"({"a":[1})", R"({"a" 1})", R"({a:1})"}) {
        EXPECT_FALSE(JsonLine::parse(bad)) << bad;
    }
    EXPECT_TRUE(JsonLine::parse("{}"));
}

// A million open brackets are counted, not climbed.
TEST(JsonLine, DepthCostsNothing) {
    const std::string deep = "{\"a\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']');
    EXPECT_TRUE(JsonLine::parse(deep + "}"));
    EXPECT_FALSE(JsonLine::parse(deep));
}

TEST(JsonLine, AnyCutAndAnyChangedByteIsSurvived) {
    const std::string whole =
        R"({"url":"http://a/\u00e9","us":{"total":5},"links":["x","y"],"n":1})";
    Random random(7);
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole.substr(0, random() % (whole.size() + 1));
        if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
        const auto line = JsonLine::parse(text);
        if (!line) continue;
        std::string value;
        line->read("url", value);
        if (const auto list = line->nested("links")) read_json_strings(*list);
    }
}

}  // namespace
}  // namespace weft::archive
