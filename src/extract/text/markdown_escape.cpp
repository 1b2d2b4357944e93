#include "extract/text/markdown_escape.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "extract/text/inline_markdown.h"

namespace weft::extract {
namespace {

constexpr std::array<bool, 256> kMayNeedEscape = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("\\`*_[]!<&~|"))
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

bool is_ascii_punctuation(char c) {
    return c > ' ' && c < 0x7F && !is_alnum(c);
}

char at(std::string_view text, std::size_t i) {
    return i < text.size() ? text[i] : '\0';
}

bool is_space_or_end(std::string_view text, std::size_t i) {
    return i >= text.size() || text[i] == ' ';
}

// "&amp;", "&#38;": an '&' with a ';' after letters or digits.
bool is_reference(std::string_view text, std::size_t i) {
    std::size_t k = i + 1;
    if (at(text, k) == '#') ++k;
    const std::size_t begin = k;
    while (k < text.size() && is_alnum(text[k]) && k - begin < 32) ++k;
    return k > begin && at(text, k) == ';';
}

bool is_letter_like(std::string_view text, std::size_t i) {
    return i < text.size() && (is_alnum(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80);
}

bool needs_escape(std::string_view text, std::size_t i, const EscapePlace& place) {
    const char next = at(text, i + 1);
    switch (text[i]) {
        case '\\': return next == '\0' || is_ascii_punctuation(next);
        case '`': return true;
        case '*': {
            const bool is_after_space = i > 0 && text[i - 1] == ' ';
            return !(is_after_space && next == ' ');
        }
        case '_': return i == 0 || !is_letter_like(text, i - 1) || !is_letter_like(text, i + 1);
        case '[': return place.is_in_link;
        case ']': return place.is_in_link || next == '(' || next == '\0';
        case '!': return place.is_before_link && i + 1 == text.size();
        case '<': return is_alpha(next) || next == '/' || next == '!' || next == '?';
        case '&': return is_reference(text, i);
        case '~': return next == '~' || (i > 0 && text[i - 1] == '~');
        case '|': return place.is_in_cell;
        default: return false;
    }
}

// How many bytes at the beginning of a line are before the character to escape, because the line
// would begin a block; npos if it would not.
std::size_t block_marker(std::string_view text, bool is_whole_line) {
    std::size_t i = 0;
    switch (text[0]) {
        case '#':
            while (at(text, i) == '#') ++i;
            return i <= 6 && is_space_or_end(text, i) ? 0 : std::string_view::npos;
        case '>':
        case '[': return 0;
        case '=':
        case '-':
        case '+':
            if (text[0] != '=' && is_space_or_end(text, 1)) return 0;
            if (!is_whole_line) return std::string_view::npos;
            return text.find_first_not_of(std::string{text[0], ' '}) == std::string_view::npos
                       ? 0
                       : std::string_view::npos;
        default: break;
    }
    while (i < 9 && is_digit(at(text, i))) ++i;
    const bool is_number = i > 0 && (at(text, i) == '.' || at(text, i) == ')');
    return is_number && is_space_or_end(text, i + 1) ? i : std::string_view::npos;
}

}  // namespace

void append_escaped(std::string_view text, const EscapePlace& place, std::string& out) {
    if (text.empty()) return;
    std::size_t from = 0;
    if (place.is_at_block_start) {
        const std::size_t marker = block_marker(text, place.is_whole_line);
        if (marker != std::string_view::npos) {
            out += text.substr(0, marker);
            out += '\\';
            out += text[marker];
            from = marker + 1;
        }
    }
    for (std::size_t i = from; i < text.size(); ++i) {
        if (!kMayNeedEscape[static_cast<unsigned char>(text[i])]) continue;
        if (!needs_escape(text, i, place)) continue;
        out += text.substr(from, i - from);
        out += '\\';
        from = i;
    }
    out += text.substr(from);
}

void escape_closing_hashes(std::string& out, std::size_t line_begin) {
    std::size_t i = out.size();
    while (i > line_begin && out[i - 1] == '#') --i;
    const bool closes = i < out.size() && (i == line_begin || out[i - 1] == ' ');
    if (closes) out.insert(out.size() - 1, 1, '\\');
}

char32_t first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<char32_t>(static_cast<unsigned char>(at(text, i)));
    };
    if (byte(0) < 0x80) return byte(0);
    if (byte(0) < 0xE0) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    if (byte(0) < 0xF0) return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    return (byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

char32_t last_character(std::string_view text) {
    std::size_t i = text.size() - 1;
    while (i > 0 && text.size() - i < 4 && (text[i] & 0xC0) == 0x80) --i;
    return first_character(text.substr(i));
}

bool is_white(char32_t c) {
    return c <= ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

// The punctuation of ASCII and of the blocks where most of the rest is: Latin-1, General
// Punctuation, CJK and its full-width forms.
bool is_punctuation(char32_t c) {
    if (c < 0x80) return is_ascii_punctuation(static_cast<char>(c));
    static constexpr char32_t kLatin[] = {0xA1, 0xA7, 0xAB, 0xB6, 0xB7, 0xBB, 0xBF};
    if (c < 0x100) return std::ranges::find(kLatin, c) != std::end(kLatin);
    return (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205E && c != 0x2044) ||
           (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x3011) ||
           (c >= 0x3014 && c <= 0x301F) || (c >= 0xFF01 && c <= 0xFF0F && c != 0xFF04) ||
           (c >= 0xFF1A && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF3D);
}

void write_destination(std::string_view url, std::string_view title, std::string& out) {
    out += '(';
    int depth = 0;
    bool is_plain = !url.empty() && url[0] != '<';
    for (const char c : url) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        is_plain &= static_cast<unsigned char>(c) > ' ' && c != 0x7F && depth >= 0;
    }
    is_plain &= depth == 0;
    if (!is_plain) out += '<';
    for (std::size_t i = 0; i < url.size(); ++i) {
        const char c = url[i];
        if (c == '\n' || c == '\r') {
            out += c == '\n' ? "%0A" : "%0D";
            continue;
        }
        const bool is_special = (c == '\\' && is_ascii_punctuation(at(url, i + 1))) ||
                                (c == '&' && is_reference(url, i)) ||
                                (!is_plain && (c == '<' || c == '>'));
        if (is_special) out += '\\';
        out += c;
    }
    if (!is_plain) out += '>';
    if (!trim(title).empty()) {
        out += " \"";
        for (std::size_t i = 0; i < title.size(); ++i) {
            const char c = title[i];
            const bool is_special = c == '"' || (c == '&' && is_reference(title, i)) ||
                                    (c == '\\' && is_ascii_punctuation(at(title, i + 1)));
            if (is_special) out += '\\';
            out += c == '\n' || c == '\r' ? ' ' : c;
        }
        out += '"';
    }
    out += ')';
}

}  // namespace weft::extract
