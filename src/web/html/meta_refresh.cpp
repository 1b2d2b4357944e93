#include "web/html/meta_refresh.h"

#include <limits>
#include <utility>

#include "base/bytes.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

void skip_space(std::string_view& text) {
    while (!text.empty() && is_html_space(text[0])) text.remove_prefix(1);
}

// Skips "url =" in any case. If a part of it is missing, nothing is skipped.
void skip_url_prefix(std::string_view& text) {
    std::string_view rest = text;
    for (const char letter : {'u', 'r', 'l'}) {
        if (rest.empty() || to_lower(rest[0]) != letter) return;
        rest.remove_prefix(1);
    }
    skip_space(rest);
    if (!rest.starts_with('=')) return;
    rest.remove_prefix(1);
    skip_space(rest);
    text = rest;
}

// A missing end quote is accepted, as in the standard: the URL then goes to the end.
std::string_view unquote(std::string_view text) {
    if (!text.starts_with('"') && !text.starts_with('\'')) return text;
    return text.substr(1, text.find(text[0], 1) - 1);
}

std::uint64_t read_seconds(std::string_view& text) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t seconds = 0;
    for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
        const auto digit = static_cast<std::uint64_t>(text[0] - '0');
        seconds = seconds > (kMax - digit) / 10 ? kMax : seconds * 10 + digit;
    }
    return seconds;
}

}  // namespace

std::string_view describe(MetaRefreshError error) {
    switch (error) {
        case MetaRefreshError::no_time: return "does not begin with a number of seconds";
        case MetaRefreshError::no_separator: return "no ';' behind the number of seconds";
    }
    std::unreachable();
}

std::expected<MetaRefresh, MetaRefreshError> parse_meta_refresh(std::string_view content) {
    skip_space(content);
    if (content.empty() || (!is_digit(content[0]) && content[0] != '.')) {
        return std::unexpected(MetaRefreshError::no_time);
    }
    MetaRefresh refresh;
    refresh.seconds = read_seconds(content);
    // The standard skips digits and points in any order: "1.5.2" means 1.
    while (!content.empty() && (is_digit(content[0]) || content[0] == '.'))
        content.remove_prefix(1);
    if (content.empty()) return refresh;
    const auto is_separator = [](char c) { return c == ';' || c == ','; };
    if (!is_separator(content[0]) && !is_html_space(content[0])) {
        return std::unexpected(MetaRefreshError::no_separator);
    }
    skip_space(content);
    if (!content.empty() && is_separator(content[0])) content.remove_prefix(1);
    skip_space(content);
    if (content.empty()) return refresh;
    skip_url_prefix(content);
    refresh.url = unquote(content);
    return refresh;
}

}  // namespace weft::web
