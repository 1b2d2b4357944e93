#include "http/server/byte_range.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/bytes.h"

namespace weft::http {

namespace {

// Digits only, and at most 2^63-1, so that sums do not overflow.
std::optional<std::uint64_t> parse_number(std::string_view digits) {
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (digits.empty() || error != std::errc() || stop != end || number > INT64_MAX) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

std::optional<ByteRange> ByteRange::parse(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const std::string_view before = text.substr(0, dash);
    const std::string_view after = text.substr(dash + 1);
    const ByteRange range{parse_number(before), parse_number(after)};
    // An empty text must give no number, and any other text must give one.
    if (range.first.has_value() == before.empty()) return std::nullopt;
    if (range.last.has_value() == after.empty()) return std::nullopt;
    if (!range.first && range.last.value_or(0) == 0) return std::nullopt;
    if (range.first && range.last && *range.last < *range.first) return std::nullopt;
    return range;
}

std::string ByteRange::to_header() const {
    std::string text = "bytes=";
    if (first) text += fmt::format("{}", *first);
    text += '-';
    if (last) text += fmt::format("{}", *last);
    return text;
}

std::optional<ContentRange> ContentRange::parse(std::string_view text) {
    text = trim(text);
    if (!equals_ignore_case(text.substr(0, 6), "bytes ")) return std::nullopt;
    text = trim(text.substr(6));
    const std::size_t dash = text.find('-');
    const std::size_t slash = text.find('/');
    if (dash == std::string_view::npos || slash == std::string_view::npos || slash < dash) {
        return std::nullopt;
    }
    const auto first = parse_number(text.substr(0, dash));
    const auto last = parse_number(text.substr(dash + 1, slash - dash - 1));
    const std::string_view size_text = text.substr(slash + 1);
    const auto size = parse_number(size_text);
    if (!first || !last || *last < *first) return std::nullopt;
    if (!size && size_text != "*") return std::nullopt;
    // Invalid by RFC 9110, 14.4.
    if (size && *last >= *size) return std::nullopt;
    return ContentRange{*first, *last, size};
}

bool ContentRange::answers(const ByteRange& asked) const {
    // If the size is unknown, the server has to be believed.
    const bool is_at_end = !size || last == *size - 1;
    if (!asked.first) {
        // The last N bytes; or all of the content, if it has fewer than N.
        return length() <= *asked.last && is_at_end && (length() == *asked.last || first == 0);
    }
    if (first != *asked.first) return false;
    if (!asked.last) return is_at_end;
    return last == *asked.last || (last < *asked.last && is_at_end);
}

}  // namespace weft::http
