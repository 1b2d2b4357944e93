#include "base/json_reader.h"

#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The members of an object of texts, as "name=value"; "(no JSON)" last if it was none.
std::vector<std::string> members_of(std::string_view text) {
    std::vector<std::string> members;
    JsonReader reader(text);
    if (reader.enter_object()) {
        while (reader.next_member()) {
            std::string value = "-";
            const std::string name(reader.key());
            reader.read(value);
            members.push_back(name + '=' + value);
        }
    }
    if (!reader.is_whole()) members.push_back("(no JSON)");
    return members;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST(JsonReader, ReadsMembersInOrder) {
    EXPECT_EQ(members_of(R"({"a":"1","b":"2"})"), (Strings{"a=1", "b=2"}));
    EXPECT_EQ(members_of(" {\t\"a\" : \"1\" ,\r\n \"b\" : \"\" } "), (Strings{"a=1", "b="}));
    EXPECT_EQ(members_of("{}"), Strings{});
}

TEST(JsonReader, ReadsEscapes) {
    EXPECT_EQ(members_of(R"({"\u0061":"\"\\\/\b\f\n\r\t"})"), Strings{"a=\"\\/\b\f\n\r\t"});
    EXPECT_EQ(members_of(R"({"a":"\u00e9\u20ac\ud83d\ude00"})"), Strings{"a=é€😀"});
    EXPECT_EQ(members_of(R"({"a":"\ud83d \ude00 \ud83d\u0041"})"),
              Strings{"a=\uFFFD \uFFFD \uFFFDA"});
}

TEST(JsonReader, PassesOverWhatIsOfAnotherType) {
    EXPECT_EQ(members_of(R"({"a":1,"b":-2.5e+3,"c":true,"d":null,"e":"x"})"),
              (Strings{"a=-", "b=-", "c=-", "d=-", "e=x"}));
    EXPECT_EQ(members_of(R"({"a":{"x":[1,{"y":"}"}],"z":"]"},"b":[[],{}],"e":"x"})"),
              (Strings{"a=-", "b=-", "e=x"}));
}

TEST(JsonReader, ReadsWholeNumbers) {
    const auto number = [](std::string_view text) {
        std::uint64_t value = 7;
        JsonReader reader(text);
        reader.read(value);
        return reader.is_whole() ? value : 0;
    };

    EXPECT_EQ(number("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(number("18446744073709551616"), 7u);
    EXPECT_EQ(number("-1"), 7u);
    EXPECT_EQ(number("1.5"), 7u);
    EXPECT_EQ(number("\"1\""), 7u);
    EXPECT_EQ(number("1 x"), 0u);
}

TEST(JsonReader, ReadsTruthAndItems) {
    JsonReader reader(R"([true, false, 3, true])");
    int truths = 0;
    ASSERT_TRUE(reader.enter_array());
    while (reader.next_item()) {
        bool value = false;
        reader.read(value);
        truths += value;
    }

    EXPECT_TRUE(reader.is_whole());
    EXPECT_EQ(truths, 2);
}

TEST(JsonReader, WhatIsNoJsonEndsEveryLoop) {
    for (const std::string_view text : {"",
                                        "x",
                                        "{",
                                        "{\"",
                                        "{\"a",
                                        "{\"a\"",
                                        "{\"a\":",
                                        "{\"a\":\"",
                                        "{\"a\":\"x\"",
                                        "{\"a\":\"x\",",
                                        "{\"a\":\"x\" \"b\":\"y\"}",
                                        "{a:1}",
                                        "{\"a\":tru}",
                                        "{\"a\":[1,{}",
                                        "{\"a\":\"\\x\"}",
                                        "{\"a\":\"\\u12\"}",
                                        "{\"a\":\"\\ud800\\u1\"}",
                                        "{\"a\":}",
                                        "{} {}",
                                        "{,}"}) {
        const Strings members = members_of(text);
        ASSERT_FALSE(members.empty()) << text;
        EXPECT_EQ(members.back(), "(no JSON)") << text;
    }
}

TEST(JsonReader, DeepNestingCostsNoStack) {
    const std::string deep =
        "{\"a\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + ",\"b\":\"x\"}";

    EXPECT_EQ(members_of(deep), (Strings{"a=-", "b=x"}));
}

}  // namespace weft
