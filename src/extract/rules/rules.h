#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/rules/field_rule.h"
#include "extract/select/selector.h"
#include "web/url/pattern.h"

namespace weft::extract {

// One rule of a file: which rows are on which pages.
struct Rule {
    std::optional<web::Pattern> match;  // Of the page's URL. None: the rule is for every page.
    std::optional<Selector> each;       // A row for each match. None: one row a page.
    std::vector<FieldRule> fields;      // In a row. In the order of the file.
};

// What to get from every page. A value; may be used by many threads at once.
struct Rules {
    std::vector<FieldRule> selected;  // Fields of the page itself.
    std::vector<Rule> rules;          // Every rule that matches gives rows.

    // The names of the rows' fields, each once, in the order of the rules.
    std::vector<std::string> columns() const;
};

// Why a text is no file of rules. Lines and columns count from 1.
struct RuleError {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string reason;
};

// A larger file, or one with more rules or fields, is an error.
inline constexpr std::size_t kRuleFileBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kRuleCountMax = 1'000;
inline constexpr std::size_t kRuleFieldCountMax = 200;  // Of one rule, and of `selected`.

// The member of a row, and the column, with the URL of its page. No field has this name.
inline constexpr std::string_view kPageUrlName = "page_url";

// Reads a file of rules, in TOML:
//
//     [[rule]]
//     match = "glob:https://example.com/shop/**"
//     each = "li.product"
//     [rule.fields]
//     name = "h2"
//     price = ".price::text"
//     "tags[]" = "a.tag"
std::expected<std::vector<Rule>, RuleError> parse_rules(std::string_view toml);

}  // namespace weft::extract
