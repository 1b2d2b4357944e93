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

}  // namespace weft::archive
