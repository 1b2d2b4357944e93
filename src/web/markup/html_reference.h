#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Character references: `&amp;`, `&#x27;`, `&copy` (HTML standard, section 13.2.5.72 and after).
namespace weft::web {

// What stands at the front of a text that begins with '&'.
struct CharacterReference {
    // How many bytes of the source it takes, '&' included. 0: the '&' is only an '&'.
    std::size_t length = 0;

    // What it means, in UTF-8.
    std::string_view characters() const { return {bytes.data(), size}; }

    std::array<char, 8> bytes{};
    std::uint8_t size = 0;
};

// In an attribute a name without its ';' that runs on into a letter, a digit or '=' is no
// reference, so that `?a=1&copy=2` stays what it is. REQUIRES: `text` begins with '&', and holds
// all of the attribute's rest, or in text all letters, digits and the ';' that follow.
enum class ReferencePlace { text, attribute };
CharacterReference match_reference(std::string_view text, ReferencePlace place);

// The value of an attribute as a script would see it, from its bytes in the source: references
// decoded, CR and CR LF made LF, NUL made U+FFFD. Returns `raw` itself when nothing is to be done,
// else a view of `scratch`. Linear; the result is at most three times as long.
std::string_view decode_attribute(std::string_view raw, std::string& scratch);

// No reference name is longer, '&' and ';' included.
inline constexpr std::size_t kReferenceNameBytesMax = 33;

}  // namespace weft::web
