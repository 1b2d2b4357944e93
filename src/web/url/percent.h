#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

// Percent-encoding as the URL standard (url.spec.whatwg.org, section 1.3) defines it, on bytes.
namespace weft::web {

// Which bytes are written as %XX. Each part of a URL has its own set. All sets contain the control
// characters and every byte from 0x7F up.
enum class PercentSet : std::uint8_t {
    c0_control = 1 << 0,
    fragment = 1 << 1,
    query = 1 << 2,
    special_query = 1 << 3,
    path = 1 << 4,
    userinfo = 1 << 5,
    component = 1 << 6,
};

namespace detail {

// For each byte, the sets that contain it, as a bit mask.
constexpr std::array<std::uint8_t, 256> make_percent_sets() {
    std::array<std::uint8_t, 256> sets{};
    auto add = [&sets](std::string_view bytes, std::initializer_list<PercentSet> to) {
        for (const char c : bytes) {
            for (const PercentSet set : to) {
                sets[static_cast<unsigned char>(c)] |= static_cast<std::uint8_t>(set);
            }
        }
    };
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (byte < 0x20 || byte > 0x7E) sets[byte] = 0x7F;
    }
    using enum PercentSet;
    add(" \"<>", {fragment, query, special_query, path, userinfo, component});
    add("`", {fragment, path, userinfo, component});
    add("#", {query, special_query, path, userinfo, component});
    add("'", {special_query});
    add("?^{}", {path, userinfo, component});
    add("/:;=@[\\]|", {userinfo, component});
    add("$%&+,", {component});
    return sets;
}

inline constexpr std::array<std::uint8_t, 256> kPercentSets = make_percent_sets();

}  // namespace detail

constexpr bool needs_percent(char c, PercentSet set) {
    return (detail::kPercentSets[static_cast<unsigned char>(c)] & static_cast<std::uint8_t>(set)) !=
           0;
}

// Characters that never need an escape (RFC 3986 section 2.3).
constexpr bool is_unreserved(char c) {
    return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

// Appends `%` and two upper-case hexadecimal digits.
void append_percent(std::string& out, char c);

// Appends `bytes` with those in `set` encoded. Only PercentSet::component contains `%`: in every
// other set existing escapes stay as they are.
void append_percent_encoded(std::string& out, std::string_view bytes, PercentSet set);

// It cannot fail: a `%` without two hexadecimal digits after it stays as it is.
std::string percent_decode(std::string_view text);

// Whether `text` starts with `%` and two hexadecimal digits.
constexpr bool starts_with_escape(std::string_view text) {
    return text.size() >= 3 && text[0] == '%' && is_hex_digit(text[1]) && is_hex_digit(text[2]);
}

// The byte that the escape at the front of `text` stands for.
// REQUIRES: starts_with_escape(text).
constexpr char escaped_byte(std::string_view text) {
    return static_cast<char>(hex_value(text[1]) * 16 + hex_value(text[2]));
}

}  // namespace weft::web
