#include "extract/text/plain_text.h"

#include <string>

#include <gtest/gtest.h>

#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

std::string plain_of(std::string_view html) {
    web::HtmlTreeBuilder builder;
    std::string out;
    write_plain_text(builder.parse(html), {}, out);
    return out;
}

TEST(PlainText, BlocksAreApartByAnEmptyLine) {
    EXPECT_EQ(plain_of("<title>t</title><h1>A</h1> <p>b\n <i>c</i>d<br>e</p><script>x</script>f"),
              "A\n\nb cd\ne\n\nf\n");
}

TEST(PlainText, ItemsAndRowsAreLinesAndCellsAreApartByTabs) {
    EXPECT_EQ(plain_of("<ul><li>a<li>b</ul><table><tr><td>c<td>d<tr><td>e</table>"),
              "a\nb\n\nc\td\ne\n");
}

TEST(PlainText, PreformattedTextStaysAsItIs) {
    EXPECT_EQ(plain_of("<p>a</p><pre>  b\n\n c<br>d</pre>e"), "a\n\n  b\n\n c\nd\n\ne\n");
}

TEST(PlainText, AnEmptyPageIsEmpty) {
    EXPECT_EQ(plain_of(""), "");
}

}  // namespace
}  // namespace weft::extract
