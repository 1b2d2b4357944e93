#pragma once

// The decoders are step functions: from the available bytes, a step returns the next character and
// its length. The standard feeds its decoders byte by byte and may put bytes back; here a step that
// uses fewer bytes has the same effect. So the only state between two pieces of input is the few
// bytes of an unfinished character.
//
// A codec has a function `step(p, n)` for the n bytes at p. REQUIRES: n > 0, and *p is not ASCII if
// the codec's `kAsciiIsItself` is true.
namespace weft::web::detail {

struct Step {
    unsigned length;
    char32_t code_point;     // Or one of the three constants below.
    char32_t combining = 0;  // A second code point. Only four characters of Big5 have one.
};
inline constexpr char32_t kNothing = 0x110000;     // The bytes are read and give no character.
inline constexpr char32_t kMalformed = 0x110001;   // The bytes are read and become U+FFFD.
inline constexpr char32_t kIncomplete = 0x110002;  // No byte is read; more are needed.

// One comparison for both bounds: a byte below `first` wraps around to a large number.
inline constexpr bool in_range(unsigned byte, unsigned first, unsigned last) {
    return byte - first <= last - first;
}

}  // namespace weft::web::detail
