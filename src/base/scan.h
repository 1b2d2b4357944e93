#pragma once

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft {

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
