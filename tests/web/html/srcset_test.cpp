#include "web/html/srcset.h"

#include <string_view>

namespace weft::web {
namespace {

std::vector<std::string> urls(std::string_view srcset) {
    std::vector<std::string> found;
    SrcsetReader reader(srcset);
    while (const auto candidate = reader.next()) found.emplace_back(candidate->url);
    return found;
}

using Urls = std::vector<std::string>;

TEST(Srcset, CandidatesComeWithTheirDescriptors) {
    SrcsetReader reader("a.jpg 100w, b.jpg 2.5x, c.jpg 3w 4h");

    const auto a = reader.next();
    const auto b = reader.next();
    const auto c = reader.next();

    ASSERT_TRUE(a && b && c && !reader.next());
    EXPECT_EQ(a->width, 100u);
    EXPECT_EQ(b->density, 2.5);
    EXPECT_EQ(c->width, 3u);
    EXPECT_EQ(c->height, 4u);
}

TEST(Srcset, CommasInsideUrlsStayAndAtTheirEndsGo) {
    EXPECT_EQ(urls("data:,a, b,c 1x"), (Urls{"data:,a", "b,c"}));
    EXPECT_EQ(urls(",, ,a,,, "), (Urls{"a"}));
}

TEST(Srcset, CandidatesWithBadDescriptorsAreLeftOut) {
    EXPECT_EQ(urls("a 1w 2w, b 0w, c +1x, d 1x 1x, e 1h, f, g -1x, h 1.x"), (Urls{"f"}));
}

TEST(Srcset, ParenthesesHideCommas) {
    EXPECT_EQ(urls("a (x, y), b"), (Urls{"b"}));
    EXPECT_EQ(urls("a (b, c"), Urls{});
}

}  // namespace
}  // namespace weft::web
