#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/scan.h"
#include "web/markup/html_names.h"
#include "web/markup/html_tag.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Tags of the form that nearly all tags of the web have: `<td>`, `</p>`, `<a class="x" href='y'>`,
// `<br/>`. The name is known, in lower case and at most eight letters long, and the tag is all in
// one piece of the document. Such a tag is read here in one go; for any other tag these functions
// give up, and the states of the tokenizer read it.
namespace weft::web {

// The names of at most eight letters, each as one number that is compared and hashed without a
// loop: the letters in the upper bytes, zeros below.
struct ShortNames {
    static constexpr std::size_t kBytesMax = 8;
    static constexpr int kSlotBits = 10;
    // With this factor no two names fall into the same slot; the compiler checks it.
    static constexpr std::uint64_t kFactor = 0x26132BE801781CC7u;

    std::array<std::uint8_t, 1u << kSlotBits> element_in;  // By slot; 0: no name.
    std::array<std::uint64_t, 256> key;                    // By element; 0: it has no short name.
    std::array<std::uint8_t, 256> size;                    // By element.

    // REQUIRES: eight bytes can be read, and `size` is from 1 to 8.
    static std::uint64_t key_at(const char* name, std::size_t size) {
        std::uint64_t bytes;
        std::memcpy(&bytes, name, sizeof bytes);
        if constexpr (std::endian::native == std::endian::big) bytes = std::byteswap(bytes);
        return bytes << (8 * (kBytesMax - size));
    }
    static constexpr std::size_t slot_of(std::uint64_t key) {
        return (key * kFactor) >> (64 - kSlotBits);
    }

    // The element of that name, else `unknown`. REQUIRES: as for key_at().
    Element find(const char* name, std::size_t name_size) const {
        const std::uint64_t wanted = key_at(name, name_size);
        const std::uint8_t element = element_in[slot_of(wanted)];
        return key[element] == wanted ? static_cast<Element>(element) : Element::unknown;
    }
};
extern const ShortNames kShortNames;

// How far the functions below may read behind a tag's '<'.
inline constexpr std::ptrdiff_t kSimpleTagRoom = 32;

// The byte after the end tag whose name is at `name`, if it is that of `element`; else null.
// REQUIRES: kSimpleTagRoom bytes can be read.
inline const char* end_of_end_tag(const char* name, Element element) {
    const auto i = static_cast<std::size_t>(element);
    const std::size_t size = kShortNames.size[i];
    if (size == 0 || ShortNames::key_at(name, size) != kShortNames.key[i]) return nullptr;
    return name[size] == '>' ? name + size + 1 : nullptr;
}

// A start tag. Only what the reader of the page may need is written down.
struct SimpleTag {
    // A tag with more attributes or bytes is left to the tokenizer, so that no more than this is
    // read twice.
    static constexpr std::size_t kAttributeCountMax = 24;
    static constexpr std::ptrdiff_t kBytesMax = 4096;

    Element element = Element::unknown;
    bool is_self_closing = false;
    std::uint32_t first_letters = 0;  // Of the attributes' names: the union of letter_bit().
    std::uint32_t attribute_count = 0;
    std::array<HtmlTag::Span, kAttributeCountMax> attributes;  // The first `attribute_count` count.

    // The same bit for both cases of a letter. Other bytes may share a letter's bit.
    static constexpr std::uint32_t letter_bit(char c) { return 1u << (c & 31); }

    std::span<const HtmlTag::Span> spans() const { return {attributes.data(), attribute_count}; }
};

// Reads the attributes from `p` on, for read_simple_tag().
const char* read_simple_attributes(const char* p, const char* begin, const char* end,
                                   SimpleTag& tag);

// Reads the start tag whose '<' is at `p`. Returns the byte after its '>', or null if it is not a
// simple start tag or does not end before `end`; then `tag` is undefined. REQUIRES: kSimpleTagRoom
// bytes can be read.
inline const char* read_simple_tag(const char* p, const char* end, SimpleTag& tag) {
    const char* const name = p + 1;
#if defined(__SSE2__)
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(name));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(' ')),
                                      _mm_cmpeq_epi8(block, _mm_set1_epi8('>')));
    std::size_t size = static_cast<std::size_t>(
        std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(ends)) | 1u << 16));
#else
    std::size_t size = static_cast<std::size_t>(find_any<' ', '>'>(name, name + 16) - name);
#endif
    if (size - 1 >= ShortNames::kBytesMax) return nullptr;
    const char* const after = name + size;
    tag.element = kShortNames.find(name, size);
    tag.attribute_count = 0;
    tag.first_letters = 0;
    tag.is_self_closing = false;
    if (tag.element == Element::unknown) {
        // "<br/>"
        if (size < 2 || after[-1] != '/' || *after != '>') return nullptr;
        tag.element = kShortNames.find(name, size - 1);
        tag.is_self_closing = true;
        return tag.element == Element::unknown ? nullptr : after + 1;
    }
    if (*after == '>') return after + 1;
    return read_simple_attributes(after + 1, p, end, tag);
}

// The byte after the comment whose '<' is at `p`, or null if no comment begins there or it does not
// end before `end` in the usual way.
const char* skip_simple_comment(const char* p, const char* end);

}  // namespace weft::web
