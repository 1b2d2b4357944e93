#include "extract/rules/field_rule.h"

#include "base/bytes.h"
#include "base/escape.h"
#include "base/hidden.h"

namespace weft::extract {
namespace {

constexpr std::string_view kListMark = "[]";
constexpr std::string_view kBlanks = " \t";

// Why a text is no name of a field; empty: it is one.
std::string complaint_about_name(std::string_view name) {
    if (name.empty()) return "a name was expected here";
    if (name.size() > FieldRule::kNameBytesMax) return "a name has at most 200 bytes";
    for (std::string_view rest = name; !rest.empty();) {
        const Utf8Step step = utf8_step(rest);
        if (step.length == 0 || is_hidden(step.code_point)) return "a name is printable text";
        rest.remove_prefix(step.length);
    }
    return "";
}

}  // namespace

std::expected<FieldRule, FieldError> parse_field(std::string_view name, std::string_view selector) {
    FieldRule rule;
    rule.is_list = name.ends_with(kListMark);
    if (rule.is_list) name.remove_suffix(kListMark.size());
    if (std::string reason = complaint_about_name(name); !reason.empty())
        return std::unexpected(FieldError{{1, std::move(reason)}, true});
    rule.name = name;
    const std::size_t blank_count = std::min(selector.find_first_not_of(kBlanks), selector.size());
    rule.is_of_row = selector.substr(blank_count).starts_with("::");
    // The parser wants an element in front of the part.
    auto parsed = rule.is_of_row ? parse_selector("*" + std::string(selector.substr(blank_count)))
                                 : parse_selector(selector);
    if (!parsed) {
        SelectorError error = parsed.error();
        if (rule.is_of_row) error.column += blank_count - 1;
        return std::unexpected(FieldError{std::move(error)});
    }
    rule.selector = *std::move(parsed);
    return rule;
}

std::expected<FieldRule, SelectorError> parse_typed_field(std::string_view text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos)
        return std::unexpected(SelectorError{text.size() + 1, "expected = and a selector"});
    auto rule = parse_field(trim(text.substr(0, sign)), text.substr(sign + 1));
    if (rule) return *std::move(rule);
    SelectorError error = rule.error().error;
    if (!rule.error().is_in_name) error.column += sign + 1;
    return std::unexpected(std::move(error));
}

}  // namespace weft::extract
