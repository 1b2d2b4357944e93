#include "web/fields/validator.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {

TEST(Validator, GoodOnesAreKeptAsTheyAre_H39) {
    EXPECT_EQ(usable_etag(" W/\"a b\" "), "W/\"a b\"");
    EXPECT_EQ(usable_etag("unquoted"), "unquoted");
    EXPECT_EQ(usable_last_modified("Sun, 06 Nov 1994 08:49:37 GMT"),
              "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Validator, LongOnesAndControlBytesAreDropped_H39) {
    EXPECT_TRUE(usable_etag(std::string(limits::kValidatorBytesMax, 'x')));
    EXPECT_FALSE(usable_etag(std::string(limits::kValidatorBytesMax + 1, 'x')));
    EXPECT_FALSE(usable_etag("\"a\"\r\nX: y"));
    EXPECT_FALSE(usable_etag(std::string_view("a\0b", 3)));
    EXPECT_FALSE(usable_etag(""));
    EXPECT_FALSE(usable_last_modified("yesterday"));
    EXPECT_FALSE(usable_last_modified("Sun, 06 Nov 1994 08:49:37 GMT\r\nX: y"));
}

}  // namespace weft::web
