#include "extract/rules/toml_text.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"

namespace weft::extract {
namespace {

// Where the string that begins here ends: a text of one line, or of many in three quotes.
std::size_t end_of_toml_string(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    const std::string three(3, quote);
    const bool is_long = text.substr(begin, 3) == three;
    for (std::size_t i = begin + (is_long ? 3 : 1); i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (!is_long && (text[i] == quote || text[i] == '\n')) {
            return text[i] == quote ? i + 1 : i;
        } else if (is_long && text.substr(i, 3) == three) {
            const std::size_t end = text.find_first_not_of(quote, i);  // Up to two are its own.
            return std::min({end, i + 5, text.size()});
        }
    }
    return text.size();
}

// The first line with too many dots; 0 if there is none.
std::size_t line_of_deep_key(std::string_view text) {
    std::size_t line = 1;
    std::size_t dot_count = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        if (text[i] == '#') next = std::min(text.find('\n', i), text.size());
        if (text[i] == '"' || text[i] == '\'') next = end_of_toml_string(text, i);
        if (text[i] == '.' && ++dot_count > kTomlDotsMax) return line;
        const auto line_count = std::ranges::count(text.substr(i, next - i), '\n');
        if (line_count > 0) dot_count = 0;
        line += static_cast<std::size_t>(line_count);
        i = next;
    }
    return 0;
}

// The first table whose name begins with what no name has: the library asserts that there is none.
std::size_t line_of_bad_table(std::string_view text) {
    std::size_t line = 0;
    while (!text.empty()) {
        ++line;
        const std::string_view row = trim(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        if (!row.starts_with('[')) continue;
        const std::size_t name = row.find_first_not_of("[ \t");
        if (name == row.npos) continue;
        const char first = row[name];
        const bool is_name = is_alnum(first) || first == '_' || first == '-';
        if (!is_name && first != '"' && first != '\'' && first != ']') return line;
    }
    return 1;
}

}  // namespace

std::expected<toml::table, TomlError> parse_toml(std::string_view text) {
    if (const std::size_t line = line_of_deep_key(text))
        return std::unexpected(TomlError{line, 1, "too many dots"});
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        // The library gives no place for some errors at the end of the text.
        const toml::source_position at = error.source().begin;
        return std::unexpected(TomlError{std::max<std::size_t>(at.line, 1),
                                         std::max<std::size_t>(at.column, 1),
                                         std::string(error.description())});
    } catch (const TomlAssertion&) {
        return std::unexpected(TomlError{line_of_bad_table(text), 1, "this is no TOML"});
    }
}

}  // namespace weft::extract
