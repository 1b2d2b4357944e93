#include "cluster/entry.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::cluster {

namespace {

frontier::Candidate candidate_of(std::string url, std::string referrer = {}) {
    return {.url = std::move(url),
            .key = {},
            .host = "a.test:8080",
            .referrer = std::move(referrer),
            .depth = 3,
            .trail = 4'000'000'000,
            .priority = 64};
}

TEST(ClusterEntry, ComesBackAsItWas) {
    for (const char* url : {"http://a.test:8080/", "https://a.test:8080/x?y#", "http://a.test/",
                            "http://a.test:80800/x", "ftp://a.test:8080/", "https://b.test/"}) {
        for (const char* referrer : {"", "http://a.test:8080/from", "https://b.test/from"}) {
            const frontier::Candidate candidate = candidate_of(url, referrer);

            const auto visit = decode_entry(encode_entry(candidate, 7), "a.test:8080", 2);

            ASSERT_TRUE(visit) << url;
            EXPECT_EQ(visit->candidate.url, url);
            EXPECT_EQ(visit->candidate.referrer, referrer);
            EXPECT_EQ(visit->candidate.host, "a.test:8080");
            EXPECT_EQ(visit->candidate.depth, 3U);
            EXPECT_EQ(visit->candidate.trail, 4'000'000'000U);
            EXPECT_EQ(visit->candidate.priority, 64);
            EXPECT_EQ(visit->attempt, 7U);
        }
    }
}

TEST(ClusterEntry, HasNeitherSchemeNorHost) {
    const std::string entry =
        encode_entry(candidate_of("https://a.test:8080/page", "https://a.test:8080/"), 1);

    EXPECT_TRUE(entry.ends_with(std::string_view("/page\0/", 7)));
    EXPECT_EQ(entry.size(), 1U + 5 + 1 + 1 + 7);
}

TEST(ClusterEntry, ClassesHoldThirtyTwoPriorities) {
    EXPECT_EQ(class_of(0), 0);
    EXPECT_EQ(class_of(31), 0);
    EXPECT_EQ(class_of(32), 1);
    EXPECT_EQ(class_of(127), 3);
    EXPECT_EQ(class_of(255), 3);
}

TEST(ClusterEntry, ThatIsCutIsAnError) {
    const std::string entry = encode_entry(candidate_of("http://a.test:8080/"), 1);
    for (std::size_t size = 0; size < entry.size(); ++size) {
        EXPECT_EQ(decode_entry(entry.substr(0, size), "h", 0).error(), EntryError::broken);
    }
    EXPECT_EQ(decode_entry(std::string(9, '\xFF'), "h", 0).error(), EntryError::broken);
    EXPECT_EQ(decode_entry(std::string(5, '\0'), "h", 0).error(), EntryError::broken);
    // The host would be "h.evil.test".
    EXPECT_EQ(decode_entry(std::string("\0\0\1\1.evil.test/", 15), "h", 0).error(),
              EntryError::broken);
}

TEST(ClusterEntry, IsBounded) {
    const std::string prefix("\0\0\1\3", 4);
    const std::string longest(limits::kUrlBytesMax, 'x');

    EXPECT_TRUE(decode_entry(prefix + longest, "h", 0));
    EXPECT_EQ(decode_entry(prefix + longest + "x", "h", 0).error(), EntryError::too_long);
    const std::string with_referrer = std::string("\0\0\1\x33u\0", 6) + longest;
    EXPECT_TRUE(decode_entry(with_referrer, "h", 0));
    EXPECT_EQ(decode_entry(with_referrer + "x", "h", 0).error(), EntryError::too_long);
}

}  // namespace

}  // namespace weft::cluster
