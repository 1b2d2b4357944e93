#include "http/content_range.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace weft::http {

namespace {

std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, std::string_view prefix) {
    if (!equals_ignore_case(text.substr(0, prefix.size()), prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

struct Part {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::optional<std::uint64_t> whole;  // Unknown when the server says `*`.
};

std::optional<Part> parse_part(std::string_view text) {
    if (!take(text, "bytes ")) return std::nullopt;
    const auto first = take_number(text);
    if (!first || !take(text, "-")) return std::nullopt;
    const auto last = take_number(text);
    if (!last || *last < *first || !take(text, "/")) return std::nullopt;
    if (text == "*") return Part{*first, *last, std::nullopt};
    const auto whole = take_number(text);
    if (!whole || !text.empty() || *whole <= *last) return std::nullopt;
    return Part{*first, *last, whole};
}

}  // namespace

bool answers_range(std::string_view range, std::string_view content_range) {
    const std::optional<Part> part = parse_part(trim(content_range));
    range = trim(range);
    if (!part || !take(range, "bytes=")) return false;
    if (take(range, "-")) {
        const auto count = take_number(range);
        if (!count || !range.empty()) return false;
        return part->last - part->first < *count &&
               (!part->whole || part->last + 1 == *part->whole);
    }
    const auto first = take_number(range);
    if (!first || !take(range, "-") || part->first != *first) return false;
    if (range.empty()) return true;
    const auto last = take_number(range);
    return last && range.empty() && part->last <= *last;
}

}  // namespace weft::http
