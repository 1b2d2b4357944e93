#include "extract/rules/rule_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "extract/extractor.h"
#include "extract/rules/row_line.h"
#include "web/tree/html_tree_builder.h"

namespace weft::extract {
namespace {

Extract read(std::string_view html, Rules rules, std::string_view url = "https://a.test/x") {
    web::HtmlTreeBuilder builder;
    Extract out;
    RuleReader(std::make_shared<const Rules>(std::move(rules)))
        .read(builder.parse(html), url, nullptr, out);
    return out;
}

std::string selected(std::string_view html, const std::vector<std::string>& fields) {
    Rules rules;
    for (const std::string& field : fields)
        rules.selected.push_back(parse_typed_field(field).value());
    std::string line;
    append_fields_line(read(html, std::move(rules)).selected, line);
    return line;
}

std::string rows(std::string_view html, std::string_view toml,
                 std::string_view url = "https://a.test/x") {
    const Extract page = read(html, {.selected = {}, .rules = parse_rules(toml).value()}, url);
    std::string lines;
    for (const auto& row : page.rows) append_row_line(url, row, lines);
    return lines;
}

constexpr std::string_view kShop =
    "<html lang=en><h1>Shop</h1><ul>"
    "<li class=product id=p1><h2>One <b>two</b></h2><i class=price> 1.50 </i>"
    "<a class=tag href=/a>a</a><a class=tag href=/b>\"b\"</a></li>"
    "<li class=product id=p2><h2>Two</h2></li><li class=product></li></ul>";

TEST(RuleReader, AFieldIsTheFirstMatchOrAllAsAList) {
    EXPECT_EQ(selected(kShop, {"price=.price::text", "tags[]=a.tag", "none=.none", "all[]=.none"}),
              "{\"price\":\"1.50\",\"tags\":[\"a\",\"\\\"b\\\"\"]}\n");
    EXPECT_EQ(selected(kShop, {"none=.none"}), "{}\n");
    EXPECT_EQ(selected(kShop, {"h=h2::html", "l=a::attr(href)", "lang=::attr(lang)"}),
              "{\"h\":\"\\u003ch2>One \\u003cb>two\\u003c/b>\\u003c/h2>\",\"l\":\"/a\","
              "\"lang\":\"en\"}\n");
    const Extract page = read(kShop, {{parse_typed_field("m=h2::markdown").value()}, {}});
    EXPECT_EQ(page.selected.at(0).values.at(0), "## One **two**\n");
}

TEST(RuleReader, TheFirstMatchWithAValueCounts) {
    EXPECT_EQ(selected("<a>x</a><a href=/b>y</a>", {"l=a::attr(href)"}), "{\"l\":\"/b\"}\n");
}

TEST(RuleReader, EachMatchIsARow) {
    EXPECT_EQ(rows(kShop,
                   "[[rule]]\neach = 'li.product'\n[rule.fields]\n"
                   "name = 'h2'\nid = '::attr(id)'\n'tags[]' = '.tag'\n"),
              "{\"page_url\":\"https://a.test/x\",\"name\":\"One two\",\"id\":\"p1\","
              "\"tags\":[\"a\",\"\\\"b\\\"\"]}\n"
              "{\"page_url\":\"https://a.test/x\",\"name\":\"Two\",\"id\":\"p2\"}\n");
}

TEST(RuleReader, WithoutEachThePageIsTheRow) {
    EXPECT_EQ(rows(kShop, "[[rule]]\n[rule.fields]\nname = 'h1'\nlang = '::attr(lang)'\n"),
              "{\"page_url\":\"https://a.test/x\",\"name\":\"Shop\",\"lang\":\"en\"}\n");
}

TEST(RuleReader, ARuleIsForThePagesThatItMatches) {
    const std::string_view toml =
        "[[rule]]\nmatch = '/shop/'\nfields.a = 'h1'\n"
        "[[rule]]\nmatch = 'glob:https://a.test/*'\nfields.b = 'h1'\n";
    EXPECT_TRUE(rows(kShop, toml).contains("\"b\":\"Shop\"}\n"));
    EXPECT_FALSE(rows(kShop, toml).contains("\"a\""));
    EXPECT_EQ(rows(kShop, toml, ""), "{\"a\":\"Shop\"}\n{\"b\":\"Shop\"}\n")
        << "a page without a URL is matched by all rules";
}

TEST(RuleReader, RowsAPageHaveABound) {
    const Rules rules{{}, parse_rules("[[rule]]\neach = 'p'\nfields.a = '::text'\n").value()};
    std::string html;
    for (std::size_t i = 0; i < kRowsPerPageMax; ++i) html += "<p>a";
    const Extract full = read(html, rules);
    EXPECT_EQ(full.rows.size(), kRowsPerPageMax);
    EXPECT_FALSE(full.cut.fields);

    const Extract cut = read(html + "<p>a", rules);
    EXPECT_EQ(cut.rows.size(), kRowsPerPageMax);
    EXPECT_TRUE(cut.cut.fields);
}

TEST(RuleReader, BytesAPageHaveABound) {
    const Rules rules{{parse_typed_field("a[]=p").value()}, {}};
    const std::string half(kFieldBytesPerPageMax / 2 - 32, 'a');
    EXPECT_FALSE(read("<p>" + half + "<p>" + half, rules).cut.fields);

    const Extract cut = read("<p>" + half + "<p>" + half + "a", rules);
    EXPECT_TRUE(cut.cut.fields);
    ASSERT_EQ(cut.selected.front().values.size(), 1U) << "what fits is kept";
}

TEST(RuleReader, RowsInRowsShareTheStepsOfThePage) {
    const Rules rules{{},
                      parse_rules("[[rule]]\neach = 'div'\nfields.a = 'p:nth-child(2)'\n").value()};
    std::string html;
    for (int i = 0; i < 400; ++i) html += "<div>";
    for (int i = 0; i < 100'000; ++i) html += "<p>a";

    const Extract page = read(html, rules);

    EXPECT_TRUE(page.cut.fields);
    EXPECT_LT(page.rows.size(), 400U);
    EXPECT_GT(page.rows.size(), 10U);
}

TEST(RuleReader, AnExtractorGivesSelectedAndRows) {
    Extractor extractor({.rules = std::make_shared<const Rules>(
                             Rules{{parse_typed_field("h=h1").value()},
                                   parse_rules("[[rule]]\nfields.a = 'h2'\n").value()})});
    for (int i = 0; i < 2; ++i) {
        const Extract& page = extractor.read({.html = kShop, .url = "https://a.test/"});
        EXPECT_EQ(page.selected.at(0).values.at(0), "Shop");
        EXPECT_EQ(page.rows.at(0).at(0).values.at(0), "One two");
    }
    EXPECT_EQ(extractor.read({.html = "<p>"}).rows.size(), 0U);
}

}  // namespace
}  // namespace weft::extract
