#include "base/bytes.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace weft {

TEST(Bytes, EncodingsAgreeWithRfc4648) {
    EXPECT_EQ(to_hex("foob"), "666f6f62");
    EXPECT_EQ(to_base32("fooba"), "MZXW6YTB");
    EXPECT_EQ(to_base32("foob"), "MZXW6YQ=");
    EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
    EXPECT_EQ(to_base64(""), "");
}

TEST(Bytes, TrimTakesAsciiSpaceOnly) {
    EXPECT_EQ(trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(trim(" \n "), "");
    EXPECT_EQ(trim("\xc2\xa0x"), "\xc2\xa0x");
}

TEST(Hash, Sha1OfNothingIsTheKnownDigest) {
    MessageDigest sha1(DigestAlgorithm::sha1);

    EXPECT_EQ(to_hex(sha1.finish()), "da39a3ee5e6b4b0d3255bfef95601890afd80709");

    sha1.update("ab");
    sha1.update("c");
    EXPECT_EQ(to_base32(sha1.finish()), "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
}

}  // namespace weft
