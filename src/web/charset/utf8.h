#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What decoding asks of UTF-8, at the speed of memory where the machine allows it.
namespace weft::web::detail {

// The length of the longest prefix of ASCII bytes.
std::size_t ascii_prefix(std::string_view bytes);

// The length of the longest prefix that is whole, valid UTF-8: no overlong forms, no surrogates,
// nothing past U+10FFFF, no sequence cut short.
std::size_t valid_utf8_prefix(std::string_view bytes);

// The same, without instructions beyond the machine's baseline.
std::size_t valid_utf8_prefix_portable(std::string_view bytes);

// What stands at the front of `bytes`. REQUIRES: `bytes` is not empty.
//
// `length` bytes form the character, or the malformed piece that one U+FFFD stands for (a maximal
// subpart, as Unicode calls it), or the beginning of a character whose rest is missing.
struct Utf8Sequence {
    enum class Kind : std::uint8_t { valid, malformed, incomplete };
    Kind kind;
    std::uint8_t length;
};
Utf8Sequence utf8_sequence(std::string_view bytes);

}  // namespace weft::web::detail
