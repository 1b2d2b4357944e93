#include "web/host/idna.h"

#include <algorithm>
#include <vector>

#include "base/escape.h"
#include "web/host/punycode.h"
#include "web/host/unicode.h"

namespace weft::web {
namespace {

constexpr char32_t kZeroWidthNonJoiner = 0x200C;
constexpr char32_t kZeroWidthJoiner = 0x200D;
constexpr std::u32string_view kAcePrefix = U"xn--";

bool is_ascii(std::u32string_view text) {
    return std::ranges::all_of(text, [](char32_t c) { return c < 0x80; });
}

// Steps 1 and 2 of UTS 46 section 4: map, then normalise. Disallowed characters stay, and
// is_valid_label() refuses them.
std::optional<std::u32string> map_and_normalize(std::string_view utf8) {
    std::u32string mapped;
    mapped.reserve(utf8.size());
    while (!utf8.empty()) {
        const Utf8Step step = utf8_step(utf8);
        if (step.length == 0) return std::nullopt;
        append_idna_mapped(mapped, step.code_point);
        utf8.remove_prefix(step.length);
    }
    return to_nfc(mapped);
}

// RFC 5892, appendix A.1: a zero-width non-joiner is allowed between two letters that would join
// without it. Transparent characters between them are skipped.
bool breaks_a_join(std::u32string_view label, std::size_t at) {
    const auto joining = [label](std::size_t i) { return properties_of(label[i]).joining; };
    std::size_t before = at;
    while (before > 0 && joining(before - 1) == JoiningType::transparent) --before;
    if (before == 0) return false;
    const JoiningType left = joining(before - 1);
    if (left != JoiningType::left && left != JoiningType::dual) return false;
    std::size_t after = at + 1;
    while (after < label.size() && joining(after) == JoiningType::transparent) ++after;
    if (after == label.size()) return false;
    const JoiningType right = joining(after);
    return right == JoiningType::right || right == JoiningType::dual;
}

// RFC 5892, appendix A.1 and A.2: both joiners are allowed after a virama.
bool has_valid_joiners(std::u32string_view label) {
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (label[i] != kZeroWidthNonJoiner && label[i] != kZeroWidthJoiner) continue;
        if (i > 0 && properties_of(label[i - 1]).is_virama) continue;
        if (label[i] == kZeroWidthJoiner || !breaks_a_join(label, i)) return false;
    }
    return true;
}

// The validity criteria of UTS 46 section 4.1. The bidi rule is checked elsewhere, because it
// depends on all labels.
bool is_valid_label(std::u32string_view label) {
    if (label.empty()) return true;
    if (label.starts_with(kAcePrefix)) return false;
    if (properties_of(label[0]).is_mark) return false;
    const auto is_valid = [](char32_t c) {
        return c != '.' && idna_status(c) == IdnaStatus::valid;
    };
    return std::ranges::all_of(label, is_valid) && has_valid_joiners(label);
}

// The Unicode form of a label, or nothing if it is invalid. Step 4 of UTS 46 section 4: a decoded
// xn-- label must be normalised and must need its encoding, else one name would have two forms.
std::optional<std::u32string> to_valid_unicode(std::u32string_view label) {
    if (!label.starts_with(kAcePrefix)) {
        if (!is_valid_label(label)) return std::nullopt;
        return std::u32string(label);
    }
    if (!is_ascii(label)) return std::nullopt;
    const std::u32string_view code = label.substr(kAcePrefix.size());
    auto decoded = punycode_decode(std::string(code.begin(), code.end()));
    if (!decoded || is_ascii(*decoded)) return std::nullopt;
    if (!is_valid_label(*decoded) || to_nfc(*decoded) != *decoded) return std::nullopt;
    return decoded;
}

bool is_rtl(BidiClass bidi) {
    return bidi == BidiClass::right_to_left || bidi == BidiClass::arabic_letter;
}

bool is_bidi_label(std::u32string_view label) {
    return std::ranges::any_of(label, [](char32_t c) {
        const BidiClass bidi = properties_of(c).bidi;
        return is_rtl(bidi) || bidi == BidiClass::arabic_number;
    });
}

// The six rules of RFC 5893 section 2. The first character gives the direction of the label (rule
// 1).
bool follows_bidi_rule(std::u32string_view label) {
    using enum BidiClass;
    if (label.empty()) return true;
    const BidiClass first = properties_of(label[0]).bidi;
    const bool rtl = is_rtl(first);
    if (!rtl && first != left_to_right) return false;

    BidiClass last = other;  // Of the last character that is not a nonspacing mark (rules 3 and 6).
    bool has_european = false;
    bool has_arabic = false;
    for (const char32_t c : label) {
        const BidiClass bidi = properties_of(c).bidi;
        if (bidi == other) return false;
        if (rtl ? bidi == left_to_right : is_rtl(bidi) || bidi == arabic_number) return false;
        has_european |= bidi == european_number;
        has_arabic |= bidi == arabic_number;
        if (bidi != nonspacing_mark) last = bidi;
    }
    if (!rtl) return last == left_to_right || last == european_number;
    if (has_european && has_arabic) return false;
    return is_rtl(last) || last == european_number || last == arabic_number;
}

bool append_ascii(std::string& out, std::u32string_view label) {
    if (is_ascii(label)) {
        out.append(label.begin(), label.end());
        return true;
    }
    const std::optional<std::string> encoded = punycode_encode(label);
    if (!encoded) return false;
    out.append("xn--").append(*encoded);
    return true;
}

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view utf8) {
    const std::optional<std::u32string> name = map_and_normalize(utf8);
    if (!name) return std::nullopt;

    std::vector<std::u32string> labels;
    std::u32string_view rest = *name;
    while (true) {
        const std::size_t dot = std::min(rest.find(U'.'), rest.size());
        auto label = to_valid_unicode(rest.substr(0, dot));
        if (!label) return std::nullopt;
        labels.push_back(*std::move(label));
        if (dot == rest.size()) break;
        rest.remove_prefix(dot + 1);
    }
    // One right-to-left label makes the whole name a "bidi domain name": all labels follow the
    // rule.
    if (std::ranges::any_of(labels, is_bidi_label) &&
        !std::ranges::all_of(labels, follows_bidi_rule)) {
        return std::nullopt;
    }

    std::string ascii;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i > 0) ascii += '.';
        if (!append_ascii(ascii, labels[i])) return std::nullopt;
    }
    return ascii;
}

}  // namespace weft::web
