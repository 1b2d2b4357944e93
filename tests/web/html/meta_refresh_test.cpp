#include "web/html/meta_refresh.h"

#include <limits>

namespace weft::web {
namespace {

TEST(MetaRefresh, TimeAndUrlAreRead) {
    const auto refresh = parse_meta_refresh(" 5.7 ; URL = 'a b' c");

    ASSERT_TRUE(refresh);
    EXPECT_EQ(refresh->seconds, 5u);
    EXPECT_EQ(refresh->url, "a b");
}

TEST(MetaRefresh, WithoutAUrlThePageReloadsItself) {
    EXPECT_EQ(parse_meta_refresh("0")->url, std::nullopt);
    EXPECT_EQ(parse_meta_refresh("0; ")->url, std::nullopt);
    EXPECT_EQ(parse_meta_refresh("0; url=")->url, "");
}

TEST(MetaRefresh, TooLargeATimeIsTheLargest) {
    EXPECT_EQ(parse_meta_refresh("99999999999999999999999")->seconds,
              std::numeric_limits<std::uint64_t>::max());
}

TEST(MetaRefresh, ErrorsSayWhatIsMissing) {
    EXPECT_EQ(parse_meta_refresh("url=x").error(), MetaRefreshError::no_time);
    EXPECT_EQ(parse_meta_refresh("5x").error(), MetaRefreshError::no_separator);
    EXPECT_FALSE(describe(MetaRefreshError::no_separator).empty());
}

}  // namespace
}  // namespace weft::web
