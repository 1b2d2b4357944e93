#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "web/charset/encoding_tables.h"
#include "web/charset/step.h"
#include "web/charset/utf8.h"

// The stateless decoders of the Encoding standard, as step functions (see step.h).
namespace weft::web::detail {

// A two-byte character. If `code_point` is 0, there is no such character: it is an error, which
// consumes the trail byte only if that is not ASCII. So a cut character cannot swallow the quote or
// angle bracket after it.
inline Step two_bytes(char32_t code_point, unsigned trail) {
    if (code_point != 0) return {2, code_point};
    return {trail < 0x80 ? 1u : 2u, kMalformed};
}

// For single characters: one that is cut between two pieces, and those of the encoders. Whole
// pieces go through TextDecoder::decode_utf8().
struct Utf8Codec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        using enum Utf8Sequence::Kind;
        const auto [kind, length] = utf8_sequence({reinterpret_cast<const char*>(p), n});
        if (kind == incomplete) return {0, kIncomplete};
        if (kind == malformed) return {length, kMalformed};
        char32_t code_point = p[0] & (0xFFu >> (length + 1));
        for (unsigned i = 1; i < length; ++i) code_point = code_point << 6 | (p[i] & 0x3Fu);
        return {length, code_point};
    }
};

// All single-byte encodings, with the index of the encoding.
struct SingleByteCodec {
    static constexpr bool kAsciiIsItself = true;
    const std::uint16_t* index;  // 128 entries.
    Step step(const unsigned char* p, std::size_t) const {
        const char32_t code_point = index[*p - 0x80];
        return {1, code_point != 0 ? code_point : kMalformed};
    }
};

// x-user-defined maps bytes from 0x80 to a private use area.
struct UserDefinedCodec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t) { return {1, 0xF780u + *p - 0x80u}; }
};

struct EucKrCodec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        if (!in_range(p[0], 0x81, 0xFE)) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        const bool mapped = in_range(p[1], 0x41, 0xFE);
        return two_bytes(mapped ? kEucKr[(p[0] - 0x81) * 190 + p[1] - 0x41] : 0, p[1]);
    }
};

// Plane 2 starts at 0x20000, which is bit 17.
inline char32_t big5_code_point(std::size_t pointer) {
    const char32_t plane = kBig5Plane2[pointer / 64] >> pointer % 64 & 1;
    return plane << 17 | kBig5[pointer];
}

struct Big5Codec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        if (!in_range(p[0], 0x81, 0xFE)) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        const bool low = in_range(p[1], 0x40, 0x7E);
        if (!low && !in_range(p[1], 0xA1, 0xFE)) return two_bytes(0, p[1]);
        const unsigned pointer = (p[0] - 0x81u) * 157 + p[1] - (low ? 0x40 : 0x62);
        // These four have no code point of their own: a letter and a combining mark stand for them.
        switch (pointer) {
            case 1133: return {2, 0xCA, 0x304};
            case 1135: return {2, 0xCA, 0x30C};
            case 1164: return {2, 0xEA, 0x304};
            case 1166: return {2, 0xEA, 0x30C};
            default: return two_bytes(big5_code_point(pointer), p[1]);
        }
    }
};

struct ShiftJisCodec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        if (in_range(p[0], 0xA1, 0xDF)) return {1, 0xFF61u - 0xA1 + p[0]};
        if (p[0] == 0x80) return {1, 0x80};
        if (p[0] == 0xA0 || p[0] > 0xFC) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        if (!in_range(p[1], 0x40, 0xFC) || p[1] == 0x7F) return two_bytes(0, p[1]);
        const unsigned row = p[0] - (p[0] < 0xA0 ? 0x81u : 0xC1u);
        const unsigned pointer = row * 188 + p[1] - (p[1] < 0x7F ? 0x40 : 0x41);
        // The range for user-defined characters in Windows; it maps to the private use area.
        if (in_range(pointer, 8836, 10715)) return {2, 0xE000u - 8836 + pointer};
        return two_bytes(kJis0208[pointer], p[1]);
    }
};

struct EucJpCodec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        const bool is_kanji = in_range(p[0], 0xA1, 0xFE);
        if (!is_kanji && p[0] != 0x8E && p[0] != 0x8F) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        if (p[0] == 0x8E && in_range(p[1], 0xA1, 0xDF)) return {2, 0xFF61u - 0xA1 + p[1]};
        if (p[0] == 0x8F && in_range(p[1], 0xA1, 0xFE)) return three_bytes(p, n);
        const bool mapped = is_kanji && in_range(p[1], 0xA1, 0xFE);
        return two_bytes(mapped ? kJis0208[(p[0] - 0xA1) * 94 + p[1] - 0xA1] : 0, p[1]);
    }

private:
    static Step three_bytes(const unsigned char* p, std::size_t n) {
        if (n < 3) return {0, kIncomplete};
        const bool mapped = in_range(p[2], 0xA1, 0xFE);
        Step step = two_bytes(mapped ? kJis0212[(p[1] - 0xA1) * 94 + p[2] - 0xA1] : 0, p[2]);
        ++step.length;
        return step;
    }
};

// The code point of a four-byte sequence, or 0 ("index gb18030 ranges code point").
inline char32_t gb18030_range_code_point(unsigned pointer) {
    if (pointer >= 189000) return pointer <= 1237575 ? 0x10000 + pointer - 189000 : 0;
    if (pointer > 39419) return 0;
    if (pointer == 7457) return 0xE7C7;
    const auto* range = std::ranges::upper_bound(kGb18030RangePointers, pointer) - 1;
    return kGb18030RangeCodePoints[range - kGb18030RangePointers] + pointer - *range;
}

// The decoder of GBK, too.
struct Gb18030Codec {
    static constexpr bool kAsciiIsItself = true;
    static Step step(const unsigned char* p, std::size_t n) {
        if (p[0] == 0x80) return {1, 0x20AC};
        if (p[0] == 0xFF) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        if (in_range(p[1], '0', '9')) return four_bytes(p, n);
        if (!in_range(p[1], 0x40, 0xFE) || p[1] == 0x7F) return two_bytes(0, p[1]);
        const unsigned pointer = (p[0] - 0x81u) * 190 + p[1] - (p[1] < 0x7F ? 0x40 : 0x41);
        return two_bytes(kGb18030[pointer], p[1]);
    }

private:
    static Step four_bytes(const unsigned char* p, std::size_t n) {
        if (n < 3) return {0, kIncomplete};
        if (!in_range(p[2], 0x81, 0xFE)) return {1, kMalformed};
        if (n < 4) return {0, kIncomplete};
        if (!in_range(p[3], '0', '9')) return {1, kMalformed};
        const char32_t code_point = gb18030_range_code_point(
            ((p[0] - 0x81u) * 10 + p[1] - '0') * 1260 + (p[2] - 0x81u) * 10 + p[3] - '0');
        return {4, code_point != 0 ? code_point : kMalformed};
    }
};

// A surrogate without its partner is malformed; the unit after it is read again.
template <bool IsBigEndian>
struct Utf16Codec {
    static constexpr bool kAsciiIsItself = false;
    static Step step(const unsigned char* p, std::size_t n) {
        if (n < 2) return {0, kIncomplete};
        const char32_t lead = unit(p);
        if ((lead & 0xF800) != 0xD800) return {2, lead};
        if (lead >= 0xDC00) return {2, kMalformed};
        if (n < 4) return {0, kIncomplete};
        const char32_t trail = unit(p + 2);
        if ((trail & 0xFC00) != 0xDC00) return {2, kMalformed};
        return {4, 0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00)};
    }

private:
    static char32_t unit(const unsigned char* p) {
        return IsBigEndian ? char32_t{p[0]} << 8 | p[1] : char32_t{p[1]} << 8 | p[0];
    }
};

}  // namespace weft::web::detail
