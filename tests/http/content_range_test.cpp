#include "http/content_range.h"

#include <gtest/gtest.h>

namespace weft::http {

TEST(ContentRange, APartMustBeWhatWasAskedForH31) {
    EXPECT_TRUE(answers_range("bytes=0-99", "bytes 0-99/1234"));
    EXPECT_TRUE(answers_range("bytes=0-99", "bytes 0-49/50"));
    EXPECT_TRUE(answers_range("bytes=100-", "bytes 100-1233/1234"));
    EXPECT_TRUE(answers_range("bytes=100-", "bytes 100-200/*"));
    EXPECT_TRUE(answers_range("bytes=-5", "bytes 1229-1233/1234"));
    for (const std::string_view lie :
         {"", "bytes", "bytes 0-99", "bytes 1-99/1234", "bytes 0-100/1234", "bytes 5-4/10",
          "bytes 0-99/99", "bytes 0-99/x", "bytes */1234", "bytes 0-99/1234 x", "lines 0-99/1234",
          "bytes 0-99999999999999999999999/*"}) {
        EXPECT_FALSE(answers_range("bytes=0-99", lie)) << lie;
    }
    EXPECT_FALSE(answers_range("bytes=-5", "bytes 0-9/10"));
    EXPECT_FALSE(answers_range("bytes=0-1,5-6", "bytes 0-1/10"));
    EXPECT_FALSE(answers_range("lines=0-1", "bytes 0-1/10"));
}

}  // namespace weft::http
