#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What domain names need to know of Unicode 17.0.0 (tools/gen_idna makes the tables).
namespace weft::web {

// What UTS 46 does with a code point, deviations being valid.
enum class IdnaStatus : std::uint8_t { valid, mapped, ignored, disallowed };

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

enum class JoiningType : std::uint8_t { none, causing, dual, left, right, transparent };

struct CharacterProperties {
    BidiClass bidi = BidiClass::other;
    JoiningType joining = JoiningType::none;
    bool is_mark = false;    // General category M*.
    bool is_virama = false;  // Canonical combining class 9.
};

IdnaStatus idna_status(char32_t c);
CharacterProperties properties_of(char32_t c);

// Appends what UTS 46 maps `c` to: itself when valid or disallowed, nothing when ignored.
void append_idna_mapped(std::u32string& out, char32_t c);

// Normalization form C (UAX 15), in O(n log n).
std::u32string to_nfc(std::u32string_view text);

}  // namespace weft::web
