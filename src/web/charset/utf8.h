#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Fast checks of ASCII and UTF-8 for the decoders.
namespace weft::web::detail {

// The length of the longest prefix of ASCII bytes.
std::size_t ascii_prefix(std::string_view bytes);

// The length of the longest prefix that is complete, valid UTF-8: no overlong forms, no surrogates,
// nothing above U+10FFFF, no sequence that is cut.
std::size_t valid_utf8_prefix(std::string_view bytes);

// The same, with only the instructions that every machine has.
std::size_t valid_utf8_prefix_portable(std::string_view bytes);

// The sequence at the front of `bytes`. REQUIRES: `bytes` is not empty.
//
// Its `length` bytes are a character, or a malformed part that one U+FFFD replaces (Unicode calls
// it a maximal subpart), or the beginning of a character whose rest is missing.
struct Utf8Sequence {
    enum class Kind : std::uint8_t { valid, malformed, incomplete };
    Kind kind;
    std::uint8_t length;
};
Utf8Sequence utf8_sequence(std::string_view bytes);

}  // namespace weft::web::detail
