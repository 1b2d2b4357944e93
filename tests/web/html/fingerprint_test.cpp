#include "web/html/fingerprint.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace weft::web {
namespace {

std::string article(std::uint64_t seed, int word_count) {
    Random random(seed);
    std::string out;
    for (int i = 0; i < word_count; ++i) out += fmt::format("word{} ", random.below(5'000));
    return out;
}

}  // namespace

TEST(Fingerprint, NearDuplicatesDifferInFewBits) {
    const std::string page = article(1, 500);
    const std::string menu = "Home About Contact. Today is Monday. ";

    const auto original = text_fingerprint(page);

    EXPECT_LE(fingerprint_distance(original, text_fingerprint(page + "visitor number 1234567")), 6);
    EXPECT_LE(
        fingerprint_distance(text_fingerprint(menu + page),
                             text_fingerprint("Home About Contact. Today is Friday. " + page)),
        6);
}

TEST(Fingerprint, StrangersDifferInHalfOfTheBits) {
    int total = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
        total += fingerprint_distance(text_fingerprint(article(2 * i, 300)),
                                      text_fingerprint(article(2 * i + 1, 300)));
    }

    EXPECT_NEAR(total / 100.0, 32, 3);
}

TEST(Fingerprint, PiecesCaseAndSpacingDoNotMatter) {
    TextFingerprint pieces;
    for (char c : std::string_view("The quick\n brown, fox")) pieces.add({&c, 1});

    EXPECT_EQ(pieces.finish(), text_fingerprint("the QUICK brown fox"));
    EXPECT_EQ(text_fingerprint(" ,."), 0u);
    EXPECT_NE(text_fingerprint("hello"), text_fingerprint("world"));
    EXPECT_NE(text_fingerprint("hello"), 0u);
}

TEST(Fingerprint, PatternOfAnAddressHidesWhatIsGenerated_H68) {
    EXPECT_EQ(path_pattern("/2031/02/17/post-99?sid=a1b2c3d4&page=7"),
              "/{date}/post-{n}?sid={hex}&page={n}");
    EXPECT_EQ(path_pattern("/calendar/2031-2-1"), "/calendar/{date}");
    EXPECT_EQ(path_pattern("/calendar/20310217.html"), "/calendar/{date}.html");
    EXPECT_EQ(path_pattern("/calendar/2031/13/40"), "/calendar/{n}/{n}/{n}");
    EXPECT_EQ(path_pattern("/u/550e8400-e29b-41d4-a716-446655440000/x"), "/u/{uuid}/x");
    EXPECT_EQ(path_pattern("/p/dQw4w9WgXcQabcdefg"), "/p/{id}");
    EXPECT_EQ(path_pattern("/trap1/page12b3"), "/trap{n}/page{n}b{n}");
    EXPECT_EQ(path_pattern("/about/deadbeef/facade#5"), "/about/deadbeef/facade");
    EXPECT_EQ(path_pattern(""), "");
}

}  // namespace weft::web
