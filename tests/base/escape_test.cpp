#include "base/escape.h"

#include <gtest/gtest.h>

namespace weft {

TEST(Escape, H102TerminalTextHasNoControlCharacters) {
    EXPECT_EQ(escape_for_terminal("a\x1b[31mred\r\n"), "a\\x1b[31mred\\x0d\\x0a");
    EXPECT_EQ(escape_for_terminal("\xc2\x9b"
                                  "2J"),
              "\\u{9b}2J");
    EXPECT_EQ(escape_for_terminal("\xe2\x80\xae"
                                  "gpj.exe"),
              "\\u{202e}gpj.exe");
    EXPECT_EQ(escape_for_terminal("C:\\x"), "C:\\\\x");
    EXPECT_EQ(escape_for_terminal("caf\xc3\xa9"), "caf\xc3\xa9");
}

TEST(Escape, InvalidUtf8IsShownByteByByte) {
    EXPECT_EQ(escape_for_terminal("\xff\xc3"), "\\xff\\xc3");
    EXPECT_EQ(escape_for_json("\xed\xa0\x80"), "\\ufffd\\ufffd\\ufffd");
}

TEST(Escape, JsonTextMayStandInAScriptElement) {
    EXPECT_EQ(escape_for_json("</script>\"\\\n"), "\\u003c/script>\\\"\\\\\\u000a");
    EXPECT_EQ(escape_for_json("\xe2\x80\xa8"), "\\u2028");
}

TEST(Escape, HtmlTextHasNoMarkup) {
    EXPECT_EQ(escape_for_html("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
}

TEST(Escape, PrefixNeverEndsInsideACharacter) {
    EXPECT_EQ(utf8_prefix("ab\xe2\x82\xac", 4), "ab");
    EXPECT_EQ(utf8_prefix("ab\xe2\x82\xac", 5), "ab\xe2\x82\xac");
    EXPECT_EQ(utf8_prefix("\x80\x80\x80\x80\x80\x80", 5).size(), 2u);
}

}  // namespace weft
