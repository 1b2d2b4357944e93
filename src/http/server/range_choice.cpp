#include "http/server/range_choice.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/bytes.h"

namespace weft::http {

namespace {

constexpr std::string_view kUnit = "bytes=";

// A number that does not fit into 64 bits is past every end, so the largest number stands for it.
std::optional<std::uint64_t> parse_position(std::string_view text) {
    if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() ? value : UINT64_MAX;
}

}  // namespace

RangeChoice choose_range(std::string_view field, std::uint64_t size_bytes) {
    using Kind = RangeChoice::Kind;
    if (!equals_ignore_case(field.substr(0, kUnit.size()), kUnit)) return {};
    const std::string_view text = trim(field.substr(kUnit.size()));
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return {};
    const auto first = parse_position(text.substr(0, dash));
    const auto last = parse_position(text.substr(dash + 1));

    if (dash == 0) {  // A suffix range: the last N bytes.
        if (!last) return {};
        const std::uint64_t count = std::min(*last, size_bytes);
        if (count == 0) return {.kind = Kind::unsatisfiable};
        return {.kind = Kind::part, .first = size_bytes - count, .count = count};
    }
    const bool is_open = dash + 1 == text.size();
    if (!first || (!last && !is_open) || (last && *last < *first)) return {};
    if (*first >= size_bytes) return {.kind = Kind::unsatisfiable};
    const std::uint64_t end = last ? std::min(*last, size_bytes - 1) : size_bytes - 1;
    return {.kind = Kind::part, .first = *first, .count = end - *first + 1};
}

}  // namespace weft::http
