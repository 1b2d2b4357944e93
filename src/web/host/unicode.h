#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The data of Unicode 17.0.0 that domain names need (tools/gen_idna makes the tables).
namespace weft::web {

// What UTS 46 does with a code point. The deviation characters are valid, as in non-transitional
// processing.
enum class IdnaStatus : std::uint8_t { valid, mapped, ignored, disallowed };

// The bidirectional classes that RFC 5893 names. No label may have a character of class `other`
// (rules 2 and 5).
enum class BidiClass : std::uint8_t {
    other,
    left_to_right,
    right_to_left,
    arabic_letter,
    arabic_number,
    european_number,
    european_separator,
    common_separator,
    european_terminator,
    other_neutral,
    boundary_neutral,
    nonspacing_mark,
};

// Unicode's Joining_Type, for the rule about zero-width non-joiners (RFC 5892, appendix A.1).
enum class JoiningType : std::uint8_t { none, causing, dual, left, right, transparent };

struct CharacterProperties {
    BidiClass bidi = BidiClass::other;
    JoiningType joining = JoiningType::none;
    bool is_mark = false;    // General category M*.
    bool is_virama = false;  // Canonical combining class 9.
};

IdnaStatus idna_status(char32_t c);
CharacterProperties properties_of(char32_t c);

// Appends the characters that UTS 46 maps `c` to: `c` itself if it is valid or disallowed, nothing
// if it is ignored.
void append_idna_mapped(std::u32string& out, char32_t c);

// Normalization form C (UAX 15), in O(n log n).
std::u32string to_nfc(std::u32string_view text);

}  // namespace weft::web
