#include "web/html/collapsed_text.h"

#include <string_view>

namespace weft::web {
namespace {

std::string collapsed(std::string_view text, std::size_t bytes_max, std::size_t piece_bytes) {
    CollapsedText collector(bytes_max);
    for (std::size_t i = 0; i < text.size(); i += piece_bytes) {
        collector.append(text.substr(i, piece_bytes));
    }
    return collector.take();
}

TEST(CollapsedText, RunsOfSpaceAreOneSpaceAndNoneIsAtTheEnds) {
    EXPECT_EQ(collapsed(" \n a\t\tb  c \r\n", 100, 3), "a b c");
}

TEST(CollapsedText, NothingIsKeptPastTheBoundHoweverItComes) {
    const std::string_view text = "ab \xC3\xA9\xE2\x82\xAC cd\xF0\x9F\x98\x80 e";
    for (std::size_t bytes_max = 0; bytes_max <= text.size(); ++bytes_max) {
        const std::string whole = collapsed(text, bytes_max, text.size());

        EXPECT_LE(whole.size(), bytes_max);
        EXPECT_TRUE(text.starts_with(whole)) << whole;
        EXPECT_EQ(collapsed(text, bytes_max, 1), whole);
    }
    EXPECT_EQ(collapsed(text, 4, 1), "ab");
}

TEST(CollapsedText, TakingItStartsAnew) {
    CollapsedText collector(2);
    collector.append("abc");
    EXPECT_TRUE(collector.is_full());

    EXPECT_EQ(collector.take(), "ab");

    collector.append(" d");
    EXPECT_EQ(collector.take(), "d");
}

}  // namespace
}  // namespace weft::web
