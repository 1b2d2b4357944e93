#include "web/markup/simple_tag.h"

#include <string_view>

#include "base/scan.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

consteval ShortNames make_short_names() {
    constexpr std::string_view kNames[] = {
        "",
#define WEFT_ELEMENT(enumerator, name) name,
#include "web/markup/html_names.inc"
    };
    ShortNames names{};
    for (std::size_t i = 1; i < std::size(kNames); ++i) {
        const std::string_view name = kNames[i];
        if (name.size() > ShortNames::kBytesMax) continue;
        std::uint64_t key = 0;
        for (std::size_t k = name.size(); k-- > 0;) {
            key = key << 8 | static_cast<unsigned char>(name[k]);
        }
        key <<= 8 * (ShortNames::kBytesMax - name.size());
        std::uint8_t& element = names.element_in[ShortNames::slot_of(key)];
        if (element != 0) throw "two names in one slot: choose another factor";
        element = static_cast<std::uint8_t>(i);
        names.key[i] = key;
        names.size[i] = static_cast<std::uint8_t>(name.size());
    }
    return names;
}

// The first byte at or after `p` that ends an attribute's name: '=', '/', '>', or a byte up to
// space. REQUIRES: sixteen bytes can be read.
const char* find_name_end(const char* p, const char* end) {
#if defined(__SSE2__)
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i hits = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(' ')), block);
    hits = _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_set1_epi8('=')));
    hits = _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_set1_epi8('/')));
    hits = _mm_or_si128(hits, _mm_cmpeq_epi8(block, _mm_set1_epi8('>')));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    if (mask != 0) return p + std::countr_zero(mask);
    p += 16;
#endif
    while (p != end && static_cast<unsigned char>(*p) > ' ' &&
           !is_in_class(*p, kEquals | kSlash | kGreater)) {
        ++p;
    }
    return p;
}

}  // namespace

constinit const ShortNames kShortNames = make_short_names();

const char* read_simple_attributes(const char* p, const char* const begin, const char* end,
                                   SimpleTag& tag) {
    if (end - begin > SimpleTag::kBytesMax) end = begin + SimpleTag::kBytesMax;
    const auto place = [begin](const char* at) { return static_cast<std::uint32_t>(at - begin); };
    for (;;) {
        if (end - p < kSimpleTagRoom) return nullptr;
        if (*p == '>') return p + 1;
        if (*p == ' ') ++p;
        if (is_in_class(*p, kSpace | kGreater | kSlash)) {
            p = skip_html_space(p, end);
            if (end - p < kSimpleTagRoom) return nullptr;
            if (*p == '>') return p + 1;
            if (*p == '/') {
                if (p[1] != '>') return nullptr;
                tag.is_self_closing = true;
                return p + 2;
            }
        }
        if (tag.attribute_count == SimpleTag::kAttributeCountMax) return nullptr;
        const char* const name = p;
        const char* const name_end = find_name_end(p, end);
        if (name_end == name || end - name_end < 3) return nullptr;
        const char* value = name_end;
        const char* value_end = name_end;
        if (*name_end == '=') {
            value = name_end + 1;
            if (*value == '"' || *value == '\'') {
                const char quote = *value++;
                value_end = find_near(value, end, quote);
                p = value_end + 1;
            } else {
                value_end = find_class(value, end, kSpace | kGreater);
                if (value_end == value) return nullptr;  // A space before the value, or no value.
                p = value_end;
            }
            if (value_end == end) return nullptr;
        } else {
            // No value, unless a '=' follows after white space. A control character that is no
            // white space belongs to the name, which is left to the tokenizer.
            if (!is_in_class(*name_end, kSpace | kSlash | kGreater)) return nullptr;
            p = skip_html_space(name_end, end);
            if (p == end || *p == '=') return nullptr;
        }
        tag.first_letters |= SimpleTag::letter_bit(*name);
        tag.attributes[tag.attribute_count++] = {place(name), place(name_end), place(value),
                                                 place(value_end)};
    }
}

const char* skip_simple_comment(const char* p, const char* end) {
    // "<!-->" and "<!--->" are comments, too.
    if (end - p < 8 || std::memcmp(p, "<!--", 4) != 0 || p[4] == '>' || p[4] == '-') return nullptr;
    const char* const content = p + 4;
    for (p = content; (p = find_far<'>'>(p, end)) != end; ++p) {
        if (p - content < 3 || p[-2] != '-') continue;
        if (p[-1] == '-') return p + 1;
        if (p[-1] == '!' && p[-3] == '-') return nullptr;  // "--!>" ends it.
    }
    return nullptr;
}

}  // namespace weft::web
