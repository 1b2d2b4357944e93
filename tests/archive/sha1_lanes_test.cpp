#include "archive/sha1_pair.h"

#include <array>

#include <gtest/gtest.h>

#include "archive/digest.h"
#include "base/random.h"

namespace weft::archive {

TEST(Sha1Pair, IsWhatTwoPassesGiveWhateverTheLengths) {
    Random random(1);
    std::string bytes(4'096, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (std::size_t head_bytes = 0; head_bytes < 140; ++head_bytes) {
        for (std::size_t body_bytes = 0; body_bytes < 300; ++body_bytes) {
            const std::string_view head(bytes.data(), head_bytes);
            const std::string_view body(bytes.data() + 1'000, body_bytes);
            const std::array block = {head, body};

            const Sha1Pair pair = sha1_pair(head, body);

            ASSERT_EQ(pair.block, sha1_label(block)) << head_bytes << " " << body_bytes;
            ASSERT_EQ(pair.payload, sha1_label(std::span(&body, 1))) << body_bytes;
        }
    }
}

TEST(Sha1Pair, IsThatOfTheStandardsExample) {
    EXPECT_EQ(sha1_pair("a", "bc").block, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    EXPECT_EQ(sha1_pair("", "abc").payload, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
}

TEST(Sha1Labels, AreThoseOfEachMessageAlone) {
    const std::string bytes(1'000, 'x');
    for (const std::size_t first : {0u, 55u, 56u, 64u, 119u, 500u}) {
        for (const std::size_t second : {0u, 1u, 63u, 128u, 1'000u}) {
            const std::string_view a(bytes.data(), first);
            const std::string_view b(bytes.data(), second);

            const auto [of_a, of_b] = sha1_labels(a, b);

            EXPECT_EQ(of_a, sha1_label(std::span(&a, 1))) << first << " " << second;
            EXPECT_EQ(of_b, sha1_label(std::span(&b, 1))) << first << " " << second;
        }
    }
}

}  // namespace weft::archive
