#include "base/shell_word.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(ShellWord, IsQuotedOnlyWhereItHasToBe) {
    EXPECT_EQ(shell_word("weft-example.com-20260101/x"), "weft-example.com-20260101/x");
    EXPECT_EQ(shell_word("büro"), "büro");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("my crawls"), "'my crawls'");
    EXPECT_EQ(shell_word("$HOME;ls"), "'$HOME;ls'");
    EXPECT_EQ(shell_word("a\\b"), "'a\\b'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

TEST(ShellWord, H102DoesNotDriveATerminal) {
    EXPECT_EQ(shell_word("a\x1b[31m"), "'a\\x1b[31m'");
    EXPECT_EQ(shell_word("a\nb"), "'a\\x0ab'");
    EXPECT_EQ(shell_word("\x9b"), "\\x9b");
    EXPECT_EQ(shell_word("a \x9b"), "'a \\x9b'");
    EXPECT_EQ(shell_word("a \u202e"), "'a \\u{202e}'");
}

}  // namespace
}  // namespace weft
