#include "base/escape.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/hidden.h"

namespace weft {

// The ranges are those of Unicode's table of well-formed UTF-8 (RFC 3629 section 4). They exclude
// overlong forms, surrogates and code points above U+10FFFF.
Utf8Step utf8_step(std::string_view text) {
    if (text.empty()) return {};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto is_trail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const auto trail = [&](std::size_t i) { return static_cast<char32_t>(byte(i) & 0x3F); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {1, lead};
    if (lead >= 0xC2 && lead <= 0xDF && is_trail(1)) return {2, (lead & 0x1Fu) << 6 | trail(1)};
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;   // Below it: an overlong form.
        const unsigned high = lead == 0xED ? 0x9F : 0xBF;  // Above it: a surrogate.
        if (!is_trail(1, low, high) || !is_trail(2)) return {};
        return {3, (lead & 0x0Fu) << 12 | trail(1) << 6 | trail(2)};
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;   // Below it: an overlong form.
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;  // Above it: beyond U+10FFFF.
        if (!is_trail(1, low, high) || !is_trail(2) || !is_trail(3)) return {};
        return {4, (lead & 0x07u) << 18 | trail(1) << 12 | trail(2) << 6 | trail(3)};
    }
    return {};
}

std::string escape_for_terminal(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = utf8_step(text);
        if (step.length == 0) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                           static_cast<unsigned char>(text[0]));
            text.remove_prefix(1);
            continue;
        }
        if (step.code_point == '\\') {
            out += "\\\\";
        } else if (is_unprintable(step.code_point)) {
            const auto code = static_cast<unsigned>(step.code_point);
            out += code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{{{:x}}}", code);
        } else {
            out += text.substr(0, step.length);
        }
        text.remove_prefix(step.length);
    }
    return out;
}

namespace {

// The part of `text` before the first byte that may need an escape in JSON. Nearly always it is the
// whole text, so it is copied in one step.
std::string_view plain_json_prefix(std::string_view text) {
    static constexpr std::array<bool, 256> kIsPlain = [] {
        std::array<bool, 256> plain{};
        for (char c = 0x20; c < 0x7F; ++c) {
            plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\' && c != '<';
        }
        return plain;
    }();
    std::size_t i = 0;
    while (i < text.size() && kIsPlain[static_cast<unsigned char>(text[i])]) ++i;
    return text.substr(0, i);
}

}  // namespace

std::string shown(const std::filesystem::path& path) {
    return escape_for_terminal(path.string());
}

std::string escape_for_json(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    append_for_json(out, text);
    return out;
}

void append_for_json(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::string_view plain = plain_json_prefix(text);
        if (!plain.empty()) {
            out += plain;
            text.remove_prefix(plain.size());
            continue;
        }
        const Utf8Step step = utf8_step(text);
        if (step.length == 0) {
            out += "\\ufffd";
            text.remove_prefix(1);
            continue;
        }
        const char32_t c = step.code_point;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '<' || is_hidden(c)) {
            append_json_escape(out, c);
        } else {
            out += text.substr(0, step.length);
        }
        text.remove_prefix(step.length);
    }
}

std::string escape_for_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    // A UTF-8 sequence has at most three trail bytes. In text that is not UTF-8 there may be more
    // of them in a row; then it stops after three steps back.
    std::size_t end = bytes_max;
    while (end > 0 && bytes_max - end < 3 &&
           (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
        --end;
    }
    return text.substr(0, end);
}

}  // namespace weft
