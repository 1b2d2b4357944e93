#pragma once

// How the decoders are written: as step functions that say, of the bytes at hand, how many form the
// next character, and which. The standard feeds its decoders byte by byte and puts bytes back; a
// step that takes fewer bytes says the same, and leaves as the only state between two pieces of
// input the few bytes of an unfinished character.
//
// A codec has `step(p, n)`, REQUIRES: n > 0, and if `kAsciiIsItself`, that *p is not ASCII.
namespace weft::web::detail {

struct Step {
    unsigned length;
    char32_t code_point;     // Or one of the three below.
    char32_t combining = 0;  // A second code point; four characters of Big5 have one.
};
inline constexpr char32_t kNothing = 0x110000;    // The bytes are read, and say nothing.
inline constexpr char32_t kMalformed = 0x110001;  // The bytes are read, and U+FFFD stands for them.
inline constexpr char32_t kIncomplete = 0x110002;  // No byte is read; more are needed.

inline constexpr bool in_range(unsigned byte, unsigned first, unsigned last) {
    return byte - first <= last - first;
}

}  // namespace weft::web::detail
