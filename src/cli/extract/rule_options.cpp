#include "cli/extract/rule_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/task/errors.h"
#include "base/error.h"
#include "base/escape.h"

namespace weft::cli {
namespace {

// Empty: it is a field and its selector.
std::string complaint_about_select(const std::string& text) {
    const auto field = extract::parse_typed_field(text);
    return field ? "" : with_caret(field.error().reason, text, field.error().column);
}

constexpr OptionSpec<RuleArguments> kRules[] = {
    {"--rules", "FILE", "get rows of fields from the pages, as the rules in this TOML file say",
     [](auto& rules) { return text(rules.rules_file); }},
    {"--select", "NAME=CSS",
     "get a field: the first match of a CSS selector; NAME[]=CSS all matches; the selector may end "
     "in ::text, ::attr(NAME), ::html or ::markdown",
     [](auto& rules) {
         return texts([&rules](const std::string& typed) { rules.select.push_back(typed); },
                      complaint_about_select);
     }},
};

std::string line_of(std::string_view text, std::size_t line) {
    for (; line > 1 && !text.empty(); --line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return std::string(text.substr(0, text.find('\n')));
}

std::vector<extract::Rule> read_rules(const std::string& path) {
    const std::string shown = escape_for_terminal(path);
    std::string text;
    try {
        // One byte more than allowed is enough to see that it is too large.
        text = aio::SystemFiles().read_all(path, extract::kRuleFileBytesMax);
    } catch (const aio::IoError& error) {
        throw UsageError(fmt::format("a file of rules: {}", error.what()));
    }
    auto rules = extract::parse_rules(text);
    if (rules) return *std::move(rules);
    const extract::RuleError& error = rules.error();
    throw UsageError(
        fmt::format("{}:{}:{}: {}", shown, error.line, error.column,
                    with_caret(error.reason, line_of(text, error.line), error.column)));
}

// How many characters a terminal shows for the text: those of other scripts may be wider, then the
// caret stands a little too far left.
std::size_t character_count(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::span<const OptionSpec<RuleArguments>> rule_rows() {
    return kRules;
}

std::shared_ptr<const extract::Rules> make_rules(const RuleArguments& arguments) {
    if (!arguments.wants_fields()) return nullptr;
    if (arguments.select.size() > extract::kRuleFieldCountMax)
        throw UsageError(fmt::format("--select can be given {} times; write a file for --rules",
                                     extract::kRuleFieldCountMax));
    auto rules = std::make_shared<extract::Rules>();
    for (const std::string& text : arguments.select)
        rules->selected.push_back(extract::parse_typed_field(text).value());
    if (!arguments.rules_file.empty()) rules->rules = read_rules(arguments.rules_file);
    return rules;
}

std::string with_caret(std::string_view reason, std::string_view line, std::size_t column) {
    constexpr std::size_t kShownMax = 200;  // A longer line wraps, and the caret is off.
    if (line.size() > kShownMax || column > line.size() + 1) return std::string(reason);
    const std::string before = escape_for_terminal(line.substr(0, column - 1));
    return fmt::format("{}\n  {}\n  {}^", reason, escape_for_terminal(line),
                       std::string(character_count(before), ' '));
}

}  // namespace weft::cli
