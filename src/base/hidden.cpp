#include "base/hidden.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/escape.h"

namespace weft {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

// Controls, Unicode's Default_Ignorable_Code_Point, other format characters that stand alone,
// separators, and code points that are not characters. Sorted: is_in() searches by halves.
constexpr Range kHidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// The hidden characters that are part of how a word or an emoji is written. Sorted.
constexpr Range kShaping[] = {
    {0x034F, 0x034F}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
    {0x200C, 0x200D}, {0xFE00, 0xFE0F}, {0xE0100, 0xE01EF},
};

bool is_in(const auto& ranges, char32_t c) {
    const auto* found = std::ranges::lower_bound(ranges, c, {}, &Range::last);
    return found != std::end(ranges) && c >= found->first;
}

}  // namespace

bool is_hidden(char32_t c) {
    // Fast path: nearly all text is in one of these ranges.
    if (c >= 0x20 && c < 0x7F) return false;
    if (c >= 0x3165 && c < 0xFE00) return false;
    return is_in(kHidden, c);
}

bool is_unprintable(char32_t c) {
    return is_hidden(c) && !is_in(kShaping, c);
}

void append_json_escape(std::string& out, char32_t c) {
    const auto unit = [&out](char32_t value) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(value));
    };
    if (c < 0x10000) return unit(c);
    // RFC 8259 section 7: a character beyond U+FFFF is a UTF-16 surrogate pair.
    unit(0xD800 + ((c - 0x10000) >> 10));
    unit(0xDC00 + ((c - 0x10000) & 0x3FF));
}

std::string with_json_escapes(std::string text) {
    const auto is_beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x7F; };
    if (std::ranges::none_of(text, is_beyond_ascii)) return text;
    std::string out;
    out.reserve(text.size());
    for (std::string_view rest = text; !rest.empty();) {
        const Utf8Step step = utf8_step(rest);
        const std::size_t length = std::max(1u, step.length);
        const bool is_layout = step.code_point < 0x20;  // Line ends between values, not in strings.
        if (step.length > 0 && !is_layout && is_hidden(step.code_point)) {
            append_json_escape(out, step.code_point);
        } else {
            out += rest.substr(0, length);
        }
        rest.remove_prefix(length);
    }
    return out;
}

std::string with_visible_controls(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = utf8_step(text);
        const std::size_t length = std::max(1u, step.length);
        const std::string_view one = text.substr(0, length);
        const bool is_plain = step.length > 0 && !is_unprintable(step.code_point);
        const bool is_layout = one == "\n" || one == "\t";
        out += is_plain || is_layout ? std::string(one) : escape_for_terminal(one);
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace weft
