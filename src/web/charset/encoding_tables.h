#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "web/charset/encoding.h"

// The tables of the Encoding standard. An index maps a pointer, a number computed from the bytes of
// a character, to its code point. 0 means that there is none. The sizes are those of the standard.
namespace weft::web::detail {

struct Label {
    std::string_view text;  // In lower case.
    Encoding encoding;
};

inline constexpr std::size_t kLabelCount = 228;
inline constexpr std::size_t kLabelBytesMax = 19;
inline constexpr std::size_t kBig5Count = 19782;
inline constexpr std::size_t kEucKrCount = 23940;
inline constexpr std::size_t kGb18030Count = 23940;
inline constexpr std::size_t kGb18030RangeCount = 206;
inline constexpr std::size_t kJis0208Count = 11280;
inline constexpr std::size_t kJis0212Count = 8836;
inline constexpr std::size_t kSingleByteCount = 28;

extern const std::string_view kNames[kEncodingCount];
extern const Label kLabels[kLabelCount];  // Sorted by text.

// Bytes 0x80 to 0xFF of the encodings from ibm866 to x_mac_cyrillic.
extern const std::uint16_t kSingleByte[kSingleByteCount][128];

// The code points of Big5 are in plane 0 or 2: the low 16 bits, and one bit each for plane 2.
extern const std::uint16_t kBig5[kBig5Count];
extern const std::uint64_t kBig5Plane2[(kBig5Count + 63) / 64];
extern const std::uint16_t kEucKr[kEucKrCount];
extern const std::uint16_t kGb18030[kGb18030Count];
extern const std::uint16_t kJis0208[kJis0208Count];
extern const std::uint16_t kJis0212[kJis0212Count];

// The fullwidth forms of U+FF61 to U+FF9F.
extern const std::uint16_t kHalfwidthKatakana[63];

// The start of each run of four-byte GB 18030 characters in the Basic Multilingual Plane: its
// pointer and its code point. Both are sorted.
extern const std::uint16_t kGb18030RangePointers[kGb18030RangeCount];
extern const std::uint16_t kGb18030RangeCodePoints[kGb18030RangeCount];

}  // namespace weft::web::detail
