#include "extract/rules/rules.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "extract/rules/toml_text.h"

namespace weft::extract {
namespace {

// Stops at the first error: parse() returns it.
class RuleParser {
public:
    explicit RuleParser(std::string_view text) : text_(text) {}

    std::expected<std::vector<Rule>, RuleError> parse() {
        if (text_.size() > kRuleFileBytesMax)
            return std::unexpected(RuleError{1, 1, "a file of rules has at most 1 MiB"});
        const auto table = parse_toml(text_);
        if (!table) {
            const TomlError& error = table.error();
            return std::unexpected(RuleError{error.line, error.column, error.reason});
        }
        read(*table);
        if (error_) return std::unexpected(*std::move(error_));
        return std::move(rules_);
    }

private:
    void fail(const toml::source_region& where, std::string reason, std::size_t column_add = 0) {
        if (error_) return;
        // The library gives no place for some errors at the end of the text.
        const auto& begin = where.begin;
        error_ = RuleError{std::max<std::size_t>(begin.line, 1),
                           std::max<std::size_t>(begin.column, 1) + column_add, std::move(reason)};
    }

    void read(const toml::table& file) {
        for (const auto& [key, node] : file) {
            if (key.str() != "rule")
                return fail(key.source(), "expected [[rule]]: a file of rules has nothing else");
        }
        const toml::node* const found = file.get("rule");
        if (!found) return fail({}, "there is no [[rule]] in it");
        const toml::array* const list = found->as_array();
        if (!list || !list->is_homogeneous(toml::node_type::table))
            return fail(found->source(), "write [[rule]], with two brackets");
        if (list->size() > kRuleCountMax)
            return fail((*list)[kRuleCountMax].source(),
                        fmt::format("a file has at most {} rules", kRuleCountMax));
        for (const toml::node& node : *list) read_rule(*node.as_table());
    }

    void read_rule(const toml::table& table) {
        Rule rule;
        for (const auto& [key, node] : in_order(table)) {
            const std::string_view name = key->str();
            if (name == "match") {
                read_match(*node, rule);
            } else if (name == "each") {
                read_each(*node, rule);
            } else if (name == "fields") {
                read_fields(*node, rule);
            } else {
                fail(key->source(),
                     fmt::format("'{}' is not known here; a rule has match, each and "
                                 "[rule.fields]",
                                 escape_for_terminal(name)));
            }
        }
        if (rule.fields.empty()) fail(table.source(), "this rule has no [rule.fields]");
        rules_.push_back(std::move(rule));
    }

    // The library sorts keys by name; the order of the file is that of the columns.
    struct Entry {
        const toml::key* key;
        const toml::node* node;
    };
    static std::vector<Entry> in_order(const toml::table& table) {
        std::vector<Entry> entries;
        for (const auto& [key, node] : table) entries.push_back({&key, &node});
        std::ranges::sort(entries, {}, [](const Entry& entry) {
            const toml::source_position& at = entry.key->source().begin;
            return std::pair(at.line, at.column);
        });
        return entries;
    }

    const std::string* text_of(const toml::node& node) {
        const auto* const text = node.as_string();
        if (!text) fail(node.source(), "expected a text in quotes");
        return text ? &text->get() : nullptr;
    }

    void read_match(const toml::node& node, Rule& rule) {
        const std::string* const text = text_of(node);
        if (!text) return;
        auto pattern = web::Pattern::parse(*text);
        if (!pattern) return fail(node.source(), pattern.error());
        rule.match = *std::move(pattern);
    }

    void read_each(const toml::node& node, Rule& rule) {
        const std::string* const text = text_of(node);
        if (!text) return;
        auto selector = parse_selector(*text);
        if (!selector) return fail_at(node, selector.error());
        if (selector->part != SelectorPart::element)
            return fail(node.source(), "a row is a whole element: leave out the part behind ::");
        rule.each = *std::move(selector);
    }

    void read_fields(const toml::node& node, Rule& rule) {
        const toml::table* const fields = node.as_table();
        if (!fields) return fail(node.source(), "write the fields below [rule.fields]");
        for (const auto& [key, field] : in_order(*fields)) {
            if (rule.fields.size() == kRuleFieldCountMax)
                return fail(key->source(),
                            fmt::format("a rule has at most {} fields", kRuleFieldCountMax));
            const std::string* const text = text_of(*field);
            if (!text) return;
            auto parsed = parse_field(key->str(), *text);
            if (!parsed && parsed.error().is_in_name)
                return fail(key->source(), parsed.error().error.reason);
            if (!parsed) return fail_at(*field, parsed.error().error);
            if (parsed->name == kPageUrlName)
                return fail(key->source(), "page_url is the URL of the page: take another name");
            const bool is_twice =
                std::ranges::find(rule.fields, parsed->name, &FieldRule::name) != rule.fields.end();
            if (is_twice) return fail(key->source(), "this rule has a field of this name");
            rule.fields.push_back(*std::move(parsed));
        }
    }

    // Points into the string, if it stands on one line without escapes.
    void fail_at(const toml::node& node, const SelectorError& error) {
        const toml::source_position at = node.source().begin;
        const std::string& value = node.as_string()->get();
        const std::string_view line = line_at(at.line);
        const std::size_t begin = std::min<std::size_t>(at.column, line.size());
        const bool is_plain = line.substr(begin).starts_with(value);
        fail(node.source(), error.reason, is_plain ? error.column : 0);
    }

    // The text of a line, from 1 on. Columns of the library count characters; a line that has bytes
    // beyond ASCII before the string does not match, and then the string itself is pointed at.
    std::string_view line_at(std::size_t line) const {
        std::string_view rest = text_;
        for (; line > 1 && !rest.empty(); --line)
            rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        return rest.substr(0, rest.find('\n'));
    }

    std::string_view text_;
    std::vector<Rule> rules_;
    std::optional<RuleError> error_;
};

}  // namespace

std::vector<std::string> Rules::columns() const {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> known;
    for (const Rule& rule : rules) {
        for (const FieldRule& field : rule.fields) {
            if (known.insert(field.name).second) names.push_back(field.name);
        }
    }
    return names;
}

std::expected<std::vector<Rule>, RuleError> parse_rules(std::string_view toml) {
    return RuleParser(toml).parse();
}

}  // namespace weft::extract
