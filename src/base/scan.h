#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft {

namespace detail {

inline std::uint64_t load_eight(const char* p) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
}
constexpr std::uint64_t eight(char c) {
    return 0x0101010101010101u * static_cast<unsigned char>(c);
}
// Not 0 if one of the bytes is 0.
constexpr std::uint64_t zero_bytes(std::uint64_t x) {
    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

}  // namespace detail

// The first byte in [p, end) that equals one of `Sought`, else `end`. It looks at sixteen bytes at
// a time. For the inner loops of parsers: their runs are too short for the C library's search to be
// worth its call.
template <char... Sought>
const char* find_any(const char* p, const char* end) {
#if defined(__SSE2__)
    for (; end - p >= 16; p += 16) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        __m128i hits = _mm_setzero_si128();
        ((hits = _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_set1_epi8(Sought)))), ...);
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
        if (mask != 0) return p + std::countr_zero(mask);
    }
#endif
    // Most short texts hold none of the bytes: eight are asked at once, the last eight again.
    if (end - p >= 8) {
        const std::uint64_t first = detail::load_eight(p);
        const std::uint64_t last = detail::load_eight(end - 8);
        if (((detail::zero_bytes(first ^ detail::eight(Sought)) |
              detail::zero_bytes(last ^ detail::eight(Sought))) |
             ...) == 0) {
            return end;
        }
    }
    while (p != end && ((*p != Sought) && ...)) ++p;
    return p;
}

// The same for one byte that is probably among the next 32: these are looked at together, so that
// the processor need not guess in which block it is.
inline const char* find_near(const char* p, const char* end, char sought) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8(sought);
    for (; end - p >= 32; p += 32) {
        const auto* blocks = reinterpret_cast<const __m128i*>(p);
        const __m128i first = _mm_cmpeq_epi8(_mm_loadu_si128(blocks), wanted);
        const __m128i second = _mm_cmpeq_epi8(_mm_loadu_si128(blocks + 1), wanted);
        const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(first)) |
                              static_cast<unsigned>(_mm_movemask_epi8(second)) << 16;
        if (mask != 0) return p + std::countr_zero(mask);
    }
#endif
    while (p != end && *p != sought) ++p;
    return p;
}

}  // namespace weft
