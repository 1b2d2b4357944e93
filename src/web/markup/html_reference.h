#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Character references: `&amp;`, `&#x27;`, `&copy` (HTML standard, section 13.2.5.72 and after).
namespace weft::web {

// The character reference at the front of a text that begins with '&'.
struct CharacterReference {
    // Its length in the source, with the '&'. 0 if the '&' does not start a reference.
    std::size_t length = 0;

    // The one or two characters that it stands for, in UTF-8.
    std::string_view characters() const { return {bytes.data(), size}; }

    std::array<char, 8> bytes{};
    std::uint8_t size = 0;
};

// In an attribute, a name without ';' is not a reference if a letter, a digit or '=' follows. So
// the URL `?a=1&copy=2` stays as it is. REQUIRES: `text` begins with '&'. In an attribute it has
// the whole rest of the value; in text it has all letters and digits that follow, and the ';'.
enum class ReferencePlace { text, attribute };
CharacterReference match_reference(std::string_view text, ReferencePlace place);

// The value of an attribute, as a script would see it, from its bytes in the source: references are
// decoded, CR and CR LF become LF, NUL becomes U+FFFD. Returns `raw` itself if nothing changes,
// else a view of `scratch`. It needs linear time, and the result is at most three times as long.
std::string_view decode_attribute(std::string_view raw, std::string& scratch);

// The length of the longest reference name, with '&' and ';'.
inline constexpr std::size_t kReferenceNameBytesMax = 33;

}  // namespace weft::web
