#include "web/charset/utf8.h"

#if defined(__x86_64__)

#include <algorithm>
#include <array>

#include <immintrin.h>

namespace weft::web::detail {

namespace {

#define WEFT_AVX2 [[gnu::target("avx2")]]

// "Validating UTF-8 In Less Than One Instruction Per Byte" (Software: Practice and Experience,
// 2020): every error can be seen in two neighbouring bytes, or in a third or fourth byte that is or
// is not a continuation. Three tables are indexed by the two nibbles of the first byte and the high
// nibble of the second. Each gives the errors that are possible with its nibble; an error that is
// possible in all three is present.
enum Error : std::uint8_t {
    too_short = 1,        // A lead byte without a continuation after it.
    too_long = 2,         // ASCII with a continuation after it.
    overlong_3 = 4,       // E0 with less than A0.
    surrogate = 8,        // ED with more than 9F.
    overlong_2 = 16,      // C0 or C1.
    too_large = 32,       // F4 with more than 8F, or F5 and up.
    overlong_4 = 64,      // F0 with less than 90.
    too_large_1000 = 64,  // F5 and up with 8x. Never together with overlong_4, so they share a bit.
    continuations = 128,  // Two in a row: right only after a lead byte of three or four.
    carry = too_short | too_long | continuations,  // Do not depend on the first byte's low nibble.
};

using Table = std::array<std::uint8_t, 16>;

// The errors that are possible with the high nibble of a first byte.
constexpr Table kFirstHigh = [] {
    Table table;
    std::fill_n(&table[0x0], 8, too_long);
    std::fill_n(&table[0x8], 4, continuations);
    table[0xC] = too_short | overlong_2;
    table[0xD] = too_short;
    table[0xE] = too_short | overlong_3 | surrogate;
    table[0xF] = too_short | too_large | too_large_1000 | overlong_4;
    return table;
}();

// The errors that are possible with its low nibble.
constexpr Table kFirstLow = [] {
    Table table;
    std::fill_n(&table[0x0], 5, carry);
    std::fill_n(&table[0x5], 11, carry | too_large | too_large_1000);
    table[0x0] |= overlong_2 | overlong_3 | overlong_4;
    table[0x1] |= overlong_2;
    table[0x4] |= too_large;
    table[0xD] |= surrogate;
    return table;
}();

// The errors that are possible with the high nibble of a second byte.
constexpr Table kSecondHigh = [] {
    Table table;
    table.fill(too_short);
    std::fill_n(&table[0x8], 4, too_long | overlong_2 | continuations);
    table[0x8] |= overlong_3 | too_large_1000 | overlong_4;
    table[0x9] |= overlong_3 | too_large;
    table[0xA] |= surrogate | too_large;
    table[0xB] |= surrogate | too_large;
    return table;
}();

WEFT_AVX2 __m256i look_up(const Table& table, __m256i nibbles) {
    const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data()));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), nibbles);
}

WEFT_AVX2 __m256i load_vector(const char* bytes) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

WEFT_AVX2 __m256i high_nibbles(__m256i v) {
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

// `v` shifted by N bytes to higher positions. The free ones are filled with the end of `before`.
template <int N>
WEFT_AVX2 __m256i shifted(__m256i v, __m256i before) {
    return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 16 - N);
}

// Sets the high bit of each byte of `v` that is `smallest` or more.
WEFT_AVX2 __m256i at_least(__m256i v, int smallest) {
    return _mm256_subs_epu8(v, _mm256_set1_epi8(static_cast<char>(smallest - 0x80)));
}

// A byte is not zero where `v`, which follows `before`, is not UTF-8.
WEFT_AVX2 __m256i errors(__m256i v, __m256i before) {
    const __m256i first = shifted<1>(v, before);
    const __m256i first_low = _mm256_and_si256(first, _mm256_set1_epi8(0x0F));
    const __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(look_up(kFirstHigh, high_nibbles(first)), look_up(kFirstLow, first_low)),
        look_up(kSecondHigh, high_nibbles(v)));
    // The high bit is set where a continuation is due: two bytes after a lead byte of three or
    // four, and three bytes after a lead byte of four.
    const __m256i expected =
        _mm256_and_si256(_mm256_or_si256(at_least(shifted<2>(v, before), 0xE0),
                                         at_least(shifted<3>(v, before), 0xF0)),
                         _mm256_set1_epi8(static_cast<char>(continuations)));
    return _mm256_xor_si256(pairs, expected);
}

// The largest values of the last bytes of a vector that does not end inside a sequence.
alignas(32) constexpr auto kLast = [] {
    std::array<std::uint8_t, 32> limits;
    limits.fill(0xFF);
    limits[29] = 0xEF;
    limits[30] = 0xDF;
    limits[31] = 0xBF;
    return limits;
}();

// Not zero if `v` ends inside a sequence.
WEFT_AVX2 __m256i cut_sequence(__m256i v) {
    return _mm256_subs_epu8(v, _mm256_load_si256(reinterpret_cast<const __m256i*>(kLast.data())));
}

// The length of a valid prefix, as a multiple of 64. It may end inside a sequence.
WEFT_AVX2 std::size_t valid_blocks(std::string_view bytes) {
    __m256i before = _mm256_setzero_si256();
    __m256i cut = _mm256_setzero_si256();
    std::size_t i = 0;
    for (; i + 64 <= bytes.size(); i += 64) {
        const __m256i a = load_vector(bytes.data() + i);
        const __m256i b = load_vector(bytes.data() + i + 32);
        if (_mm256_movemask_epi8(_mm256_or_si256(a, b)) == 0) {
            if (!_mm256_testz_si256(cut, cut)) return i;
        } else {
            const __m256i bad = _mm256_or_si256(errors(a, before), errors(b, a));
            if (!_mm256_testz_si256(bad, bad)) return i;
        }
        cut = cut_sequence(b);
        before = b;
    }
    return i;
}

// The start of the sequence that `end` cuts, or that ends there. REQUIRES: everything before `end`
// is valid, except that its last sequence may be cut.
std::size_t sequence_start(std::string_view bytes, std::size_t end) {
    const std::size_t low = end - std::min<std::size_t>(end, 3);
    for (std::size_t i = end; i > low; --i) {
        const auto byte = static_cast<unsigned char>(bytes[i - 1]);
        if (byte >= 0xC0) return i - 1;
        if (byte < 0x80) break;
    }
    return end;
}

}  // namespace

std::size_t valid_utf8_prefix(std::string_view bytes) {
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    if (!has_avx2 || bytes.size() < 64) return valid_utf8_prefix_portable(bytes);
    const std::size_t checked = sequence_start(bytes, valid_blocks(bytes));
    return checked + valid_utf8_prefix_portable(bytes.substr(checked));
}

}  // namespace weft::web::detail

#endif
