#include "extract/rules/rules.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weft::extract {
namespace {

std::string error_of(std::string_view toml) {
    const auto rules = parse_rules(toml);
    if (rules) return "no error";
    return fmt::format("{}:{}: {}", rules.error().line, rules.error().column, rules.error().reason);
}

std::string typed_error_of(std::string_view text) {
    const auto field = parse_typed_field(text);
    if (field) return "no error";
    return fmt::format("{}: {}", field.error().column, field.error().reason);
}

TEST(Rules, ReadsAFile) {
    const auto rules = parse_rules(R"toml(
# Products of a shop.
[[rule]]
match = "glob:https://a.test/**"
each = "li.product"
[rule.fields]
zebra = "h2"
"tags[]" = "a.tag"
id = "::attr(id)"

[[rule]]
fields = { name = 'h1', zebra = "p" }
)toml");

    ASSERT_TRUE(rules) << rules.error().reason;
    ASSERT_EQ(rules->size(), 2U);
    const Rule& first = rules->front();
    EXPECT_TRUE(first.match->matches("https://a.test/x/y"));
    EXPECT_FALSE(first.match->matches("https://b.test/x/y"));
    ASSERT_EQ(first.fields.size(), 3U);
    EXPECT_EQ(first.fields[0].name, "zebra") << "fields keep the order of the file";
    EXPECT_TRUE(first.fields[1].is_list);
    EXPECT_EQ(first.fields[1].name, "tags");
    EXPECT_TRUE(first.fields[2].is_of_row);
    EXPECT_FALSE(rules->back().match);
    EXPECT_FALSE(rules->back().each);
    EXPECT_EQ((Rules{{}, *rules}.columns()),
              (std::vector<std::string>{"zebra", "tags", "id", "name"}));
}

TEST(Rules, ErrorsPointAtTheirPlace) {
    EXPECT_EQ(error_of(""), "1:1: there is no [[rule]] in it");
    EXPECT_EQ(error_of("a = 1"), "1:1: expected [[rule]]: a file of rules has nothing else");
    EXPECT_EQ(error_of("[rule]\n"), "1:1: write [[rule]], with two brackets");
    EXPECT_EQ(error_of("[[rule]]\n"), "1:1: this rule has no [rule.fields]");
    EXPECT_EQ(error_of("[[rule]]\neech = 'p'\n"),
              "2:1: 'eech' is not known here; a rule has match, each and [rule.fields]");
    EXPECT_EQ(error_of("[[rule]]\n[rule.fields]\na = 1\n"), "3:5: expected a text in quotes");
    EXPECT_EQ(error_of("[[rule]]\nmatch = '('\n"), "2:9: missing ): (");
    EXPECT_EQ(error_of("[[rule]]\neach = 'p::text'\n"),
              "2:8: a row is a whole element: leave out the part behind ::");
    EXPECT_EQ(error_of("[[rule]]\n[rule.fields]\npage_url = 'p'\n"),
              "3:1: page_url is the URL of the page: take another name");
    EXPECT_EQ(error_of("[[rule]]\n[rule.fields]\n\"a[]\" = 'p'\na = 'p'\n"),
              "4:1: this rule has a field of this name");
    EXPECT_TRUE(error_of("[[rule]]\nmatch = \n").starts_with("2:"));
    EXPECT_TRUE(error_of("[[rule").starts_with("1:"));
}

TEST(Rules, ASelectorErrorPointsAtItsCharacter) {
    EXPECT_EQ(error_of("[[rule]]\neach = 'p >'\n"), "2:12: a selector is missing at the end");
    EXPECT_TRUE(
        error_of("[[rule]]\n[rule.fields]\nprice = \".price::txt\"\n").starts_with("3:16: "));
    EXPECT_TRUE(error_of("[[rule]]\n[rule.fields]\nid = ' ::foo'\n").starts_with("3:8: "));
    // With an escape the place in the string is not the place in the file.
    EXPECT_TRUE(error_of("[[rule]]\n[rule.fields]\na = \"\\u0070 >\"\n").starts_with("3:5: "));
}

TEST(Rules, TheFileHasItsBounds) {
    const std::string rule = "[[rule]]\nfields.a = 'p'\n";
    const auto padded = [&](std::size_t size) {
        return rule + std::string(size - rule.size(), '\n');
    };
    EXPECT_EQ(error_of(padded(kRuleFileBytesMax)), "no error");
    EXPECT_EQ(error_of(padded(kRuleFileBytesMax + 1)), "1:1: a file of rules has at most 1 MiB");

    const auto rules = [&](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += rule;
        return text;
    };
    EXPECT_EQ(error_of(rules(kRuleCountMax)), "no error");
    EXPECT_EQ(error_of(rules(kRuleCountMax + 1)), "2001:1: a file has at most 1000 rules");

    const auto fields = [&](std::size_t count) {
        std::string text = "[[rule]]\n[rule.fields]\n";
        for (std::size_t i = 0; i < count; ++i) text += fmt::format("f{} = 'p'\n", i);
        return text;
    };
    EXPECT_EQ(error_of(fields(kRuleFieldCountMax)), "no error");
    EXPECT_EQ(error_of(fields(kRuleFieldCountMax + 1)), "203:1: a rule has at most 200 fields");

    const auto named = [&](std::size_t size) {
        return "[[rule]]\n[rule.fields]\n" + std::string(size, 'n') + " = 'p'\n";
    };
    EXPECT_EQ(error_of(named(FieldRule::kNameBytesMax)), "no error");
    EXPECT_EQ(error_of(named(FieldRule::kNameBytesMax + 1)), "3:1: a name has at most 200 bytes");
}

TEST(Rules, AFileWithoutEndOfDotsEnds) {
    std::string text = "a";
    for (int i = 0; i < 100'000; ++i) text += ".a";
    EXPECT_EQ(error_of(text + " = 1\n"), "1:1: too many dots");
}

// The TOML library asserted that the name of a table begins with what a name may begin with.
TEST(Rules, ATableWithoutANameIsAnErrorInItsLine) {
    EXPECT_EQ(error_of("a = 1\n[{\"a\": 1}]\n"), "2:1: this is no TOML");
    EXPECT_EQ(error_of("\n\n [[ =x]]\n"), "3:1: this is no TOML");
}

TEST(Rules, ATypedFieldIsNameAndSelector) {
    const auto price = parse_typed_field("price=.price::text");
    ASSERT_TRUE(price);
    EXPECT_EQ(price->name, "price");
    EXPECT_FALSE(price->is_list);
    EXPECT_EQ(price->selector.part, SelectorPart::text);
    const auto tags = parse_typed_field("tags[]=a[rel=tag]");
    ASSERT_TRUE(tags);
    EXPECT_EQ(tags->name, "tags");
    EXPECT_TRUE(tags->is_list);

    EXPECT_EQ(typed_error_of(".price"), "7: expected = and a selector");
    EXPECT_EQ(typed_error_of("=.price"), "1: a name was expected here");
    EXPECT_EQ(typed_error_of("a\x1B=p"), "1: a name is printable text");
    EXPECT_EQ(typed_error_of("price=.price >"), "15: a selector is missing at the end");
    EXPECT_EQ(typed_error_of("a=:hover"), "3: ':hover' is not supported");
}

}  // namespace
}  // namespace weft::extract
