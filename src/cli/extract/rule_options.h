#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/options/option_table.h"
#include "extract/rules/rules.h"

// The options of `fetch` and `extract` that say which fields of a page are wanted.
namespace weft::cli {

// As typed.
struct RuleArguments {
    std::vector<std::string> select;
    std::string rules_file;

    bool wants_fields() const { return !select.empty() || !rules_file.empty(); }
};

std::span<const OptionSpec<RuleArguments>> rule_rows();

// Null if nothing is asked for. Reads the file of rules. Throws UsageError, which names the file,
// line and column, or IoError.
std::shared_ptr<const extract::Rules> make_rules(const RuleArguments& arguments);

// "reason", and below it the line with a caret under the character at `column` (bytes, from 1).
std::string with_caret(std::string_view reason, std::string_view line, std::size_t column);

}  // namespace weft::cli
