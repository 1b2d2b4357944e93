#include "base/hidden.h"

#include <gtest/gtest.h>

#include "base/escape.h"
#include "base/json_reader.h"

namespace weft {
namespace {

std::string utf8(char32_t c) {
    std::string out;
    const auto byte = [&out](char32_t value) { out += static_cast<char>(value); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | c >> 6);
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | c >> 12);
        byte(0x80 | (c >> 6 & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | c >> 18);
        byte(0x80 | (c >> 12 & 0x3F));
        byte(0x80 | (c >> 6 & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
    return out;
}

bool is_surrogate(char32_t c) {
    return c >= 0xD800 && c < 0xE000;
}

}  // namespace

TEST(Hidden, H102WhatIsNotSeenIsHidden) {
    constexpr char32_t kNotSeen[] = {
        0x00,   0x1B,   0x7F,   0x85,   0x9B,   0xAD,   0x61C,  0x200B, 0x200E, 0x200F,  0x2028,
        0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0x3164, 0xFEFF, 0xFFF9, 0xFFFE, 0xE0001, 0xE007F};
    for (const char32_t c : kNotSeen) {
        EXPECT_TRUE(is_hidden(c)) << std::hex << static_cast<unsigned>(c);
        EXPECT_TRUE(is_unprintable(c)) << std::hex << static_cast<unsigned>(c);
    }
    constexpr char32_t kSeen[] = {0x20, 0x7E, 0xA0, 0xE9, 0x300, 0x5D0, 0x4E2D, 0xAC00, 0x1F600};
    for (const char32_t c : kSeen) {
        EXPECT_FALSE(is_hidden(c)) << std::hex << static_cast<unsigned>(c);
    }
}

TEST(Hidden, WordsAndEmojiThatNeedJoinersAreShownOnATerminalAsTheyAre) {
    const std::string persian = "\u0645\u06CC\u200C\u0634\u0648\u062F";
    const std::string heart = "\u2764\uFE0F";
    EXPECT_EQ(escape_for_terminal(persian + heart), persian + heart);
    EXPECT_EQ(escape_for_json(heart), "\u2764\\ufe0f") << "in JSON nothing is lost by a number";
}

TEST(Hidden, H102EveryCharacterComesBackOutOfJsonAndNoHiddenOneIsInIt) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (is_surrogate(c)) continue;
        const std::string text = utf8(c);
        const std::string json = escape_for_json(text);
        ASSERT_EQ(json == text, !is_hidden(c) && c != '"' && c != '\\' && c != '<')
            << std::hex << static_cast<unsigned>(c);
        const std::string quoted = '"' + json + '"';
        std::string back;
        JsonReader(quoted).read(back);
        ASSERT_EQ(back, text) << std::hex << static_cast<unsigned>(c);
    }
}

TEST(Hidden, JsonThatIsMadeKeepsItsLayout) {
    EXPECT_EQ(with_json_escapes("{\n  \"a\": \"\u202E\u00E9\U000E0001\x7f\"\n}\n"),
              "{\n  \"a\": \"\\u202e\u00E9\\udb40\\udc01\\u007f\"\n}\n");
    EXPECT_EQ(with_json_escapes("[1]\n"), "[1]\n");
}

TEST(Hidden, H102AWholeMessageKeepsItsLinesAndLosesItsControls) {
    EXPECT_EQ(with_visible_controls("a\n\tb \\ \x1b[2J\u202E\xff"),
              "a\n\tb \\ \\x1b[2J\\u{202e}\\xff");
}

}  // namespace weft
