#include "web/markup/html_reference.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "web/charset/utf8_text.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

struct NamedReference {
    std::string_view name;
    char32_t first;
    char32_t second;
};

constexpr NamedReference kNamed[] = {
#include "web/markup/entities.gen.inc"
};

// The characters of windows-1252 at 0x80 to 0x9F. Pages mean these when they write `&#150;`
// ("numeric character reference end state").
constexpr char32_t kWindows1252[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

constexpr char32_t kReplacementPoint = 0xFFFD;

void append(CharacterReference& reference, char32_t c) {
    const auto put = [&](char32_t byte) {
        reference.bytes[reference.size++] = static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
        put(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            put(0xE0 | c >> 12);
        } else {
            put(0xF0 | c >> 18);
            put(0x80 | (c >> 12 & 0x3F));
        }
        put(0x80 | (c >> 6 & 0x3F));
    }
    put(0x80 | (c & 0x3F));
}

char32_t meant_by(char32_t number) {
    if (number == 0 || number > 0x10FFFF) return kReplacementPoint;
    if (number >= 0xD800 && number <= 0xDFFF) return kReplacementPoint;
    if (number >= 0x80 && number <= 0x9F) return kWindows1252[number - 0x80];
    return number;
}

CharacterReference match_number(std::string_view text) {
    const bool is_hex = text.size() > 2 && (text[2] | 0x20) == 'x';
    const std::size_t digits_begin = is_hex ? 3 : 2;
    std::size_t i = digits_begin;
    char32_t number = 0;
    for (; i < text.size() && (is_hex ? is_hex_digit(text[i]) : is_digit(text[i])); ++i) {
        if (number > 0x10FFFF) continue;  // It stays too large, but the digits belong to it.
        number = number * (is_hex ? 16 : 10) + static_cast<char32_t>(hex_value(text[i]));
    }
    CharacterReference reference;
    if (i == digits_begin) return reference;
    if (i < text.size() && text[i] == ';') ++i;
    reference.length = i;
    append(reference, meant_by(number));
    return reference;
}

// The longest name that `text` begins with. It narrows the range of the sorted table letter by
// letter.
const NamedReference* longest_name(std::string_view text) {
    const NamedReference* longest = nullptr;
    const auto* low = std::begin(kNamed);
    const auto* high = std::end(kNamed);
    for (std::size_t i = 0; i < text.size() && i < kReferenceNameBytesMax; ++i) {
        const auto letter = static_cast<unsigned char>(text[i]);
        const auto letter_of = [i](const NamedReference& named) {
            return i < named.name.size() ? static_cast<unsigned char>(named.name[i]) : 0;
        };
        low = std::partition_point(low, high, [&](auto& n) { return letter_of(n) < letter; });
        high = std::partition_point(low, high, [&](auto& n) { return letter_of(n) <= letter; });
        if (low == high) break;
        if (low->name.size() == i + 1) longest = low;
    }
    return longest;
}

}  // namespace

CharacterReference match_reference(std::string_view text, ReferencePlace place) {
    CharacterReference reference;
    if (text.size() < 2) return reference;
    if (text[1] == '#') return match_number(text);
    if (!is_alnum(text[1])) return reference;
    const NamedReference* named = longest_name(text.substr(1));
    if (named == nullptr) return reference;
    // "Named character reference state": the historical exception for attributes.
    const std::size_t length = named->name.size() + 1;
    if (place == ReferencePlace::attribute && named->name.back() != ';' && length < text.size() &&
        (text[length] == '=' || is_alnum(text[length]))) {
        return reference;
    }
    reference.length = length;
    append(reference, named->first);
    if (named->second != 0) append(reference, named->second);
    return reference;
}

std::string_view decode_attribute(std::string_view raw, std::string& scratch) {
    const char* p = raw.data();
    const char* const end = p + raw.size();
    const char* stop = find_reference_cr_or_nul(p, end);
    if (stop == end) return raw;
    scratch.clear();
    for (; stop != end; stop = find_reference_cr_or_nul(p, end)) {
        scratch.append(p, stop);
        p = stop + 1;
        if (*stop == '\r') {
            scratch += '\n';
            if (p != end && *p == '\n') ++p;
        } else if (*stop == '\0') {
            scratch += kReplacementText;
        } else {
            const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
            if (rest.starts_with("&amp;")) {  // Nearly all references in links are this one.
                scratch += '&';
                p = stop + 5;
                continue;
            }
            const CharacterReference reference = match_reference(rest, ReferencePlace::attribute);
            if (reference.length == 0) {
                scratch += '&';
            } else {
                scratch += reference.characters();
                p = stop + reference.length;
            }
        }
    }
    return scratch.append(p, end);
}

}  // namespace weft::web
