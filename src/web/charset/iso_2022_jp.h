#pragma once

#include <cstddef>
#include <cstdint>

#include "web/charset/encoding_tables.h"
#include "web/charset/step.h"

namespace weft::web::detail {

// The only decoder with a state: escape sequences switch between character sets. An escape sequence
// directly after another one is an error, because it could split a word that a filter looks for.
class Iso2022JpCodec {
public:
    static constexpr bool kAsciiIsItself = false;
    Step step(const unsigned char* p, std::size_t n) {
        if (p[0] == 0x1B) return escape(p, n);
        if (set_ == Set::kanji) return kanji(p, n);
        has_just_switched_ = false;
        return {1, one_byte(p[0])};
    }

private:
    enum class Set : std::uint8_t { ascii, roman, katakana, kanji };

    // Escape sequences have three bytes. An unknown one is an error for the escape byte only.
    Step escape(const unsigned char* p, std::size_t n) {
        if (n < 2 || (n < 3 && (p[1] == '$' || p[1] == '('))) return {0, kIncomplete};
        const auto is = [&](unsigned a, unsigned b) { return p[1] == a && p[2] == b; };
        if (is('(', 'B')) return switch_to(Set::ascii);
        if (is('(', 'J')) return switch_to(Set::roman);
        if (is('(', 'I')) return switch_to(Set::katakana);
        if (is('$', '@') || is('$', 'B')) return switch_to(Set::kanji);
        has_just_switched_ = false;
        return {1, kMalformed};
    }

    Step switch_to(Set set) {
        set_ = set;
        const bool is_second = has_just_switched_;
        has_just_switched_ = true;
        return {3, is_second ? kMalformed : kNothing};
    }

    Step kanji(const unsigned char* p, std::size_t n) {
        has_just_switched_ = false;
        if (!in_range(p[0], 0x21, 0x7E)) return {1, kMalformed};
        if (n < 2) return {0, kIncomplete};
        if (p[1] == 0x1B) return {1, kMalformed};  // The escape sequence is not swallowed.
        const bool mapped = in_range(p[1], 0x21, 0x7E);
        const char32_t code_point = mapped ? kJis0208[(p[0] - 0x21) * 94 + p[1] - 0x21] : 0;
        return {2, code_point != 0 ? code_point : kMalformed};
    }

    // JIS X 0201 Roman differs from ASCII in two characters: yen sign and overline.
    char32_t one_byte(unsigned byte) const {
        if (set_ == Set::katakana) {
            return in_range(byte, 0x21, 0x5F) ? 0xFF61u - 0x21 + byte : kMalformed;
        }
        if (byte >= 0x80 || byte == 0x0E || byte == 0x0F) return kMalformed;
        if (set_ == Set::roman && byte == '\\') return 0xA5;
        if (set_ == Set::roman && byte == '~') return 0x203E;
        return byte;
    }

    Set set_ = Set::ascii;
    bool has_just_switched_ = false;
};

}  // namespace weft::web::detail
