#include "web/charset/encode_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "web/charset/codecs.h"
#include "web/charset/reverse_index.h"
#include "web/charset/utf8.h"

namespace weft::web {

namespace {

using detail::in_range;

void append(std::string& out, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) out += static_cast<char>(byte);
}

// Appends the two bytes of a pointer, for an encoding with `columns` characters in a row. Trail
// bytes start at 0x40 and skip `gap` values after 0x7E: 0x7F only, or 34 values in Big5.
void append_row_column(std::string& out, unsigned pointer, unsigned columns, unsigned gap) {
    const unsigned column = pointer % columns;
    append(out, {pointer / columns + 0x81, column + (column < 0x3F ? 0x40 : 0x40 + gap)});
}

// Each put_ function appends the bytes of `c` and returns true, or returns false if the encoding
// lacks `c`. REQUIRES: `c` is not ASCII.
bool put_single_byte(Encoding encoding, char32_t c, std::string& out) {
    const auto row = std::to_underlying(encoding) - std::to_underlying(Encoding::ibm866);
    const auto& index = detail::kSingleByte[row];
    const auto* found = std::ranges::find(index, c);
    if (found == std::end(index)) return false;
    append(out, {0x80 + static_cast<unsigned>(found - index)});
    return true;
}

bool put_user_defined(char32_t c, std::string& out) {
    if (!in_range(c, 0xF780, 0xF7FF)) return false;
    append(out, {c - 0xF780 + 0x80});
    return true;
}

bool put_big5(char32_t c, std::string& out) {
    const auto pointer = detail::big5_pointer(c);
    if (pointer) append_row_column(out, *pointer, 157, 0x22);
    return pointer.has_value();
}

bool put_euc_kr(char32_t c, std::string& out) {
    const auto pointer = detail::euc_kr_pointer(c);
    if (pointer) append(out, {*pointer / 190 + 0x81, *pointer % 190 + 0x41});
    return pointer.has_value();
}

bool put_shift_jis(char32_t c, std::string& out) {
    if (c == 0x80) return out += '\x80', true;
    if (c == 0xA5) return out += '\\', true;
    if (c == 0x203E) return out += '~', true;
    if (in_range(c, 0xFF61, 0xFF9F)) return append(out, {c - 0xFF61 + 0xA1}), true;
    // U+2212 (minus sign) is written as the fullwidth hyphen-minus, in all three Japanese encoders.
    const auto pointer = detail::shift_jis_pointer(c == 0x2212 ? 0xFF0D : c);
    if (!pointer) return false;
    const unsigned row = *pointer / 188;
    const unsigned column = *pointer % 188;
    append(out, {row + (row < 0x1F ? 0x81 : 0xC1), column + (column < 0x3F ? 0x40 : 0x41)});
    return true;
}

bool put_euc_jp(char32_t c, std::string& out) {
    if (c == 0xA5) return out += '\\', true;
    if (c == 0x203E) return out += '~', true;
    if (in_range(c, 0xFF61, 0xFF9F)) return append(out, {0x8E, c - 0xFF61 + 0xA1}), true;
    const auto pointer = detail::jis0208_pointer(c == 0x2212 ? 0xFF0D : c);
    if (pointer) append(out, {*pointer / 94 + 0xA1, *pointer % 94 + 0xA1});
    return pointer.has_value();
}

// Private-use characters of GB18030-2005 that have code points of their own since then. They are
// still written with their old bytes ("index gb18030" has the new code points).
unsigned gb18030_private_use_bytes(char32_t c) {
    if (in_range(c, 0xE78D, 0xE793)) return 0xA6D9 + (c - 0xE78D);
    switch (c) {
        case 0xE794: return 0xA6EC;
        case 0xE795: return 0xA6ED;
        case 0xE796: return 0xA6F3;
        case 0xE81E: return 0xFE59;
        case 0xE826: return 0xFE61;
        case 0xE82B: return 0xFE66;
        case 0xE82C: return 0xFE67;
        case 0xE832: return 0xFE6D;
        case 0xE843: return 0xFE7E;
        case 0xE854: return 0xFE90;
        case 0xE864: return 0xFEA0;
        default: return 0;
    }
}

bool put_gb18030(char32_t c, bool is_gbk, std::string& out) {
    if (c == 0xE5E5) return false;  // Its bytes are decoded as U+3000, so it has none.
    if (is_gbk && c == 0x20AC) return out += '\x80', true;
    if (const unsigned bytes = gb18030_private_use_bytes(c); bytes != 0) {
        append(out, {bytes >> 8, bytes & 0xFF});
        return true;
    }
    if (const auto pointer = detail::gb18030_pointer(c)) {
        append_row_column(out, *pointer, 190, 1);
        return true;
    }
    if (is_gbk) return false;  // GBK has no four-byte sequences.
    const unsigned pointer = detail::gb18030_range_pointer(c);
    append(out, {pointer / 12600 + 0x81, pointer / 1260 % 10 + '0', pointer / 10 % 126 + 0x81,
                 pointer % 10 + '0'});
    return true;
}

bool put_character(Encoding encoding, char32_t c, std::string& out) {
    switch (encoding) {
        case Encoding::gbk: return put_gb18030(c, true, out);
        case Encoding::gb18030: return put_gb18030(c, false, out);
        case Encoding::big5: return put_big5(c, out);
        case Encoding::euc_jp: return put_euc_jp(c, out);
        case Encoding::shift_jis: return put_shift_jis(c, out);
        case Encoding::euc_kr: return put_euc_kr(c, out);
        case Encoding::x_user_defined: return put_user_defined(c, out);
        default: return put_single_byte(encoding, c, out);
    }
}

// Removes the first character from `text` and returns it; U+FFFD for bytes that are not UTF-8.
char32_t take_character(std::string_view& text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    detail::Step step{1, *bytes};
    if (*bytes >= 0x80) step = detail::Utf8Codec::step(bytes, text.size());
    text.remove_prefix(step.code_point == detail::kIncomplete ? text.size() : step.length);
    return step.code_point <= 0x10FFFF ? step.code_point : 0xFFFD;
}

}  // namespace

std::optional<char32_t> TextEncoder::encode(std::string_view& text, std::string& out) {
    while (!text.empty()) {
        // ASCII is copied in one step. ISO-2022-JP cannot do this: it may have to switch sets.
        std::size_t length = 0;
        if (encoding_ != Encoding::iso_2022_jp) length = detail::ascii_prefix(text);
        if (encoding_ == Encoding::utf_8) length += detail::valid_utf8_prefix(text.substr(length));
        out.append(text.substr(0, length));
        text.remove_prefix(length);
        if (text.empty()) break;

        const char32_t c = take_character(text);
        if (const auto missing = put(c, out)) return missing;
    }
    return std::nullopt;
}

std::optional<char32_t> TextEncoder::put(char32_t c, std::string& out) {
    if (encoding_ == Encoding::iso_2022_jp) return put_iso_2022_jp(c, out);
    if (encoding_ == Encoding::utf_8) {
        out += "\xEF\xBF\xBD";  // Valid UTF-8 is copied in encode(), so `c` is malformed.
        return std::nullopt;
    }
    if (put_character(encoding_, c, out)) return std::nullopt;
    return c;
}

std::optional<char32_t> TextEncoder::put_iso_2022_jp(char32_t c, std::string& out) {
    const bool is_roman_only = c == 0xA5 || c == 0x203E;
    if (c < 0x80) {
        const bool roman_has_it = c != '\\' && c != '~';
        if (set_ == Set::kanji || !roman_has_it) switch_to(Set::ascii, out);
        // These are never written: they would switch character sets in the reader.
        if (c == 0x0E || c == 0x0F || c == 0x1B) return 0xFFFD;
        out += static_cast<char>(c);
        return std::nullopt;
    }
    if (is_roman_only) {
        switch_to(Set::roman, out);
        out += c == 0xA5 ? '\\' : '~';
        return std::nullopt;
    }
    char32_t wide = c == 0x2212 ? 0xFF0D : c;
    if (in_range(wide, 0xFF61, 0xFF9F)) wide = detail::kHalfwidthKatakana[wide - 0xFF61];
    const auto pointer = detail::jis0208_pointer(wide);
    if (!pointer) {
        // The caller writes a reference such as "&#9731;", which is ASCII.
        if (set_ == Set::kanji) switch_to(Set::ascii, out);
        return c;
    }
    switch_to(Set::kanji, out);
    append(out, {*pointer / 94 + 0x21, *pointer % 94 + 0x21});
    return std::nullopt;
}

void TextEncoder::switch_to(Set set, std::string& out) {
    if (set == set_) return;
    set_ = set;
    out += set == Set::ascii ? "\x1B(B" : set == Set::roman ? "\x1B(J" : "\x1B$B";
}

void TextEncoder::finish(std::string& out) {
    switch_to(Set::ascii, out);
}

std::string encode_text(Encoding encoding, std::string_view text) {
    TextEncoder encoder(encoding);
    std::string out;
    while (const auto missing = encoder.encode(text, out)) {
        fmt::format_to(std::back_inserter(out), "&#{};", static_cast<std::uint32_t>(*missing));
    }
    encoder.finish(out);
    return out;
}

}  // namespace weft::web
