#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/scan.h"

// The inner loops of the HTML tokenizer. Each returns a pointer to the first byte in [p, end) that
// it searches for, else `end`, and never reads outside that range.
namespace weft::web {

// Bits, so that one table lookup can test for several classes.
enum ByteClass : std::uint8_t {
    kSpace = 1,    // Tab, LF, FF, CR, space.
    kSlash = 2,    // '/'
    kGreater = 4,  // '>'
    kEquals = 8,   // '='
};

inline constexpr std::array<std::uint8_t, 256> kByteClass = [] {
    std::array<std::uint8_t, 256> classes{};
    for (const char c : {'\t', '\n', '\f', '\r', ' '})
        classes[static_cast<unsigned char>(c)] = kSpace;
    classes['/'] = kSlash;
    classes['>'] = kGreater;
    classes['='] = kEquals;
    return classes;
}();

inline bool is_in_class(char c, unsigned classes) {
    return (kByteClass[static_cast<unsigned char>(c)] & classes) != 0;
}
inline bool is_html_space(char c) {
    return is_in_class(c, kSpace);
}

inline const char* find_class(const char* p, const char* end, unsigned classes) {
    while (p != end && !is_in_class(*p, classes)) ++p;
    return p;
}

inline const char* skip_html_space(const char* p, const char* end) {
    while (p != end && is_html_space(*p)) ++p;
    return p;
}

inline const char* find_reference_cr_or_nul(const char* p, const char* end) {
    return find_any<'&', '\r', '\0'>(p, end);
}

// For long runs: once it has started, the C library's search reads twice as many bytes at a time as
// find_any().
template <char Sought>
const char* find_far(const char* p, const char* end) {
    if (p == end) return end;
    const void* hit = std::memchr(p, Sought, static_cast<std::size_t>(end - p));
    return hit == nullptr ? end : static_cast<const char*>(hit);
}

}  // namespace weft::web
