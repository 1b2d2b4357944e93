#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// Input bytes are `std::string_view`, and a buffer to write into is `std::span<char>`. The web's
// formats are octets that are mostly text, so one type for bytes and text needs no casts.
namespace weft {

// Lower-case hexadecimal, two characters a byte.
std::string to_hex(std::string_view bytes);

// RFC 4648 base32 in upper case, as in WARC digests. A 20-byte digest needs no padding.
std::string to_base32(std::string_view bytes);

// RFC 4648 base64 with padding.
std::string to_base64(std::string_view bytes);

// Appends the UTF-8 of a code point. REQUIRES: it is one of Unicode, and no surrogate.
void append_utf8(std::string& out, char32_t point);

// The functions below know ASCII only: the web's protocols ignore case in ASCII and nowhere else.
constexpr char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_alpha(char c) {
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}
constexpr bool is_alnum(char c) {
    return is_digit(c) || is_alpha(c);
}
constexpr bool is_hex_digit(char c) {
    return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}
// REQUIRES: is_hex_digit(c).
constexpr int hex_value(char c) {
    return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

std::string to_lower(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);
bool starts_with_ignore_case(std::string_view text, std::string_view prefix);

// The text without the ASCII white space (space, tab, CR, LF, FF) at both ends.
std::string_view trim(std::string_view text);

}  // namespace weft
