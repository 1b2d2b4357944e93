#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// Bytes in are `std::string_view`, room for bytes is `std::span<char>`: the web's formats are
// octets that mostly read as text, and one spelling for both needs no casts.
namespace weft {

// Lower-case hexadecimal, two characters a byte.
std::string to_hex(std::string_view bytes);

// RFC 4648 base32, upper case, no padding needed for 20-byte digests: what WARC digests use.
std::string to_base32(std::string_view bytes);

// RFC 4648 base64 with padding.
std::string to_base64(std::string_view bytes);

// ASCII only: the web's protocols are case-insensitive in ASCII and nowhere else.
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
constexpr int hex_value(char c) {
    return is_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
}

std::string to_lower(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);
bool starts_with_ignore_case(std::string_view text, std::string_view prefix);

// Without the ASCII white space (space, tab, CR, LF, FF) at both ends.
std::string_view trim(std::string_view text);

}  // namespace weft
