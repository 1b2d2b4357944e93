#include "base/hash.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// Keys that share a bucket under one seed are found by trying; under another seed they scatter.
TEST(Hash, H74KeysChosenToCollideScatterUnderAnotherSeed) {
    constexpr std::uint64_t kBucketMask = 1023;
    std::vector<std::string> colliding;
    for (int i = 0; colliding.size() < 64; ++i) {
        std::string key = "/page/" + std::to_string(i);
        if ((hash64(key, 1) & kBucketMask) == 0) colliding.push_back(std::move(key));
    }
    std::set<std::uint64_t> buckets;
    for (const std::string& key : colliding) buckets.insert(hash64(key, 2) & kBucketMask);
    EXPECT_GT(buckets.size(), 50U);
}

TEST(Hash, Sha1IsThatOfTheStandardAndStartsAgain) {
    MessageDigest digest(DigestAlgorithm::sha1);
    digest.update("a");
    digest.update("bc");
    const std::string whole = digest.finish();
    EXPECT_EQ(whole.substr(0, 4), "\xa9\x99\x3e\x36");
    EXPECT_EQ(whole.size(), 20U);
    digest.update("abc");
    EXPECT_EQ(digest.finish(), whole);
}

}  // namespace
}  // namespace weft
