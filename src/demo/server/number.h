#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace weft::demo {

// The whole number between `prefix` and `suffix`. Nothing if there is anything else in `text`, or
// if the number has leading zeros.
inline std::optional<unsigned> number_between(std::string_view text, std::string_view prefix,
                                              std::string_view suffix) {
    if (text.size() <= prefix.size() + suffix.size()) return std::nullopt;
    if (!text.starts_with(prefix) || !text.ends_with(suffix)) return std::nullopt;
    text.remove_prefix(prefix.size());
    text.remove_suffix(suffix.size());
    if (text.size() > 1 && text[0] == '0') return std::nullopt;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc() || end != text.end()) return std::nullopt;
    return number;
}

}  // namespace weft::demo
