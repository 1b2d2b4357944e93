#include "extract/rules/toml_dots.h"

#include <algorithm>
#include <string>

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

}  // namespace

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

}  // namespace weft::extract
