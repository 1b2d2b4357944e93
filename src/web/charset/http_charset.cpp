#include "web/charset/http_charset.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"

namespace weft::web::detail {

namespace {

constexpr std::string_view kHttpSpace = " \t\r\n";  // HTTP white space has no form feed.

std::string_view without_trailing_space(std::string_view text) {
    return text.substr(0, text.find_last_not_of(kHttpSpace) + 1);
}

std::string_view without_leading_space(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(kHttpSpace), text.size()));
}

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
    });
}

bool is_quotable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    });
}

// Removes the text before the first of `stops` and returns it.
std::string_view take_until(std::string_view& text, std::string_view stops) {
    const std::string_view taken = text.substr(0, text.find_first_of(stops));
    text.remove_prefix(taken.size());
    return taken;
}

// Removes the quoted string at the front of `text` and returns its value. Without an end quote it
// goes to the end.
std::string take_quoted(std::string_view& text) {
    std::string value;
    text.remove_prefix(1);
    while (true) {
        value += take_until(text, "\"\\");
        if (text.empty()) return value;
        const bool is_escape = text[0] == '\\';
        text.remove_prefix(1);
        if (!is_escape) return value;
        value += text.empty() ? '\\' : text[0];
        if (!text.empty()) text.remove_prefix(1);
    }
}

// Removes the first value from `text` and returns it. Commas outside of quotes separate values.
std::string_view take_header_value(std::string_view& text) {
    const std::string_view all = text;
    while (true) {
        take_until(text, "\",");
        if (text.empty() || text[0] == ',') break;
        take_quoted(text);
    }
    const std::string_view value = all.substr(0, all.size() - text.size());
    if (!text.empty()) text.remove_prefix(1);
    return value;
}

// The value of the first valid charset parameter. REQUIRES: `text` is empty or starts at a
// semicolon.
std::optional<std::string> charset_parameter(std::string_view text) {
    while (!text.empty()) {
        text.remove_prefix(1);
        text = without_leading_space(text);
        const std::string_view name = take_until(text, ";=");
        if (text.empty()) break;
        if (text[0] == ';') continue;
        text.remove_prefix(1);
        std::string value;
        if (text.starts_with('"')) {
            value = take_quoted(text);
            take_until(text, ";");
        } else {
            value = without_trailing_space(take_until(text, ";"));
            if (value.empty()) continue;
        }
        if (equals_ignore_case(name, "charset") && is_quotable(value)) return value;
    }
    return std::nullopt;
}

struct ContentType {
    std::string essence;  // Type and subtype, in lower case.
    std::optional<std::string> charset;
};

std::optional<ContentType> parse_content_type(std::string_view text) {
    text = without_leading_space(without_trailing_space(text));
    const std::string_view type = take_until(text, "/");
    if (!is_token(type) || text.empty()) return std::nullopt;
    text.remove_prefix(1);
    const std::string_view subtype = without_trailing_space(take_until(text, ";"));
    if (!is_token(subtype)) return std::nullopt;
    return ContentType{to_lower(type) + '/' + to_lower(subtype), charset_parameter(text)};
}

}  // namespace

// "Extract a MIME type" of the Fetch standard: the last value counts, but it inherits the charset
// of values before it that have the same essence.
std::optional<Encoding> http_charset(std::string_view content_type) {
    std::optional<std::string> charset;
    std::optional<std::string> charset_of_essence;
    std::string essence;
    while (!content_type.empty()) {
        std::optional<ContentType> value = parse_content_type(take_header_value(content_type));
        if (!value || value->essence == "*/*") continue;
        if (value->essence != essence) {
            essence = std::move(value->essence);
            charset_of_essence = value->charset;
        }
        charset = value->charset ? std::move(value->charset) : charset_of_essence;
    }
    if (!charset) return std::nullopt;
    return encoding_for_label(*charset);
}

}  // namespace weft::web::detail
